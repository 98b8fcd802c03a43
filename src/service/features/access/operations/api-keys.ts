import * as z from "zod";
import { rowById } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { NoQuery, textUpTo } from "../../../../base/kernel/schemas.js";
import { type Caller, callingUser, defineOperation } from "../../operation.js";
import type { Tx } from "../../tx.js";
import { type Actor, type IssuedKeyRow, issueKey, revokeKey, rotateKey } from "../actions.js";
import { KEY_MANAGERS } from "../catalogue.js";
import { fingerprint } from "../keys.js";
import { IssuedKey, ListedKey, toListedKey } from "../resource.js";
import type { ActiveKeyRow } from "../store.js";

/**
 * API keys (docs/service/keys.md#api-keys, docs/service/keys.md#managing-keys, docs/service/keys.md#users-and-roles). A
 * user manages the keys of the user's own account, in both modes.
 */

const Label = textUpTo(64).optional().describe("A name for people, at most 64 characters");

function actorOf(caller: Caller): Actor {
  return { userId: callingUser(caller).id, accountId: caller.accountId };
}

/** A revoked key has the same answer as a key that never existed. */
function findKey(tx: Tx, { accountId }: Caller, id: string): ActiveKeyRow {
  return rowById("apiKey", id, (raw) => tx.accounts.activeKey(accountId, ID_PREFIX.apiKey + raw));
}

function toIssuedKey({ row, key }: IssuedKeyRow): z.input<typeof IssuedKey> {
  const { id, prefix, label, createdAt, mode } = toListedKey(row);
  return { id, apiKey: key, fingerprint: fingerprint(row.hash), prefix, label, createdAt, mode };
}

const issuedColumns = "id as Key, apiKey as API key (shown once), mode, label, fingerprint";

export const issueApiKey = defineOperation({
  id: "api-keys.issue",
  route: "POST /v1/api-keys",
  auth: "jwt",
  roles: KEY_MANAGERS,
  summary: "Issue an API key",
  questions: ["Issue an API key with the label {label}?", "Issue an API key?"],
  description:
    "Creates an API key of the user's account: a live one, or a test key with `test: true`. The answer shows it this " +
    "once, because only its SHA-256 is kept. Other keys go on working. It needs the role OWNER or ADMIN and leaves " +
    "an audit entry.",
  body: z.object({
    label: Label,
    test: z.boolean().optional().describe("true: a test key; otherwise a live one"),
  }),
  success: { status: 201, description: "The key in clear text, shown only once", schema: IssuedKey },
  secrets: ["apiKey"],
  cli: {
    command: "keys issue",
    examples: ["qa-pay keys issue --test --label ci", "qa-pay keys issue --label production"],
    columns: issuedColumns,
    next: "Keep the key now: only its fingerprint is stored, and nobody can show it again.",
  },
}).write(({ caller, body }, tx) =>
  toIssuedKey(issueKey(tx, actorOf(caller), body.test === true ? "test" : "live", body.label ?? null)),
);

export const listApiKeys = defineOperation({
  id: "api-keys.list",
  route: "GET /v1/api-keys",
  auth: "jwt",
  summary: "List the API keys that work",
  description:
    "Lists the keys that work, of both modes, newest first, never in clear text. `access.canManage` says whether " +
    "the user may issue, rotate and revoke. It takes no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "The keys of both modes, newest first, and whether the caller may manage them",
    schema: z.object({ data: z.array(ListedKey), access: z.object({ canManage: z.boolean() }) }),
  },
  cli: {
    command: "keys list",
    columns: "id as Key, prefix as Starts with, mode, label, createdAt",
  },
}).read(({ caller }, reader) => ({
  data: reader.accounts.activeKeys(caller.accountId).map(toListedKey),
  access: { canManage: KEY_MANAGERS.includes(callingUser(caller).role) },
}));

export const rotateApiKey = defineOperation({
  id: "api-keys.rotate",
  route: "POST /v1/api-keys/{id}/rotate",
  auth: "jwt",
  roles: KEY_MANAGERS,
  summary: "Replace an API key; the old one stops working at once",
  questions: [
    "Replace the API key {label} ({prefix}…), which stops working at once?",
    "Replace the API key {prefix}…, which stops working at once?",
  ],
  asksAbout: "/v1/api-keys",
  description:
    "Revokes a key and issues its successor in one step, so that there is no moment with both and none with " +
    "neither. The new key keeps the mode, and the label unless another one is sent. It needs the role OWNER or " +
    "ADMIN and leaves an audit entry. A key that is unknown, revoked or of another account is a 404.",
  body: z.object({ label: Label }),
  success: { status: 201, description: "The new key in clear text, shown only once", schema: IssuedKey },
  secrets: ["apiKey"],
  cli: {
    command: "keys rotate",
    columns: issuedColumns,
    next: "Replace the old key everywhere: it no longer works, and the new one is shown only now.",
  },
}).write(({ caller, params, body }, tx) =>
  toIssuedKey(rotateKey(tx, actorOf(caller), findKey(tx, caller, params.id), body.label ?? null)),
);

export const revokeApiKey = defineOperation({
  id: "api-keys.revoke",
  route: "DELETE /v1/api-keys/{id}",
  auth: "jwt",
  roles: KEY_MANAGERS,
  summary: "Revoke an API key permanently",
  questions: ["Revoke the API key {label} ({prefix}…) permanently?", "Revoke the API key {prefix}… permanently?"],
  asksAbout: "/v1/api-keys",
  description:
    "Ends a key permanently: every request with it is answered 401 from then on, also one whose body is " +
    "still arriving. It needs the role OWNER or ADMIN and leaves an audit entry. A key that is unknown, revoked or " +
    "of another account is a 404. It needs no body.",
  success: { status: 200, description: "The key no longer works", schema: z.object({ revoked: z.literal(true) }) },
  cli: { command: "keys revoke", columns: [] },
}).write(({ caller, params }, tx) => {
  revokeKey(tx, actorOf(caller), findKey(tx, caller, params.id));
  return { revoked: true as const };
});
