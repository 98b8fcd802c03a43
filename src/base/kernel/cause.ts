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
  /** What the draws of the unit belong to, when they are not those of the requests, one after the other. */
  readonly draws: string | null;
  /** The place of the request in a trace (`RequestTrace.kept`); only with `serve --otlp`. */
  readonly trace?: string | null;
}

export const CONSOLE = "console";

/** The service itself: its start, and what it does on its own account. */
export const SERVICE: Cause = { text: "service", request: null, command: null, parent: null, draws: null };

/** The service when it makes a database ready. A start on a ready one draws less, and that must not move what requests draw. */
export const START: Cause = { ...SERVICE, draws: "start" };

/** The service when it stores the users of its start, which it does when somebody first needs them. */
export const USERS_OF_START: Cause = { ...SERVICE, draws: "users of the start" };

/** What due work is: its kind, its object, its instant, and the `seq` of the change that made it due. */
export interface DueWork {
  readonly kind: string;
  readonly subject: string;
  readonly due_at: number;
  readonly history_seq: number | null;
}

export function workCause({ kind, subject, due_at, history_seq: parent }: DueWork): Cause {
  return { text: `work ${kind}`, request: null, command: null, parent, draws: `${kind} ${subject} ${due_at}` };
}
