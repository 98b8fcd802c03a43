import type { Machine } from "../../../../base/kernel/machine.js";
import { fill } from "../../../../base/kernel/message.js";
import { codeName } from "../parts/codes.js";
import { shared } from "../parts/words.js";
import { texts } from "../state/language.js";

const words = texts("machine_move");

/** The reason why an action is impossible now, or the events that it sends: two properties of an action. */
export interface MoveFacts {
  readonly disabled: string | null;
  readonly emits: readonly string[];
}

/** The reason why something is impossible in this state, with the states in which it is possible. */
export function notIn(state: string, possible: readonly string[]): string {
  const reason = fill(shared.value.no_change_possible, { state: codeName(state) });
  return possible.length === 0
    ? reason
    : fill(words.value.only_from, { reason, states: [...new Set(possible.map(codeName))].join(", ") });
}

/** The facts of an action in a state machine: the first of its moves that the state has, or why it has none. */
export function moveFacts<State extends string, Move extends string, Name extends string>(
  { transitions }: Machine<State, Move, Name>,
  state: State,
  moves: readonly Move[],
): MoveFacts {
  const possible = moves.find((move) => transitions[move].from.includes(state));
  if (possible !== undefined) return { disabled: null, emits: transitions[possible].emits };
  return {
    disabled: notIn(
      state,
      moves.flatMap((move) => transitions[move].from),
    ),
    emits: [],
  };
}
