/** Why a unit of work runs. Every row that it adds to the history names this cause. */
export interface Cause {
  /** `request POST /v1/charges`, `page POST /card/{id}`, `work transaction.expire` or `service`. */
  readonly text: string;
  /** The number of the request in the request log; null when no request caused it. */
  readonly request: number | null;
  /** The command of our own CLI that sent the request, or CONSOLE; null for every other client. */
  readonly command: string | null;
  /** For due work: the `seq` in the history of the change that made it due. */
  readonly parent: number | null;
}

export const CONSOLE = "console";

/** The service itself: its start, and what it does on its own account. */
export const SERVICE: Cause = { text: "service", request: null, command: null, parent: null };

/** The cause for due work of `kind`. `parent` is the `seq` of the change that made it due. */
export function workCause(kind: string, parent: number | null): Cause {
  return { text: `work ${kind}`, request: null, command: null, parent };
}
