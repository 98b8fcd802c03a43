import type { ComponentChildren } from "preact";

interface Toggle<Name> {
  readonly name: Name;
  readonly words: string;
  readonly isOn: boolean;
}

interface TogglesProps<Name> {
  /** Their subject, for screen readers; a legend among the children shows it to everybody. */
  readonly label?: string;
  readonly of: readonly Toggle<Name>[];
  readonly onPress: (name: Name) => void;
  readonly children?: ComponentChildren;
}

/** Small buttons side by side, each of them on or off: one of several choices, or any of them. */
export function Toggles<Name extends string>({ label, of, onPress, children }: TogglesProps<Name>) {
  return (
    <fieldset class="flow choices" aria-label={label}>
      {children}
      {of.map(({ name, words, isOn }) => (
        <button key={name} type="button" class="small" aria-pressed={isOn} onClick={() => onPress(name)}>
          {words}
        </button>
      ))}
    </fieldset>
  );
}
