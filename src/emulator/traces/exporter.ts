import { attemptErrorOf } from "../../base/kernel/attempt-errors.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import type { Log, RealTime, TimerHandle } from "../../base/kernel/runtime.js";
import type { Transport } from "../../service/delivery/transport.js";
import { exportOf, type Span } from "./span.js";

/**
 * Sends spans to a collector in the order of their arrival. A collector that does not answer disturbs nothing: spans wait in a
 * limited queue, and are dropped when it is full.
 */

const MAX_WAITING = 2_048;
const MAX_BATCH = 512;
const FLUSH_MS = 1_000;
/** After a failure. */
const RETRY_MS = 5_000;
const PATIENCE_MS = 10_000;
/** How long the end of the server waits for the last spans. */
const LAST_MS = 2_000;

interface ExporterParts {
  readonly real: RealTime;
  readonly log: Pick<Log, "warn">;
  readonly transport: Pick<Transport, "post" | "close">;
  /** Without `/v1/traces`. */
  readonly url: string;
  readonly version: string;
}

/** True if a later try may succeed: the collector did not answer, is busy or is broken. */
function isPassing(status: number | null): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

export class Exporter {
  readonly #parts: ExporterParts;
  readonly #waiting: Span[] = [];
  #timer: TimerHandle | null = null;
  /** Resolves to whether the spans were taken. */
  #sending: Promise<boolean> | null = null;
  #leftOut = 0;
  #hasFailed = false;
  #isOver = false;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
  }

  add(span: Span): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#leftOut += 1;
      return;
    }
    this.#waiting.push(span);
    this.#arm(FLUSH_MS);
  }

  /** Sends the remaining spans, as long as the collector takes them. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#timer?.cancel();
    const limit = this.#parts.real.after(LAST_MS, () => this.#parts.transport.close());
    let goesOn = (await this.#sending) ?? true;
    while (goesOn && this.#waiting.length > 0) goesOn = await this.#send();
    limit.cancel();
    this.#parts.transport.close();
    const lost = this.#waiting.length + this.#leftOut;
    if (lost > 0) this.#parts.log.warn(`${lost} spans were not sent to the collector at ${this.#place}.`);
  }

  /** The address without parts that may be secret. */
  get #place(): string {
    return new URL(this.#parts.url).host;
  }

  #arm(ms: number): void {
    if (this.#timer !== null || this.#sending !== null || this.#isOver) return;
    this.#timer = this.#parts.real.after(ms, () => {
      this.#timer = null;
      this.#sending = this.#send().finally(() => {
        this.#sending = null;
        if (this.#waiting.length > 0) this.#arm(this.#hasFailed ? RETRY_MS : FLUSH_MS);
      });
    });
  }

  async #send(): Promise<boolean> {
    const { transport, url, version } = this.#parts;
    const batch = this.#waiting.slice(0, MAX_BATCH);
    const body = JSON.stringify(exportOf(batch, version));
    const headers = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
    const { statusCode, error } = await transport.post(`${url}/v1/traces`, headers, body, PATIENCE_MS);
    const isTaken = isSuccess(statusCode);
    if (isTaken || !isPassing(statusCode)) this.#waiting.splice(0, batch.length);
    if (!isTaken && !this.#hasFailed) this.#warnOnce(attemptErrorOf(error).error ?? `answered ${statusCode}`);
    this.#hasFailed = !isTaken;
    return isTaken;
  }

  #warnOnce(why: string): void {
    const bound = `At most ${MAX_WAITING} spans wait for it; the service goes on.`;
    this.#parts.log.warn(`The collector of traces at ${this.#place} took no spans: ${why}. ${bound}`);
  }
}
