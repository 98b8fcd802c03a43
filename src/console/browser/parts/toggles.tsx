import type { ComponentChildren } from "preact";

interface Toggle {
  readonly name: string;
  readonly words: string;
  readonly isOn: boolean;
}

interface TogglesProps {
  /** What they are about, for screen readers; a legend among the children tells it to everybody. */
  readonly label?: string;
  readonly of: readonly Toggle[];
  readonly onPress: (name: string) => void;
  readonly children?: ComponentChildren;
}

/** Small buttons side by side, each of them on or off: one of several choices, or any of them. */
export function Toggles({ label, of, onPress, children }: TogglesProps) {
  return (
    <fieldset class="choices" aria-label={label}>
      {children}
      {of.map(({ name, words, isOn }) => (
        <button key={name} type="button" class="small" aria-pressed={isOn} onClick={() => onPress(name)}>
          {words}
        </button>
      ))}
    </fieldset>
  );
}
