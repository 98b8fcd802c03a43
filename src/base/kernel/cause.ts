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
  /** The name of the unit's random source, when it is not the common one of all requests. */
  readonly draws: string | null;
  /** The place of the request in a trace (`RequestTrace.kept`); only with `serve --otlp`. */
  readonly trace?: string | null;
}

export const CONSOLE = "console";

/** The service itself: its start, and work that nobody requested. */
export const SERVICE: Cause = { text: "service", request: null, command: null, parent: null, draws: null };

/**
 * The service when it prepares a database. A start on a prepared one draws fewer random values, and that must not change those
 * of requests.
 */
export const START: Cause = { ...SERVICE, draws: "start" };

/** The service when it stores the users of its start, which it does when somebody first needs them. */
export const USERS_OF_START: Cause = { ...SERVICE, draws: "users of the start" };

/** The cause of due work: its kind, its object, its instant, and the `seq` of the change that made it due. */
export interface DueWork {
  readonly kind: string;
  readonly subject: string;
  readonly due_at: number;
  readonly history_seq: number | null;
}

export function workCause({ kind, subject, due_at, history_seq: parent }: DueWork): Cause {
  return { text: `work ${kind}`, request: null, command: null, parent, draws: `${kind} ${subject} ${due_at}` };
}
