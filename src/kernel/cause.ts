/** Why a unit of work runs. Everything that it writes into the history says so. */
export interface Cause {
  /** `request POST /v1/charges`, `page POST /card/{id}`, `work transaction.expire` or `service`. */
  readonly text: string;
  /** The number of the request in the request log; null when no request caused it. */
  readonly request: number | null;
  /** The command of our own CLI that sent the request; null for every other client. */
  readonly command: string | null;
  /** For due work: the `seq` of what made it due, in the history. */
  readonly parent: number | null;
}

/** The service itself: its start, and what it does on its own account. */
export const SERVICE: Cause = { text: "service", request: null, command: null, parent: null };

/** Due work of `kind`. `parent` is what made it due. */
export function workCause(kind: string, parent: number | null): Cause {
  return { text: `work ${kind}`, request: null, command: null, parent };
}
