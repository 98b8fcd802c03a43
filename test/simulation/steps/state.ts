import { START } from "../model/settings.js";
import { emptyBook, type World } from "../model/state.js";
import { moveTo } from "../model/time.js";
import { bookAt, type Kind, keyOf, pickOf, type Run, which } from "./plan.js";

/** The clock, snapshots and the reset: steps that touch everything. */

const JUMPS = [0.001, 1, 2, 5, 7, 45, 60, 120, 599.999, 3_600, 86_400, 91 * 86_400];

async function timeOf(run: Run, key: string): Promise<number> {
  const reply = await run.host.ask({ method: "GET", path: "/_sandbox/clock", key });
  return Date.parse(reply?.body.now);
}

const advance: Kind = {
  name: "advance the clock",
  weight: 9,
  draw: (chance) => ({ seconds: chance.pick(JUMPS) }),
  plan({ seconds }, run) {
    const key = keyOf(run, bookAt(run, 0));
    return {
      ask: { method: "POST", path: "/_sandbox/clock/advance", key, body: { seconds } },
      status: 200,
      apply: (world) => moveTo(world, world.now + Number(seconds) * 1_000),
      // The clock moves in steps, each of which is stored: it can stop between two of them.
      catchUp: async (world) => moveTo(world, await timeOf(run, key)),
    };
  },
};

const save: Kind = {
  name: "save a snapshot",
  weight: 1,
  draw: (chance) => ({ name: chance.pick(["one", "two"]) }),
  plan({ name }, run) {
    const key = keyOf(run, bookAt(run, 0));
    return {
      ask: { method: "POST", path: "/_sandbox/snapshots", key, body: { name } },
      status: 201,
      apply: (world) => void run.saved.set(String(name), structuredClone(world)),
      async find() {
        // A snapshot of the same name that was there before says nothing: it is saved once more.
        const reply = await run.host.ask({ method: "POST", path: "/_sandbox/snapshots", key, body: { name } });
        return reply?.body ?? null;
      },
    };
  },
};

/** After these the books of the first account have their keys as before. */
const restore: Kind = {
  name: "restore a snapshot",
  weight: 1,
  draw: (chance) => ({ which: which(chance) }),
  plan({ which: choice }, run) {
    const [name, saved] = pickOf([...run.saved], choice) ?? [];
    if (name === undefined || saved === undefined) return null;
    const apply = (world: World) => void Object.assign(world, structuredClone(saved));
    const ask = { method: "POST", path: `/_sandbox/snapshots/${name}/restore`, key: keyOf(run, bookAt(run, 0)) };
    return { ask, status: 200, apply, replaces: true };
  },
};

const reset: Kind = {
  name: "reset",
  weight: 0.4,
  draw: () => ({}),
  plan(_params, run) {
    const first = bookAt(run, 0);
    return {
      ask: { method: "POST", path: "/_sandbox/reset", key: keyOf(run, first) },
      ...{ status: 204, replaces: true },
      apply(world) {
        const books = world.books.filter(({ account }) => account === first.account);
        const empty = books.map(({ name, account, mode }) => emptyBook(name, account, mode));
        // A reset keeps the keys of the account that the first start made. Other accounts are gone with theirs.
        const { [first.account]: kept = [], ...gone } = world.keys;
        const lost = Object.values(gone).flatMap((keys) => keys.flatMap(({ key }) => key ?? []));
        Object.assign(world, {
          now: START,
          books: empty,
          keys: { [first.account]: kept },
          dead: [...world.dead, ...lost],
        });
      },
    };
  },
};

export const STATE = [advance, save, restore, reset];
