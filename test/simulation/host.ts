import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "../../src/base/kernel/runtime.js";
import { createRandom, realTime } from "../../src/base/platform/real-runtime.js";
import { createEmulator, type Emulator } from "../../src/programs/start/emulator.js";
import { exchange } from "../support/exchange.js";
import { FEES, MAX_ATTEMPTS, REFUND_STEP, RETRY_BASE, SETTLEMENT_HOLD, START } from "./model/settings.js";
import { failAsFull, type Storage } from "./storage.js";

/** The service under simulation: on a file, with all its random data from one seed, and mortal. */

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Loose = any;

export interface Ask {
  readonly method: string;
  readonly path: string;
  /** An API key; null sends none. */
  readonly key: string | null;
  readonly body?: unknown;
  /** Sent as it is in place of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly body: Loose;
  /** The body as text, without the address of the server, which changes with each start. */
  readonly text: string;
  readonly headers: Headers;
}

export interface Host {
  readonly users: Emulator["users"];
  readonly signingSecret: string;
  /** Its address; another after each start. */
  readonly url: string;
  readonly file: string;
  /** Errors that the service logged. */
  readonly errors: string[];
  /** One request. Null when the connection was cut. */
  ask(ask: Ask): Promise<Reply | null>;
  /**
   * Runs `work`, and kills the service at this moment of it: before the statement with this number, or after this many
   * milliseconds. Answers whether that was before `work` ended. `work` can ask whether an answer came too late, from a
   * service whose files were kept as they were before. The service goes on with its files after `revive`.
   */
  killDuring(moment: number, work: (isDead: () => boolean) => Promise<void>): Promise<boolean>;
  revive(): Promise<void>;
  /** Runs `work`; the statement with this number fails as on a full disk. Answers whether it was reached. */
  failDuring(number: number, work: () => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
}

/** The address of the service in links to its pages. It changes with each start, and a stored answer has that of its time. */
const OWN_ADDRESS = /http:\/\/127\.0\.0\.1:\d+(?=\/(?:qr|checkout|uploads)\/)/g;

export const TEST_KEY = "qa_test_simulation-of-the-service-00";
export const LIVE_KEY = "qa_live_simulation-of-the-service-00";

/** Real milliseconds in which a receiver must answer. Receivers of a simulation answer or close, but never hang. */
const SETTINGS = {
  ...{ fees: FEES, settlementHoldMs: SETTLEMENT_HOLD, retryBaseMs: RETRY_BASE, maxAttempts: MAX_ATTEMPTS },
  ...{ refundDelayMs: REFUND_STEP, passwordCost: 2 },
};

function runtimeOf(seed: number, life: number, errors: string[]): Runtime {
  let fills = 0;
  const random = createRandom((pool) => {
    fills += 1;
    pool.set(createHash("shake256", { outputLength: pool.length }).update(`${seed} ${life} ${fills}`).digest());
  });
  const log = { warn: () => undefined, error: (text: string, cause?: unknown) => errors.push(`${text}: ${cause}`) };
  const { after, callSoon } = realTime;
  return { random, real: { epoch: () => START, readShownTime: () => START, monotonic: () => 0, after, callSoon }, log };
}

/** Copies a database with its write-ahead log and its snapshots. */
function copyAll(from: string, to: string): void {
  for (const side of ["", "-wal"]) if (existsSync(from + side)) copyFileSync(from + side, to + side);
  if (existsSync(`${from}.snapshots`)) cpSync(`${from}.snapshots`, `${to}.snapshots`, { recursive: true });
}

/** One request to the service at `url`. */
export async function askAt(url: string, { method, path, key, body, raw, headers }: Ask): Promise<Reply | null> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = sent === undefined ? {} : { "content-type": "application/json" };
  const all = { ...type, ...(key === null ? {} : { apikey: key }), ...headers };
  try {
    const answer = await exchange(url + path, { method, headers: all, ...(sent === undefined ? {} : { body: sent }) });
    const text = answer.text.replaceAll(OWN_ADDRESS, "");
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : text };
  } catch (error) {
    if (error instanceof TypeError && /^(?:fetch failed|terminated)$/.test(error.message)) return null;
    throw error;
  }
}

/** The service in this process. Its files are copied at the moment of a kill, and it goes on with the copies. */
class MortalHost implements Host {
  readonly errors: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), "qa-pay-simulation-"));
  readonly #seed: number;
  readonly #storage: Storage;
  #life = 0;
  #emulator: Emulator | null = null;

  constructor(seed: number, storage: Storage) {
    this.#seed = seed;
    this.#storage = storage;
  }

  get emulator(): Emulator {
    if (this.#emulator === null) throw new Error("the service is not running");
    return this.#emulator;
  }

  get url(): string {
    return this.emulator.url;
  }

  get file(): string {
    return this.#fileOf(this.#life);
  }

  #fileOf(life: number): string {
    return join(this.#folder, `life-${life}.db`);
  }

  async start(): Promise<this> {
    this.#emulator = await createEmulator({
      ...{ db: this.file, frozen: true, ...SETTINGS, testKey: TEST_KEY, liveKey: LIVE_KEY },
      runtime: runtimeOf(this.#seed, this.#life, this.errors),
    });
    return this;
  }

  get users(): Emulator["users"] {
    return this.emulator.users;
  }

  get signingSecret(): string {
    return this.emulator.signingSecret;
  }

  ask(ask: Ask): Promise<Reply | null> {
    return askAt(this.emulator.url, ask);
  }

  async killDuring(number: number, work: (isDead: () => boolean) => Promise<void>): Promise<boolean> {
    let isDead = false;
    const image = () => {
      isDead = true;
      copyAll(this.file, this.#fileOf(this.#life + 1));
    };
    this.#storage.arm(number, image);
    await work(() => isDead);
    this.#storage.disarm();
    const wasDuring = isDead;
    if (!wasDuring) image();
    return wasDuring;
  }

  async revive(): Promise<void> {
    await this.emulator.close();
    for (const name of readdirSync(this.#folder)) {
      if (name.startsWith(`life-${this.#life}.db`)) rmSync(join(this.#folder, name), { recursive: true });
    }
    this.#life += 1;
    await this.start();
  }

  async failDuring(number: number, work: () => Promise<void>): Promise<boolean> {
    this.#storage.arm(number, failAsFull);
    await work();
    return this.#storage.disarm();
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.#folder, { recursive: true });
  }
}

export function startHost(seed: number, storage: Storage): Promise<Host> {
  return new MortalHost(seed, storage).start();
}
