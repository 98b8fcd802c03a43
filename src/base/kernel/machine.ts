/**
 * A state machine as data. `transitions` is the list of all legal moves. The actions move objects and emit events by it, and
 * docs/TRANSITIONS.md and the tests of every pair of state and move are generated from it. The CHECK of each status column in
 * the database repeats the states; a test compares them.
 */

export interface Transition<State extends string, EventName extends string> {
  readonly from: readonly State[];
  readonly to: State;
  /** The events that report this move, in the order in which they are published. */
  readonly emits: readonly EventName[];
  /** The cause of the move, for the generated tables. */
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

/** The transition of `move` from `state`. Throws IllegalTransition for a move that the table does not have. */
export function transition<S extends string, M extends string, E extends string>(
  machine: Machine<S, M, E>,
  state: S,
  move: M,
): Transition<S, E> {
  if (!canMove(machine, state, move)) throw new IllegalTransition(machine.name, state, move);
  return machine.transitions[move];
}

/** The states of a machine. For each one: the states that can come directly after it. */
export type StateGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the table of a machine. `project` maps a state of the machine to the state that users see. */
export function stateGraphOf(machine: Machine<string, string, string>, project = (state: string) => state): StateGraph {
  const graph = new Map(machine.states.map((state) => [project(state), new Set<string>()]));
  for (const { from, to } of Object.values(machine.transitions)) {
    for (const state of from) graph.get(project(state))?.add(project(to));
  }
  return graph;
}

/** True if an object in the state `from` can get into the state `wanted` by one or more moves. */
export function canReach(graph: StateGraph, from: string, wanted: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const next of graph.get(state) ?? []) {
      if (next === wanted) return true;
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return false;
}
