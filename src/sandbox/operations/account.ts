import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { USER_ROLES } from "../../kernel/contract.js";
import { fieldError } from "../../kernel/errors.js";
import { IdParam, IsoInstant, page, queryInteger, Words } from "../../kernel/schemas.js";
import { iso } from "../../kernel/time.js";

/** The emulator, the account of the caller, and further accounts. */

export const sandboxRoot = defineOperation({
  id: "sandbox.show",
  method: "GET",
  path: "/_sandbox",
  auth: "key",
  surface: "sandbox",
  summary: "Tell that this is the emulator",
  description:
    "Tells that this is the emulator and no real service, its version, the emulated time and the mode of the key. " +
    "The command line asks this before it sends the request of a simulator.",
  success: {
    status: 200,
    description: "The emulator, its version and clock, and the mode of the key",
    schema: z.object({
      emulator: z.literal("qa-pay"),
      version: z.string(),
      now: IsoInstant,
      mode: z.enum(["test", "live"]),
    }),
  },
  errors: [],
}).control(({ caller }, controls) => ({
  emulator: "qa-pay" as const,
  version: controls.version,
  now: controls.clock.show().now,
  mode: caller.mode,
}));

const Account = z.object({ id: z.string(), name: z.string(), signing_secret: z.string() });

export const sandboxAccount = defineOperation({
  id: "sandbox.account",
  method: "GET",
  path: "/_sandbox/account",
  auth: "key",
  surface: "sandbox",
  summary: "Read the caller's account with its signing secret",
  description:
    "Answers the account of the key with the secret that signs what goes to the `webhookUrl` of a payment. It " +
    "changes nothing.",
  success: { status: 200, description: "The account", schema: Account },
  errors: [],
  secrets: ["signing_secret"],
  cli: {
    command: "sandbox account",
    examples: ["qa-pay sandbox account"],
    columns: [
      { header: "Account", path: "id" },
      { header: "Name", path: "name" },
      { header: "Signing secret", path: "signing_secret" },
    ],
  },
}).read(({ caller }, reader) => {
  const account = reader.accounts.byId(caller.accountId);
  if (account === null) throw new Error(`account ${caller.accountId} is gone`);
  return { id: account.id, name: account.name, signing_secret: account.signing_secret };
});

const AccountSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    modes: z.array(
      z.object({ mode: z.enum(["test", "live"]), keys: z.int().meta({ description: "API keys that work" }) }),
    ),
    created_at: IsoInstant,
  })
  .meta({ id: "AccountSummary" });

export const sandboxAccounts = defineOperation({
  id: "sandbox.accounts.list",
  method: "GET",
  path: "/_sandbox/accounts",
  auth: "key",
  surface: "sandbox",
  summary: "List the accounts of the emulator",
  description:
    "Lists every account of the emulator, newest first, with how many API keys of each mode work. Keys and secrets " +
    "are not shown. An unknown parameter and a bad value are refused.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
  }),
  success: { status: 200, description: "Newest first", schema: page(AccountSummary) },
  errors: [],
  cli: {
    command: "sandbox accounts list",
    examples: ["qa-pay sandbox accounts list"],
    rows: "data",
    columns: [
      { header: "Account", path: "id" },
      { header: "Name", path: "name" },
      { header: "Test keys", path: "modes.0.keys" },
      { header: "Live keys", path: "modes.1.keys" },
      { header: "Created", path: "created_at", format: "time" },
    ],
  },
}).read(({ query }, reader) => {
  const { limit, after } = query;
  if (after !== undefined && reader.accounts.byId(after) === null) {
    throw fieldError("after", "must be the next_cursor of a page before");
  }
  const rows = reader.accounts.search({ before: after }, limit + 1);
  const data = rows.slice(0, limit).map((row) => ({
    id: row.id,
    name: row.name,
    modes: [
      { mode: "test" as const, keys: row.test_keys },
      { mode: "live" as const, keys: row.live_keys },
    ],
    created_at: iso(row.created_at),
  }));
  const more = rows.length > limit;
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});

const AccountDetails = AccountSummary.extend({
  users: z.array(
    z.object({ id: z.string(), email: z.string(), name: z.string(), role: z.enum(USER_ROLES), created_at: IsoInstant }),
  ),
  keys: z.array(
    z
      .object({
        id: z.string(),
        fingerprint: z.string().meta({ description: "The first 16 hex digits of its SHA-256" }),
        prefix: z.string().meta({ description: "The first 12 characters" }),
        label: z.string().meta({ description: "Empty when the key was given none" }),
        mode: z.enum(["test", "live"]),
        created_at: IsoInstant,
        revoked_at: IsoInstant.nullable(),
        last_used_at: IsoInstant.nullable().meta({
          description: "Its latest request in the log, which keeps the latest only",
        }),
      })
      .meta({ id: "AccountKey" }),
  ),
}).meta({ id: "AccountDetails" });

export const sandboxAccountDetails = defineOperation({
  id: "sandbox.accounts.get",
  method: "GET",
  path: "/_sandbox/accounts/{id}",
  auth: "key",
  surface: "sandbox",
  summary: "Show an account with its users and keys",
  description:
    "Answers any account of the emulator with its users and its 200 newest API keys of both modes, revoked ones included. " +
    "A key is shown by its fingerprint, never in clear text. It changes nothing.",
  params: IdParam,
  success: { status: 200, description: "The account", schema: AccountDetails },
  errors: [],
  cli: {
    command: "sandbox accounts get",
    examples: ["qa-pay sandbox accounts get acc_0198…"],
    columns: [
      { header: "Account", path: "id" },
      { header: "Name", path: "name" },
      { header: "Test keys", path: "modes.0.keys" },
      { header: "Live keys", path: "modes.1.keys" },
      { header: "Owner", path: "users.0.email" },
      { header: "Created", path: "created_at", format: "time" },
    ],
    below: {
      rows: "keys",
      columns: [
        { header: "Key", path: "id" },
        { header: "Fingerprint", path: "fingerprint" },
        { header: "Mode", path: "mode" },
        { header: "Label", path: "label" },
        { header: "Created", path: "created_at", format: "time" },
        { header: "Revoked", path: "revoked_at", format: "time" },
        { header: "Last used", path: "last_used_at", format: "time" },
      ],
    },
  },
}).control(({ params }, controls) => controls.account(params.id));

export const sandboxOpenAccount = defineOperation({
  id: "sandbox.accounts.create",
  method: "POST",
  path: "/_sandbox/accounts",
  auth: "key",
  surface: "sandbox",
  summary: "Open another account with keys and users of its own",
  description:
    "Opens a second account, to test that the data of one does not reach the other: with a test key, a live key, " +
    "three users and a secret of its own, shown this once. A reset removes it.",
  body: z.object({ name: Words.max(100, "must have at most 100 characters") }),
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
  errors: [],
  secrets: ["test_key", "live_key", "signing_secret", "password"],
  cli: {
    command: "sandbox accounts create",
    examples: ["qa-pay sandbox accounts create --name 'Second Shop'"],
    columns: [
      { header: "Account", path: "id" },
      { header: "Name", path: "name" },
      { header: "Test key", path: "test_key" },
      { header: "Live key", path: "live_key" },
      { header: "Signing secret", path: "signing_secret" },
      // Shown only here: the database stores hashes.
      ...[0, 1, 2].flatMap((index) => [
        { header: `User ${index + 1}`, path: `users.${index}.email` },
        { header: "Password", path: `users.${index}.password` },
      ]),
    ],
  },
}).control(async ({ body }, controls) => {
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

export const sandboxReset = defineOperation({
  id: "sandbox.reset",
  method: "POST",
  path: "/_sandbox/reset",
  auth: "key",
  surface: "sandbox",
  summary: "Forget everything but the first account and its keys",
  description:
    "Goes back to the state after the first start: charges, money, events, other accounts and what is due are gone, " +
    "the clock is real time again (or frozen, where the server was started so). The first account keeps its keys, " +
    "its users and its forward target. It needs no body.",
  success: { status: 204, description: "As after the first start", schema: z.undefined() },
  errors: [],
  cli: {
    command: "sandbox reset",
    examples: ["qa-pay sandbox reset", "qa-pay sandbox reset --yes"],
    columns: [],
    confirms: "Charges, money, events and other accounts on this server are lost.",
  },
}).control((_, controls) => controls.reset().then(() => undefined));
