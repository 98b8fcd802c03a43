import { useSignal } from "@preact/signals";
import { Copy } from "./copy.js";
import { Toggles } from "./toggles.js";

export interface Snippet {
  /** The language or tool, as everyone calls it. */
  readonly name: string;
  readonly text: string;
  /** Notes to read before running it. */
  readonly notes?: readonly string[];
}

/** One thing in several languages: a button for each of them, and the text of the chosen one with a button that copies it. */
export function Snippets({ of, label }: { of: readonly Snippet[]; label: string }) {
  const chosen = useSignal(of[0]?.name ?? "");
  const shown = of.find(({ name }) => name === chosen.value) ?? of[0];
  if (shown === undefined) return null;
  return (
    <div class="stack snippets">
      <figure class="stack code">
        <figcaption class="flow">
          {of.length === 1 ? (
            label
          ) : (
            <Toggles
              label={label}
              of={of.map(({ name }) => ({ name, words: name, isOn: name === shown.name }))}
              onPress={(name) => {
                chosen.value = name;
              }}
            />
          )}
          <Copy text={shown.text} />
        </figcaption>
        <pre class="sunken">
          <code>{shown.text}</code>
        </pre>
      </figure>
      {shown.notes?.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </div>
  );
}
