import { send } from "../../api/client/send.js";
import { reasonOf } from "../../base/kernel/reason.js";
import { withoutSecrets } from "../../base/kernel/secrets.js";
import type { WaitRuntime } from "../../base/platform/real-runtime.js";
import { type EntryPoint, type EntryPointContext, urlOf } from "./entry-points.js";
import { freePort } from "./free-port.js";
import { type Ending, type Program, type ProgramOptions, startProgram } from "./program.js";
import { ShopError } from "./shop-error.js";

/** The shop as a process of its own, which may be killed and started again. */

export interface ShopProcess {
  /** Resolves when the shop answers. Throws ShopError when it does not. */
  start(): Promise<void>;
  /** Resolves when it has ended, with all that it started. */
  kill(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Null while it runs. */
  readonly ended: Ending | null;
  /** The last 64 KB of what it wrote, without secrets. */
  output(): string;
}

export interface ProcessParts extends ProgramOptions {
  readonly words: readonly string[];
  /** Its port; null takes a free one. */
  readonly port: number | null;
  readonly ready: Exclude<EntryPoint, { kind: "command" }>;
  /** Texts that are never shown, besides those that look like keys. */
  readonly secrets: readonly string[];
  /** Ends a start. */
  readonly stopped: AbortSignal;
  /** Ends every wait for an answer of the shop. It comes later than `stopped`, because the orders are still read at the end. */
  readonly abandoned: AbortSignal;
  /** Called once when the shop takes long to answer there. */
  readonly onLate?: ((url: string) => void) | undefined;
  readonly waiting: WaitRuntime;
}

const KEPT = 65_536;
const READY_MS = 120_000;
const LATE_MS = 5_000;
const LOOK_MS = 50;
const ANSWER_MS = 5_000;
/** Time to exit after SIGTERM, and to disappear after SIGKILL. */
const ENDING_MS = 5_000;
const PORTS_TRIED = 5;
const IS_TAKEN =
  /EADDRINUSE|address (?:is )?already in use|port \d+ is (?:already )?in use|only one usage of each socket/i;

/** The newest text of a program that writes without end. */
function createTail() {
  let text = "";
  return {
    add(piece: string) {
      text += piece;
      if (text.length > 2 * KEPT) text = text.slice(-KEPT);
    },
    clear() {
      text = "";
    },
    text: () => text.slice(-KEPT),
  };
}

/** True if a server answers there with a status below 500. */
async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await send({ method: "GET", url, headers: {}, body: undefined, timeoutMs: ANSWER_MS, signal });
    return status < 500;
  } catch {
    return false;
  }
}

/** The shop that runs, with the port that it has. Its address is known before it is started, and may change until it runs. */
export class ShopRun implements ShopProcess {
  readonly #parts: ProcessParts;
  readonly #tail = createTail();
  #port: number | null;
  #program: Program | null = null;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#port = parts.port;
  }

  context(): EntryPointContext {
    const { cwd, env, abandoned, waiting } = this.#parts;
    const own = { address: `http://localhost:${this.#port}`, env: { ...env, PORT: String(this.#port) } };
    return { ...own, cwd, abandoned, waiting };
  }

  get ended(): Ending | null {
    return this.#program === null ? null : this.#program.ended;
  }

  output(): string {
    const known = this.#parts.secrets.reduce((text, secret) => text.replaceAll(secret, "…"), this.#tail.text());
    return withoutSecrets(known);
  }

  async start(): Promise<void> {
    const isFirst = this.#program === null && this.#parts.port === null;
    if (isFirst) this.#port = await freePort(this.#parts.waiting.fraction);
    for (let left = isFirst ? PORTS_TRIED : 1; ; left--) {
      try {
        return await this.#startOnce();
      } catch (error) {
        await this.kill("SIGKILL");
        if (left === 1 || !IS_TAKEN.test(this.#tail.text()) || this.#parts.stopped.aborted) throw error;
        this.#port = await freePort(this.#parts.waiting.fraction);
      }
    }
  }

  async kill(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const program = this.#program;
    if (program === null) return;
    program.signal(signal);
    const { abandoned } = this.#parts;
    const isGone = () => program.ended !== null && !program.signal(0);
    // A start that is given up also ends the wait until the shop is ready.
    if (signal === "SIGTERM") await this.#until(() => isGone() || abandoned.aborted, ENDING_MS);
    if (isGone()) return;
    program.signal("SIGKILL");
    await this.#until(isGone, ENDING_MS);
  }

  async #startOnce(): Promise<void> {
    const { ready, words, stopped, onLate } = this.#parts;
    this.#tail.clear();
    const url = urlOf(ready, this.context().address);
    if (await answers(url, stopped)) {
      const advice = "End it first, or choose another port.";
      throw new ShopError(`Something answers at ${url} before the shop was started. ${advice}`);
    }
    const program = startProgram(words, this.context(), this.#tail.add);
    this.#program = program;
    const isOver = () => program.ended !== null || stopped.aborted;
    const isReady = async () => isOver() || (await answers(url, stopped));
    const isEarly = await this.#until(isReady, LATE_MS);
    if (!isEarly) onLate?.(url);
    const isInTime = isEarly || (await this.#until(isReady, READY_MS - LATE_MS));
    if (isInTime && !isOver()) return;
    if (stopped.aborted) throw new ShopError("Stopped before the shop was ready.");
    if (program.ended !== null) throw await this.#earlyEndError(program, url);
    const late = `The shop did not answer below 500 at ${url} within ${READY_MS / 1_000} s.`;
    throw new ShopError(`${late} Look at --ready, and at the port that it listens on: PORT names it.`, this.output());
  }

  async #earlyEndError(program: Program, url: string): Promise<ShopError> {
    program.signal("SIGKILL");
    try {
      await program.waitForEnd(this.#parts.waiting);
    } catch (error) {
      return new ShopError(`The shop cannot be started: ${reasonOf(error)}.`, "", error);
    }
    const { code = null, signal = null } = program.ended ?? {};
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    return new ShopError(`The shop ended ${how} before it answered at ${url}.`, this.output());
  }

  /** Checks a condition again and again, at most so long. Returns whether it holds. */
  async #until(isSo: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
    const end = this.#parts.waiting.monotonic() + ms;
    for (;;) {
      if (await isSo()) return true;
      if (this.#parts.waiting.monotonic() >= end) return false;
      await this.#parts.waiting.pause(LOOK_MS);
    }
  }
}
