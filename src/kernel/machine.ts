/**
 * A state machine as data. `transitions` is the only list of legal moves; docs/TRANSITIONS.md, the database CHECK, the
 * event emission and the generated tests of every (state × move) pair are all read from it.
 */

export interface Transition<State extends string, EventName extends string> {
  readonly from: readonly State[];
  readonly to: State;
  /** Events that report this move, in the order in which they are written. */
  readonly emits: readonly EventName[];
  /** Where the rule stands, for the generated table. */
  readonly source: string;
}

export interface Machine<State extends string, Move extends string, EventName extends string> {
  readonly name: string;
  readonly states: readonly State[];
  readonly initial: { readonly state: State; readonly emits: readonly EventName[] };
  readonly transitions: Readonly<Record<Move, Transition<State, EventName>>>;
}

export class IllegalTransition extends Error {
  override readonly name = "IllegalTransition";
  constructor(
    readonly machine: string,
    readonly state: string,
    readonly move: string,
  ) {
    super(`${machine}: cannot ${move} from ${state}`);
  }
}

export function canMove<S extends string, M extends string, E extends string>(
  machine: Machine<S, M, E>,
  state: S,
  move: M,
): boolean {
  return machine.transitions[move].from.includes(state);
}

/** The transition `move` makes from `state`. Throws IllegalTransition when the table does not have it. */
export function transition<S extends string, M extends string, E extends string>(
  machine: Machine<S, M, E>,
  state: S,
  move: M,
): Transition<S, E> {
  if (!canMove(machine, state, move)) throw new IllegalTransition(machine.name, state, move);
  return machine.transitions[move];
}
