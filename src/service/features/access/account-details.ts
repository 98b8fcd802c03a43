import type { z } from "zod";
import { notFound } from "../../../base/kernel/errors.js";
import { iso, isoOrNull } from "../../../base/kernel/time.js";
import type { RequestLog } from "../requests/request-log.js";
import type { Reader } from "../tx.js";
import { MODES, type Mode } from "./catalogue.js";
import { fingerprint } from "./keys.js";
import { type AccountDetails, toUser } from "./resource.js";
import type { ApiKeyRow } from "./store.js";

function lastUse({ book_id: bookId, hash }: ApiKeyRow, requests: Pick<RequestLog, "search">): string | null {
  const print = fingerprint(hash);
  const matches = (entry: { readonly fingerprint: string | null }) => entry.fingerprint === print;
  return requests.search({ bookId, limit: 1, after: undefined, matches }).data[0]?.at ?? null;
}

/** Throws `not_found` for an id that no account has. */
export function accountDetails(
  reader: Reader,
  requests: Pick<RequestLog, "search">,
  id: string,
): z.input<typeof AccountDetails> {
  const account = reader.accounts.byId(id);
  if (account === null) throw notFound("account", id);
  const countWorking = (mode: Mode) => reader.accounts.activeKeys(id).filter((key) => key.mode === mode).length;
  return {
    id,
    name: account.name,
    modes: MODES.map((mode) => ({ mode, keys: countWorking(mode) })),
    users: reader.users.ofAccount(id).map((user) => ({ ...toUser(user), created_at: iso(user.created_at) })),
    keys: reader.accounts.latestKeys(id).map((key) => ({
      id: key.id,
      fingerprint: fingerprint(key.hash),
      prefix: key.prefix,
      label: key.label ?? "",
      mode: key.mode,
      created_at: iso(key.created_at),
      revoked_at: isoOrNull(key.revoked_at),
      last_used_at: lastUse(key, requests),
    })),
    created_at: iso(account.created_at),
  };
}
