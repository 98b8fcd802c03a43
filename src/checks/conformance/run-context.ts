import type { HttpAnswer, HttpRequest } from "../../api/client/send.js";
import type { RealTime } from "../../base/kernel/runtime.js";

/** The inputs of a run, its requests and answers, and the errors that end a check. */

/** The inputs that the command passes to the checks. */
export interface RunContext {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The key of the same account in the other mode; null when it is unknown. */
  readonly otherKey: string | null;
  /** True if the checks may create objects. */
  readonly canWrite: boolean;
  /** How long to wait for a webhook, in real milliseconds. */
  readonly webhookWaitMs: number;
  /** Sends one request. Throws Unreachable without an answer. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly pause: (ms: number) => Promise<void>;
  readonly random: () => string;
  readonly real: RealTime;
}

/** The host, as far as its answers describe it. */
export interface Facts {
  readonly isEmulator: boolean;
  /** False when the clock of the emulator stands still, so that nothing due later ever happens. */
  readonly isClockRunning: boolean;
}

export interface AskOptions {
  /** The key of the run when left out, another text, or none. */
  readonly key?: "other" | "none" | { readonly text: string };
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A body that is sent unchanged, in place of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request of a check, and its answer. */
export interface CheckedExchange extends HttpAnswer {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The body; undefined when it is no JSON. */
  readonly json: unknown;
  /** True when the request had the key of the run, so that the same command shows the same answer. */
  readonly isOwn: boolean;
}

/** The host does not do as the specification says. */
export class Deviation extends Error {
  override readonly name = "Deviation";

  constructor(
    readonly seen: string,
    /** The exchange that shows it. */
    readonly exchange?: CheckedExchange,
    /** The expectation at this place, where it is more exact than the sentence of the check. */
    readonly expected?: string,
  ) {
    super(seen);
  }
}

/** The check cannot be made here. The message is the reason. */
export class Skip extends Error {
  override readonly name = "Skip";
}
