import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { fill } from "../../../../base/kernel/message.js";
import { texts } from "../state/language.js";
import { Actions } from "./action.js";
import { Section } from "./page.js";

const words = texts("moves");

/** An action with its name and the reason why it is impossible now; null or left out when it is possible. */
export type Move = VNode<{ readonly label: string; readonly disabled?: string | null | undefined }>;

const isPossible = ({ props }: Move) => props.disabled === undefined || props.disabled === null;

/** Impossible actions: their buttons are off and described by the reason, which is visible beside them. */
function Impossible({ of }: { of: readonly Move[] }) {
  const isOpen = useSignal(false);
  const id = useId();
  return (
    <div class="impossible-place">
      <button
        type="button"
        class="small quiet"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {fill(words.value.impossible, { count: of.length })}
      </button>
      <dl id={id} class="impossible" hidden={!isOpen.value}>
        {of.map(({ props: { label, disabled } }, index) => (
          <div key={label}>
            <dt>
              <button type="button" class="small" aria-disabled="true" aria-describedby={`${id}-${index}`}>
                {label}
              </button>
            </dt>
            <dd id={`${id}-${index}`}>{disabled}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The possible actions as buttons; the others are folded below them, each with its reason. */
export function Moves({ of }: { of: readonly Move[] }) {
  const possible = of.filter(isPossible);
  const impossible = of.filter((move) => !isPossible(move));
  return (
    <>
      {possible.length === 0 ? <p class="hint">{words.value.none}</p> : null}
      <Actions label={words.value.simulate}>{possible}</Actions>
      {impossible.length === 0 ? null : <Impossible of={impossible} />}
    </>
  );
}

/** Actions that only the emulator can run on an object, in a colour of its own. */
export function Simulate({ of }: { of: readonly Move[] }) {
  return (
    <Section title={words.value.simulate} kind="simulate">
      <Moves of={of} />
    </Section>
  );
}
