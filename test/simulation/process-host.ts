import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beginServe, type Place, type Server, type Starting } from "../support/binary.js";
import { breachesOf } from "../support/invariants.js";
import { openFile } from "../support/sqlite.js";
import type { Chance } from "./chance.js";
import { type Ask, askAt, type Host, LIVE_KEY, type Reply, TEST_KEY } from "./host.js";
import { FEES, MAX_ATTEMPTS, REFUND_STEP, RETRY_BASE, SETTLEMENT_HOLD, START } from "./model/settings.js";

/** The built command under simulation: a process of its own, which is killed as `kill -9` does. */

const ms = (duration: number) => `${duration}ms`;
const SERVE = [
  ...["--frozen", "--test-key", TEST_KEY, "--live-key", LIVE_KEY, "--fees", JSON.stringify(FEES)],
  ...["--settlement-hold", ms(SETTLEMENT_HOLD), "--retry-base", ms(RETRY_BASE), "--refund-delay", ms(REFUND_STEP)],
  ...["--max-attempts", String(MAX_ATTEMPTS)],
];
/** About the milliseconds that a start takes. */
const LONGEST_START = 350;

/** Lets everything else go on until so many milliseconds have passed. */
export async function passes(duration: number): Promise<void> {
  const end = performance.now() + duration;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}

/** Faults in a database of a stopped server, or in a snapshot of it. */
export function faultsOf(file: string): string[] {
  const db = openFile(file, true);
  try {
    return breachesOf(db);
  } finally {
    db.close();
  }
}

class ProcessHost implements Host {
  readonly errors: string[] = [];
  readonly #place: Place;
  readonly #chance: Chance;
  #server: Server;

  constructor(place: Place, chance: Chance, server: Server) {
    this.#place = place;
    this.#chance = chance;
    this.#server = server;
    // Users and secrets are those of the first start.
    this.users = server.ready.users;
    this.signingSecret = server.ready.signing_secret;
  }

  readonly users: Host["users"];
  readonly signingSecret: string;

  get url(): string {
    return this.#server.url;
  }

  get file(): string {
    return this.#place.db;
  }

  ask(ask: Ask): Promise<Reply | null> {
    return askAt(this.#server.url, ask);
  }

  async killDuring(moment: number, work: (isDead: () => boolean) => Promise<void>): Promise<boolean> {
    let isOver = false;
    // Every answer that came is one that the service gave while it lived.
    const working = work(() => false).then(() => {
      isOver = true;
    });
    await passes(moment);
    const wasDuring = !isOver;
    await this.#kill(this.#server);
    await working;
    return wasDuring;
  }

  async #kill(started: Starting | Server): Promise<void> {
    started.signal("SIGKILL");
    const { code, err } = await started.ended;
    if (code !== null) this.errors.push(`the server ended by itself with ${code}: ${err}`);
    this.errors.push(...err.split("\n").filter((line) => line.startsWith("Error:")));
  }

  /** Starts again on the files that the kill has left. The next start is sometimes killed too. */
  async revive(): Promise<void> {
    this.errors.push(...this.#faults());
    if (this.#chance.happens(0.2)) {
      const starting = beginServe(this.#place, SERVE);
      const ready = starting.ready.catch(() => null);
      await passes(this.#chance.fraction() * LONGEST_START);
      await this.#kill(starting);
      await ready;
      this.errors.push(...this.#faults());
    }
    this.#server = await beginServe(this.#place, SERVE).ready;
    if (this.#server.ready.signing_secret !== this.signingSecret) this.errors.push("the account has another secret");
  }

  #faults(): string[] {
    const folder = `${this.file}.snapshots`;
    const entries = existsSync(folder) ? readdirSync(folder).filter((name) => /^[a-z0-9].*\.db$/.test(name)) : [];
    return [this.file, ...entries.map((name) => join(folder, name))].flatMap(faultsOf);
  }

  async failDuring(_number: number, work: () => Promise<void>): Promise<boolean> {
    await work();
    return false;
  }

  async close(): Promise<void> {
    const { code, err } = await this.#server.stop();
    if (code !== 0 || err.includes("Error:")) throw new Error(`the server ended with ${code}: ${err}`);
  }
}

export async function startProcess(place: Place, chance: Chance): Promise<Host> {
  const startAt = new Date(START).toISOString();
  return new ProcessHost(place, chance, await beginServe(place, [...SERVE, "--start-at", startAt]).ready);
}
