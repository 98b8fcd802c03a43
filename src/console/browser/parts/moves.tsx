import type { VNode } from "preact";
import { fill } from "../../../kernel/message.js";
import { texts } from "../state/language.js";
import { Actions } from "./action.js";
import { Section } from "./page.js";

const words = texts("moves");

/** An action with its name and why it is not possible now; null or left out when it is. */
export type Move = VNode<{ readonly label: string; readonly disabled?: string | null | undefined }>;

const isPossible = ({ props }: Move) => props.disabled === undefined || props.disabled === null;

/** Those actions that are possible now, as buttons; below them, in words, why the others are not. */
export function Moves({ of }: { of: readonly Move[] }) {
  const possible = of.filter(isPossible);
  const impossible = of.filter((move) => !isPossible(move));
  return (
    <>
      {possible.length === 0 ? <p class="hint">{words.value.none}</p> : null}
      <Actions label={words.value.simulate}>{possible}</Actions>
      {impossible.length === 0 ? null : (
        <details>
          <summary>{fill(words.value.impossible, { count: impossible.length })}</summary>
          <dl class="impossible">
            {impossible.map(({ props: { label, disabled } }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{disabled}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

/** What only the emulator can make happen to an object, in a colour of its own. */
export function Simulate({ of }: { of: readonly Move[] }) {
  return (
    <Section title={words.value.simulate} kind="simulate">
      <Moves of={of} />
    </Section>
  );
}
