import type { UnitOfWork } from "./db/unit-of-work.js";
import type { EmulatorOptions, EmulatorUser, Forward } from "./emulator.js";
import {
  addUsers,
  hashPasswords,
  importKey,
  type NewUser,
  newAccount,
  openAccount,
  usersFor,
} from "./features/access/actions.js";
import { hashKey } from "./features/access/keys.js";
import type { Mode } from "./features/access/store.js";
import type { Tx } from "./features/tx.js";
import { changeEndpoint, changeSigningSecret, registerEndpoint } from "./features/webhooks/actions.js";
import { EVENT_NAMES } from "./features/webhooks/catalogue.js";
import { checkWebhookUrl } from "./features/webhooks/rules.js";
import { ID_PREFIX } from "./kernel/ids.js";
import type { Log, Random } from "./kernel/runtime.js";

/** What a start finds in its database or makes there: the first account, its keys and users, the forward target. */

/** Keys, account, users and forward endpoint of this start. */
export interface Opened {
  readonly accountId: string;
  readonly signingSecret: string;
  readonly testKey: string | null;
  readonly liveKey: string | null;
  readonly forward: Forward | null;
  readonly users: readonly EmulatorUser[];
  /** Those of them who are still to be stored. */
  readonly newUsers: readonly NewUser[];
}

export function openForward(tx: Tx, accountId: string, options: EmulatorOptions): Forward | null {
  const book = tx.accounts.book(accountId, "test");
  if (book === null) throw new Error(`account ${accountId} has no test book`);
  const known = tx.webhooks.forwardEndpoint(book.id);
  if (options.forwardTo === undefined) {
    // The target of an earlier start is gone with it: its events are not to pile up.
    if (known !== null) changeEndpoint(tx, known, { status: "INACTIVE" });
    return null;
  }
  const url = checkWebhookUrl("--forward-to", options.forwardTo, tx.settings.strictHttps);
  const events = options.forwardEvents ?? EVENT_NAMES;
  const endpoint =
    known === null
      ? registerEndpoint(tx, book.id, { url, events, origin: "forward" })
      : changeEndpoint(tx, known, { url, events, status: "ACTIVE" });
  return { endpointId: ID_PREFIX.endpoint + endpoint.id, url, secret: endpoint.secret };
}

/** An account that has no users yet gets them: a new one, or one of a database from before there were any. */
function openUsers(tx: Tx, firstId: string): Pick<Opened, "users" | "newUsers"> {
  const without = tx.accounts.all().filter(({ id }) => !tx.users.hasAny(id));
  const newUsers = without.flatMap((account) => usersFor(account, account.id === firstId, tx.random));
  const known = tx.users.ofAccount(firstId).map(({ email, role }) => ({ email, password: null, role }));
  const made = newUsers.map(({ email, password, role }) => ({ email, password, role }));
  return { users: [...known, ...made], newUsers };
}

/** The given key as it is to be shown; null when none was given, or one that works no more. */
function importGiven(tx: Tx, accountId: string, mode: Mode, key: string | undefined, log: Log): string | null {
  if (key === undefined || importKey(tx, accountId, mode, key)) return key ?? null;
  log.warn(`the key of --${mode}-key was revoked in this database, which is for good; choose another`);
  return null;
}

export function openAccounts(tx: Tx, options: EmulatorOptions, log: Log): Opened {
  const known = tx.accounts.first();
  const given = { test: options.testKey, live: options.liveKey, signing: options.webhookSecret };
  if (known === null) {
    const made = openAccount(tx, newAccount("QA Pay Loja de Teste", tx, given), given);
    const forward = openForward(tx, made.account.id, options);
    const { testKey, liveKey } = made;
    const { id: accountId, signing_secret: signingSecret } = made.account;
    return { accountId, signingSecret, testKey, liveKey, forward, ...openUsers(tx, accountId) };
  }
  const signingSecret = given.signing ?? known.signing_secret;
  changeSigningSecret(tx, known.id, signingSecret);
  return {
    accountId: known.id,
    signingSecret,
    testKey: importGiven(tx, known.id, "test", given.test, log),
    liveKey: importGiven(tx, known.id, "live", given.live, log),
    forward: openForward(tx, known.id, options),
    ...openUsers(tx, known.id),
  };
}

/**
 * What applications were told at this start must hold whatever the database holds next: its keys, and the secret that
 * signs what they receive. Answers what puts them into the contents that come, as the next start would.
 */
export function carryOver(tx: Tx, opened: Opened, options: EmulatorOptions, log: Log): (next: Tx) => void {
  const secret = tx.accounts.first()?.signing_secret;
  return (next) => {
    const account = next.accounts.first();
    if (account === null) throw new Error("there is no account in what the database holds now");
    for (const mode of ["test", "live"] as const) {
      const key = mode === "test" ? opened.testKey : opened.liveKey;
      // A key that another of its accounts has opens that one.
      if (key !== null && next.accounts.ownerOf(hashKey(key)) === null) {
        importGiven(next, account.id, mode, key, log);
      }
    }
    if (secret !== undefined) changeSigningSecret(next, account.id, secret);
    openForward(next, account.id, options);
  };
}

/**
 * Hashes and stores the users of this start, once, when it is first asked for. Passwords are made to be slow to hash,
 * so a start does not wait for them: whoever logs in before they are there does.
 */
export function createUserKeeper(
  { uow, random, log }: { readonly uow: UnitOfWork<Tx>; readonly random: Random; readonly log: Log },
  users: readonly NewUser[],
): () => Promise<void> {
  let stored: Promise<void> | null = users.length === 0 ? Promise.resolve() : null;
  async function store(): Promise<void> {
    try {
      const hashed = await hashPasswords(users, random);
      await uow.write((tx) => addUsers(tx, hashed));
    } catch (error) {
      log.error("the users could not be stored; the next start makes others", error);
    }
  }
  return () => {
    stored ??= store();
    return stored;
  };
}
