import * as z from "zod";
import { CONSOLE } from "../../../../base/kernel/cause.js";
import { USER_ROLES } from "../../../../base/kernel/contract.js";
import { cursorError, cursorPage, PAGE_QUERY, page } from "../../../../base/kernel/cursor-page.js";
import { IsoInstant, Words } from "../../../../base/kernel/schemas.js";
import { iso } from "../../../../base/kernel/time.js";
import { defineOperation } from "../../operation.js";
import type { NewAccount, NewUser } from "../actions.js";
import { AUDIT_ACTIONS } from "../catalogue.js";
import { AccountDetails, AccountSummary, AuditRecord, toAuditRecord } from "../resource.js";

/** The account of the caller, and further accounts. */

const OwnAccount = z.object({
  id: z.string(),
  name: z.string(),
  signing_secret: z.string(),
  api_key: z
    .string()
    .nullable()
    .optional()
    .describe("For the console alone: a key of its book that this start made or received, or null"),
});

/** The emulator's own work on accounts: it hashes passwords separately, and its request log knows the uses of a key. */
export interface AccountControls {
  /** An account with its users and keys. Throws `not_found`. */
  account(id: string): z.input<typeof AccountDetails>;
  /** An account that must exist. */
  ownAccount(id: string): Readonly<Record<"id" | "name" | "signing_secret", string>>;
  /** A working key of a book that this process knows in clear text; null when it knows none. */
  keyOf(bookId: number): string | null;
  openAccount(name: string): Promise<{ readonly opened: NewAccount; readonly users: readonly NewUser[] }>;
}

export const sandboxAccount = defineOperation({
  id: "sandbox.account",
  route: "GET /_sandbox/account",
  summary: "Read the caller's account with its signing secret",
  description:
    "Answers the account of the key with the secret that signs what goes to the `webhookUrl` of a payment. The console, " +
    "which has no key, also gets one of its book when this start made or received it. It changes nothing.",
  success: { status: 200, description: "The account", schema: OwnAccount },
  secrets: ["signing_secret", "api_key"],
  cli: {
    columns: "id as Account, name, signing_secret",
  },
}).control(({ caller, cause }, controls: AccountControls) => {
  const { id, name, signing_secret } = controls.ownAccount(caller.accountId);
  const account = { id, name, signing_secret };
  return cause.command === CONSOLE ? { ...account, api_key: controls.keyOf(caller.bookId) } : account;
});

export const sandboxAccounts = defineOperation({
  id: "sandbox.accounts.list",
  route: "GET /_sandbox/accounts",
  summary: "List the accounts of the emulator",
  description:
    "Lists every account of the emulator, newest first, with how many API keys of each mode work. Keys and secrets " +
    "are not shown. An unknown parameter and a bad value are refused.",
  query: z.strictObject(PAGE_QUERY),
  success: { status: 200, description: "Newest first", schema: page(AccountSummary) },
  cli: {
    columns: "id as Account, name, modes.0.keys as Test keys, modes.1.keys as Live keys, created_at",
  },
}).read(({ query }, reader) => {
  const { limit, after } = query;
  if (after !== undefined && reader.accounts.byId(after) === null) throw cursorError();
  const rows = reader.accounts.list({ before: after }, limit + 1);
  return cursorPage(rows, limit, (row) => ({
    id: row.id,
    name: row.name,
    modes: [
      { mode: "test" as const, keys: row.test_keys },
      { mode: "live" as const, keys: row.live_keys },
    ],
    created_at: iso(row.created_at),
  }));
});

export const sandboxAccountDetails = defineOperation({
  id: "sandbox.accounts.get",
  route: "GET /_sandbox/accounts/{id}",
  summary: "Show an account with its users and keys",
  description:
    "Answers any account of the emulator with its users and its 200 newest API keys of both modes, revoked ones included. " +
    "A key is shown by its fingerprint, never in clear text. It changes nothing.",
  success: { status: 200, description: "The account", schema: AccountDetails },
  cli: {
    columns: [
      "id as Account, name, modes.0.keys as Test keys, modes.1.keys as Live keys, users.0.email as Owner",
      "created_at",
    ],
    below: {
      rows: "keys",
      columns: "id as Key, fingerprint, mode, label, created_at, revoked_at, last_used_at",
    },
  },
}).control(({ params }, controls: AccountControls) => controls.account(params.id));

export const sandboxOpenAccount = defineOperation({
  id: "sandbox.accounts.create",
  route: "POST /_sandbox/accounts",
  summary: "Open another account with keys and users of its own",
  description:
    "Opens a second account, to test that the data of one does not reach the other: with a test key, a live key, " +
    "three users and a secret of its own, shown only once. A reset removes it.",
  body: z.object({
    name: Words.max(100, "must have at most 100 characters").describe("Name of the account"),
  }),
  success: {
    status: 201,
    description: "The account; its keys and passwords are shown once",
    schema: z.object({
      id: z.string(),
      name: z.string(),
      test_key: z.string(),
      live_key: z.string(),
      users: z.array(z.object({ email: z.string(), password: z.string(), role: z.enum(USER_ROLES) })),
      signing_secret: z.string(),
      created_at: IsoInstant,
    }),
  },
  secrets: ["test_key", "live_key", "signing_secret", "password"],
  cli: {
    examples: ["qa-pay sandbox accounts create --name 'Second Shop'"],
    columns: [
      "id as Account, name, test_key, live_key, signing_secret",
      // Shown only here: the database stores hashes.
      ...[0, 1, 2].map((index) => `users.${index}.email as User ${index + 1}, users.${index}.password`),
    ],
  },
}).control(async ({ body }, controls: AccountControls) => {
  const { opened, users } = await controls.openAccount(body.name);
  const { account, testKey, liveKey } = opened;
  return {
    id: account.id,
    name: account.name,
    test_key: testKey,
    live_key: liveKey,
    users: users.map(({ email, password, role }) => ({ email, password, role })),
    signing_secret: account.signing_secret,
    created_at: iso(account.created_at),
  };
});

/** The audit log: every change of the API keys of the account, in both modes (docs/service/keys.md#audit). */
export const sandboxAudit = defineOperation({
  id: "sandbox.audit",
  route: "GET /_sandbox/audit",
  summary: "List what users did to the API keys of the account",
  description:
    "Lists who issued, rotated and revoked API keys of the account, newest first. Keys are listed by id and " +
    "fingerprint. An unknown parameter and a bad value are refused.",
  query: z.strictObject({
    ...PAGE_QUERY,
    action: z.enum(AUDIT_ACTIONS).optional(),
  }),
  success: { status: 200, description: "Newest first", schema: page(AuditRecord) },
  cli: {
    examples: ["qa-pay sandbox audit", "qa-pay sandbox audit --action api_key.revoked --json"],
    columns: "created_at as At, action, user_id as User, key_id as Key, fingerprint",
  },
}).read(({ caller, query }, reader) => {
  const { accountId } = caller;
  const last = query.after === undefined ? undefined : reader.users.auditById(accountId, query.after);
  if (last === null) throw cursorError();
  const filters = { account: accountId, before: last?.seq, action: query.action };
  const rows = reader.users.auditList(filters, query.limit + 1);
  return cursorPage(rows, query.limit, toAuditRecord);
});
