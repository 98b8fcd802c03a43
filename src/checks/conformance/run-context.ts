import type { HttpAnswer, HttpRequest } from "../../api/client/send.js";
import type { RealTime } from "../../base/kernel/runtime.js";

/** What a run is given, what it sends and sees, and how a look at an answer ends. */

/** What the command gives to the checks. */
export interface RunContext {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The key of the same account in the other mode; null when it is unknown. */
  readonly otherKey: string | null;
  /** Whether the checks may create objects. */
  readonly canWrite: boolean;
  /** How long to wait for a webhook, in real milliseconds. */
  readonly webhookWaitMs: number;
  /** Sends one request. Throws Unreachable without an answer. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly pause: (ms: number) => Promise<void>;
  readonly random: () => string;
  readonly real: RealTime;
}

/** What the host is, as far as its answers tell. */
export interface Facts {
  readonly isEmulator: boolean;
  /** False when the clock of the emulator stands still: what is due later never happens. */
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

/** The host does something else than it should. */
export class Deviation extends Error {
  override readonly name = "Deviation";

  constructor(
    readonly seen: string,
    /** The exchange that shows it. */
    readonly exchange?: CheckedExchange,
    /** What was expected in this place, when it is more exact than the sentence of the check. */
    readonly expected?: string,
  ) {
    super(seen);
  }
}

/** The check cannot be made here. The message is the reason. */
export class Skip extends Error {
  override readonly name = "Skip";
}
