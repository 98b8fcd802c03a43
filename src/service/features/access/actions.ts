import { USER_ROLES, type UserRole } from "../../../base/kernel/contract.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Random } from "../../../base/kernel/runtime.js";
import type { ServiceSettings } from "../service-settings.js";
import type { Tx } from "../tx.js";
import type { AuditAction } from "./catalogue.js";
import { MODES, type Mode } from "./catalogue.js";
import { fingerprint, hashKey, newKey } from "./keys.js";
import { hashPassword, newPassword } from "./passwords.js";
import type { AccountRow, ActiveKeyRow } from "./store.js";

/** The first secrets of an account. Omitted ones are created. */
export interface OwnSecrets {
  readonly test?: string | null | undefined;
  readonly live?: string | null | undefined;
  readonly signing?: string | null | undefined;
}

export function newAccount(
  name: string,
  { ids, random, now }: Pick<Tx, "ids" | "random" | "now">,
  given: OwnSecrets = {},
): AccountRow {
  return {
    id: `${ID_PREFIX.account}${ids.next()}`,
    name,
    city: "SAO PAULO",
    pix_key: ids.next(),
    signing_secret: given.signing ?? random.hex(32),
    created_at: now,
  };
}

export type NewAccount = ReturnType<typeof openAccount>;

/** Stores an account with its two books and one API key for each. The keys are in clear text, shown once and never stored. */
export function openAccount(tx: Tx, account: AccountRow, given: OwnSecrets = {}) {
  tx.accounts.insert(account);
  for (const mode of MODES) tx.accounts.insertBook({ account_id: account.id, mode });
  const testKey = given.test ?? newKey("test", tx.random);
  const liveKey = given.live ?? newKey("live", tx.random);
  importKey(tx, account.id, "test", testKey);
  importKey(tx, account.id, "live", liveKey);
  return { account, testKey, liveKey };
}

/**
 * Makes `key` valid for the account's book of that mode. A key that is already valid there stays as it is. Returns
 * false for a key that was revoked: it can never be valid again.
 */
export function importKey(tx: Tx, accountId: string, mode: Mode, key: string): boolean {
  const owner = tx.accounts.ownerOf(hashKey(key));
  if (owner !== null) {
    if (owner.account_id === accountId && owner.mode === mode) return true;
    throw new Error("that API key belongs to another account of this database");
  }
  if (tx.accounts.hasHad(hashKey(key))) return false;
  addKey(tx, { accountId, mode, key, label: null });
  return true;
}

interface NewKey {
  readonly accountId: string;
  readonly mode: Mode;
  readonly key: string;
  readonly label: string | null;
}

function addKey(tx: Tx, { accountId, mode, key, label }: NewKey): ActiveKeyRow {
  const book = tx.accounts.book(accountId, mode);
  if (book === null) throw new Error(`account ${accountId} has no ${mode} book`);
  const row = {
    id: ID_PREFIX.apiKey + tx.ids.next(),
    book_id: book.id,
    hash: hashKey(key),
    prefix: key.slice(0, 12),
    label,
    created_at: tx.now,
    revoked_at: null,
  };
  tx.accounts.insertKey(row);
  return { ...row, mode };
}

export interface Actor {
  readonly userId: string;
  readonly accountId: string;
}

/** A key in clear text, which is shown once and never stored, with its row. */
export type IssuedKeyRow = ReturnType<typeof issueKey>;

function record(tx: Tx, actor: Actor, action: AuditAction, key: ActiveKeyRow): void {
  tx.users.insertAudit({
    id: ID_PREFIX.audit + tx.ids.next(),
    account_id: actor.accountId,
    action,
    user_id: actor.userId,
    key_id: key.id,
    fingerprint: fingerprint(key.hash),
    created_at: tx.now,
  });
}

export function issueKey(tx: Tx, actor: Actor, mode: Mode, label: string | null) {
  const key = newKey(mode, tx.random);
  const row = addKey(tx, { accountId: actor.accountId, mode, key, label });
  record(tx, actor, "api_key.issued", row);
  return { row, key };
}

/** Replaces a key by a new one in one unit of work: at no moment do both keys work, or neither. */
export function rotateKey(tx: Tx, actor: Actor, old: ActiveKeyRow, label: string | null): IssuedKeyRow {
  tx.accounts.revokeKey(tx.now, old.id);
  const key = newKey(old.mode, tx.random);
  const row = addKey(tx, { accountId: actor.accountId, mode: old.mode, key, label: label ?? old.label });
  record(tx, actor, "api_key.rotated", row);
  return { row, key };
}

export function revokeKey(tx: Tx, actor: Actor, key: ActiveKeyRow): void {
  tx.accounts.revokeKey(tx.now, key.id);
  record(tx, actor, "api_key.revoked", key);
}

/** A user who is not stored yet, with the password in clear text: only its hash is stored. */
export interface NewUser {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly password: string;
}

const NAMES: Readonly<Record<UserRole, string>> = { OWNER: "Olívia Prado", ADMIN: "André Luz", MEMBER: "Marina Reis" };

/**
 * Returns the e-mail domain of an account: `outra-loja-9c4f2a1b.test` for the account acc_…9c4f2a1b with the name
 * `Outra Loja`, and qa-pay.test for the account of the first start.
 */
function domainOf({ id, name }: AccountRow, isFirst: boolean): string {
  if (isFirst) return "qa-pay.test";
  const plain = name.normalize("NFD").toLowerCase();
  const words = plain.replace(/\p{M}+/gu, "").match(/[a-z0-9]+/g) ?? [];
  return `${[...words, id.slice(-8)].join("-").slice(-40).replace(/^-+/, "")}.test`;
}

/** Returns one user of each role, as in every account. */
export function usersFor(account: AccountRow, isFirst: boolean, random: Random): NewUser[] {
  return USER_ROLES.map((role) => ({
    accountId: account.id,
    email: `${role.toLowerCase()}@${domainOf(account, isFirst)}`,
    name: NAMES[role],
    role,
    password: newPassword(random),
  }));
}

export interface HashedUser extends NewUser {
  readonly hash: string;
}

/** Hashes all passwords at once, in the thread pool: a hash is slow on purpose. */
export function hashPasswords(
  users: readonly NewUser[],
  random: Random,
  { passwordCost }: Pick<ServiceSettings, "passwordCost">,
): Promise<HashedUser[]> {
  return Promise.all(
    users.map(async (user) => ({ ...user, hash: await hashPassword(user.password, random, passwordCost) })),
  );
}

/** Stores users, except those whose account has been removed. */
export function addUsers(tx: Tx, users: readonly HashedUser[]): void {
  for (const { accountId, email, name, role, hash } of users) {
    if (tx.accounts.byId(accountId) === null) continue;
    tx.users.insert({
      id: ID_PREFIX.user + tx.ids.next(),
      account_id: accountId,
      email,
      name,
      role,
      password_hash: hash,
      created_at: tx.now,
    });
  }
}
