import type { Loose } from "../host.js";
import type { ApiKey, Book } from "../model/state.js";
import { bookAt, type Kind, pickOf, type Run, which } from "./plan.js";

/** API keys, issued and taken back by the owner of an account. */

async function tokenOf(run: Run, { account }: Book): Promise<string | null> {
  const owner = run.owners.get(account);
  if (owner === undefined) return null;
  const reply = await run.host.ask({ method: "POST", path: "/v1/auth/login", key: null, body: owner });
  if (reply?.status !== 200) throw new Error(`the owner of ${account} cannot log in: ${reply?.text}`);
  return reply.body.token;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function keep({ keys }: Run["world"], account: string, { id, apiKey = null, label, mode }: Loose): void {
  keys[account] ??= [];
  keys[account].push({ id, key: apiKey, label, mode });
}

function kill(world: Run["world"], account: string, { id, key }: ApiKey): void {
  world.keys[account] = (world.keys[account] ?? []).filter((one) => one.id !== id);
  // A key that was issued while the server was killed was never shown.
  if (key !== null) world.dead.push(key);
}

async function byLabel(run: Run, token: string, label: string): Promise<Loose> {
  const reply = await run.host.ask({ method: "GET", path: "/v1/api-keys", key: null, headers: bearer(token) });
  return reply?.body.data.find((one: Loose) => one.label === label) ?? null;
}

const issue: Kind = {
  name: "issue a key",
  weight: 1,
  draw: (chance) => ({ book: which(chance), test: chance.happens(0.5) }),
  async plan({ book: index, test }, run) {
    const book = bookAt(run, index);
    const token = await tokenOf(run, book);
    if (token === null) return null;
    const label = `simulated ${run.next()}`;
    return {
      ask: { method: "POST", path: "/v1/api-keys", key: null, headers: bearer(token), body: { label, test } },
      ...{ book, status: 201 },
      apply: (world, answer) => keep(world, book.account, answer),
      wrong: ({ body: { mode } }) => (mode === (test === true ? "test" : "live") ? [] : [`a key of mode ${mode}`]),
      find: () => byLabel(run, token, label),
    };
  },
};

const takeBack: Kind = {
  name: "rotate or revoke a key",
  weight: 1,
  draw: (chance) => ({ book: which(chance), which: which(chance), how: chance.pick(["rotate", "revoke"]) }),
  async plan({ book: index, which: choice, how }, run) {
    const book = bookAt(run, index);
    const found = pickOf(run.world.keys[book.account] ?? [], choice);
    const token = await tokenOf(run, book);
    if (found === undefined || token === null) return null;
    const headers = bearer(token);
    const { account } = book;
    if (how === "revoke") {
      const ask = { method: "DELETE", path: `/v1/api-keys/${found.id}`, key: null, headers };
      return {
        ...{ ask, book, status: 200, apply: (world) => kill(world, account, found) },
        find: async () => ((await byLabel(run, token, String(found.label))) === null ? {} : null),
      };
    }
    const label = `simulated ${run.next()}`;
    const ask = { method: "POST", path: `/v1/api-keys/${found.id}/rotate`, key: null, headers, body: { label } };
    return {
      ...{ ask, book, status: 201 },
      apply(world, answer) {
        kill(world, account, found);
        keep(world, account, answer);
      },
      find: () => byLabel(run, token, label),
    };
  },
};

/** A key that was issued sees what the key of its book sees. */
const use: Kind = {
  name: "use an issued key",
  weight: 1,
  draw: (chance) => ({ book: which(chance), which: which(chance) }),
  plan({ book: index, which: choice }, run) {
    const book = bookAt(run, index);
    const found = pickOf(run.world.keys[book.account] ?? [], choice);
    const own = run.world.books.find(({ account, mode }) => account === book.account && mode === found?.mode);
    if (found?.key === null || found === undefined || own === undefined) return null;
    const count = own.transactions.length;
    return {
      ask: { method: "GET", path: "/v1/payments?limit=1", key: found.key },
      ...{ book: own, status: 200 },
      wrong: ({ body: { total } }) => (total === count ? [] : [`an issued key sees ${total} payments, not ${count}`]),
    };
  },
};

export const ACCESS = [issue, takeBack, use];
