import { isUndecided, type MedMove, type MedStatus, medMachine } from "../../../../features/med/machine.js";
import { canMove } from "../../../../kernel/machine.js";
import { fill } from "../../../../kernel/message.js";
import { codeName } from "../../parts/codes.js";
import { shared } from "../../parts/words.js";
import { texts } from "../../state/language.js";

const words = texts("med");

/** What the state machine says of a button: why it is not possible, or which events it sends. */
export interface Possible {
  readonly disabled: string | null;
  readonly emits: readonly string[] | undefined;
}

function notFrom(status: MedStatus, from: readonly MedStatus[]): string {
  const states = medMachine.states
    .filter((state) => from.includes(state))
    .map(codeName)
    .join(", ");
  return `${fill(shared.value.no_change_possible, { state: codeName(status) })}: ${fill(words.value.only_from, { states })}.`;
}

/** A button that makes one of these moves, whichever the state has. */
export function possible(status: MedStatus, ...moves: readonly MedMove[]): Possible {
  const move = moves.find((one) => canMove(medMachine, status, one));
  const from = moves.flatMap((one) => medMachine.transitions[one].from);
  if (move === undefined) return { disabled: notFrom(status, from), emits: undefined };
  return { disabled: null, emits: medMachine.transitions[move].emits };
}

/** The bank asks for evidence while a case is not decided. That is no move of the machine. */
export function canAskForEvidence(status: MedStatus): Possible {
  if (isUndecided(status)) return { disabled: null, emits: ["med_case.updated"] };
  return { disabled: notFrom(status, medMachine.states.filter(isUndecided)), emits: undefined };
}
