import type { RealTime } from "../kernel/runtime.js";
import type { Db } from "./driver.js";
import type { OpenDatabase } from "./open.js";

/** Lets others have their turn between two queries of a long read, when they have waited long enough. */
export type Pause = () => Promise<void>;

/** Runs a read of many queries. */
export type LongRead = <Result>(read: (db: Db, pause: Pause) => Promise<Result>) => Promise<Result>;

/**
 * So many milliseconds a long read goes on before others have their turn. A request may need several turns of the event loop, so
 * it waits for several of these.
 */
const TURN_MS = 6;

/**
 * Long reads of a database. Each is of many queries that all see the same contents, whatever is written meanwhile. Between its
 * queries it calls `pause`, and then others have their turn; of several long reads only one goes on in a turn of the event loop. It reads
 * on a connection of its own, in one transaction. A database in memory has only one connection: there the read runs in one go.
 */
export function longReads(
  { db, checkPlace, openReader }: Pick<OpenDatabase, "db" | "checkPlace" | "openReader">,
  real: Pick<RealTime, "soon" | "monotonic">,
): LongRead {
  let last: Promise<void> = Promise.resolve();
  const turn = () => {
    last = last.then(() => new Promise((resolve) => real.soon(resolve)));
    return last;
  };
  return async (read) => {
    checkPlace();
    const reader = openReader();
    if (reader === null) return read(db, () => Promise.resolve());
    try {
      reader.db.exec("BEGIN");
      await turn();
      let began = real.monotonic();
      const pause = async () => {
        if (real.monotonic() - began < TURN_MS) return;
        await turn();
        began = real.monotonic();
      };
      return await read(reader.db, pause);
    } finally {
      reader.close();
    }
  };
}

/** A read that yields between its queries. */
export type Steps<Result> = Generator<void, Result>;

/**
 * Makes a reader in steps that makes `brief` steps at once. If there are more, the promise comes later: it is a long read from the first
 * step on, and others have their turn between two steps. `storeOf` makes the store for the connection of that read.
 */
export function stepReader(brief: number) {
  return <Store, Result>(
    long: LongRead,
    store: Store,
    storeOf: (db: Db) => Store,
    read: (store: Store) => Steps<Result>,
  ): Result | Promise<Result> => {
    const steps = read(store);
    for (let made = 0; made < brief; made += 1) {
      const { done, value } = steps.next();
      if (done) return value;
    }
    return long(async (db, pause) => {
      const again = read(storeOf(db));
      for (;;) {
        const { done, value } = again.next();
        if (done) return value;
        await pause();
      }
    });
  };
}

/** Reads a page in steps. A page of 25 rare rows may need a query for each, so 32 are made at once. */
export const readInSteps = stepReader(32);
