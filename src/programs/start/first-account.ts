import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { Log } from "../../base/kernel/runtime.js";
import { checkWebhookUrl } from "../../base/kernel/webhook-url.js";
import { importKey, newAccount, openAccount, usersFor } from "../../service/features/access/actions.js";
import { MODES, type Mode } from "../../service/features/access/catalogue.js";
import { hashKey } from "../../service/features/access/keys.js";
import type { Tx } from "../../service/features/tx.js";
import { changeEndpoint, changeSigningSecret, registerEndpoint } from "../../service/features/webhooks/actions.js";
import { EVENT_NAMES } from "../../service/features/webhooks/catalogue.js";
import type { EmulatorUser, Forward } from "./start-facts.js";

/** Creates the forward target of this start, or switches off the target of an earlier start. */
export function setForward(tx: Tx, accountId: string): Forward | null {
  const book = tx.accounts.book(accountId, "test");
  if (book === null) throw new Error(`account ${accountId} has no test book`);
  const earlier = tx.webhooks.forwardEndpoint(book.id);
  const { forwardTo, events } = tx.settings;
  if (forwardTo === null) {
    // The target of an earlier start is not used any more. Its deliveries would pile up if it stayed active.
    if (earlier !== null) changeEndpoint(tx, earlier, { status: "INACTIVE" });
    return null;
  }
  const url = checkWebhookUrl("--forward-to", forwardTo, tx.settings);
  const target = { url, events: events ?? EVENT_NAMES };
  const endpoint =
    earlier === null
      ? registerEndpoint(tx, book.id, { ...target, origin: "forward" })
      : changeEndpoint(tx, earlier, { ...target, status: "ACTIVE" });
  return { endpointId: ID_PREFIX.endpoint + endpoint.id, url, secret: endpoint.secret };
}

/** The users of the first account, and new users for every account that has none: new accounts, and old databases. */
function usersAtStart(tx: Tx, firstId: string) {
  const without = tx.accounts.all().filter(({ id }) => !tx.users.hasAny(id));
  const newUsers = without.flatMap((account) => usersFor(account, account.id === firstId, tx.random));
  const existing = tx.users.ofAccount(firstId).map(({ email, role }) => ({ email, password: null, role }));
  const users: EmulatorUser[] = [
    ...existing,
    ...newUsers.map(({ email, password, role }) => ({ email, password, role })),
  ];
  return { users, newUsers };
}

interface ImportedKey {
  readonly accountId: string;
  readonly mode: Mode;
  readonly key: string | null;
}

/** Imports the passed key and returns it. Returns null when there is none, or when the key was revoked. */
function importOwnKey(tx: Tx, { accountId, mode, key }: ImportedKey, log: Log): string | null {
  if (key === null || importKey(tx, accountId, mode, key)) return key;
  log.warn(`the key of --${mode}-key was revoked in this database, which is permanent; choose another`);
  return null;
}

export type FirstAccount = ReturnType<typeof findFirstAccount>;

/** Finds or creates the first account in the first unit of a start. `newUsers` are those of `users` not stored yet. */
export function findFirstAccount(tx: Tx, log: Log) {
  const account = tx.accounts.first();
  const { testKey: test, liveKey: live, webhookSecret: signing } = tx.settings;
  const given = { test, live, signing };
  if (account === null) {
    const made = openAccount(tx, newAccount("QA Pay Loja de Teste", tx, given), given);
    const forward = setForward(tx, made.account.id);
    const { testKey, liveKey } = made;
    const { id: accountId, signing_secret: signingSecret } = made.account;
    return { accountId, signingSecret, testKey, liveKey, forward, ...usersAtStart(tx, accountId) };
  }
  const signingSecret = given.signing ?? account.signing_secret;
  changeSigningSecret(tx, account.id, signingSecret);
  return {
    accountId: account.id,
    signingSecret,
    testKey: importOwnKey(tx, { accountId: account.id, mode: "test", key: given.test }, log),
    liveKey: importOwnKey(tx, { accountId: account.id, mode: "live", key: given.live }, log),
    forward: setForward(tx, account.id),
    ...usersAtStart(tx, account.id),
  };
}

/**
 * The keys and the signing secret that this start has shown must work after a snapshot is restored, too. Call it before
 * the contents are replaced; it returns a function that writes keys and secret into the restored contents.
 */
export function carryOver(tx: Tx, firstAccount: FirstAccount, log: Log): (restored: Tx) => void {
  const secret = tx.accounts.first()?.signing_secret;
  return (restored) => {
    const account = restored.accounts.first();
    if (account === null) throw new Error("the restored database has no account");
    for (const mode of MODES) {
      const key = mode === "test" ? firstAccount.testKey : firstAccount.liveKey;
      // A key that the restored database knows keeps the account that it has there.
      if (key !== null && restored.accounts.ownerOf(hashKey(key)) === null) {
        importOwnKey(restored, { accountId: account.id, mode, key }, log);
      }
    }
    if (secret !== undefined) changeSigningSecret(restored, account.id, secret);
    setForward(restored, account.id);
  };
}
