import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import * as apiKeys from "./operations/api-keys.js";
import * as sandboxAccounts from "./operations/sandbox-accounts.js";
import * as session from "./operations/session.js";
import { accessSearch } from "./search.js";
import { ACCOUNT, type AccountStore, API_KEY, accountStore, BOOK } from "./store.js";
import { AUDIT, REVOKED_TOKEN, USER, type UserStore, userStore } from "./user-store.js";

declare module "../tx.js" {
  interface Stores {
    readonly accounts: AccountStore;
    readonly users: UserStore;
  }
}

/** Accounts with their books, API keys, and users who log in. */
export const access = noun({
  tables: {
    accounts: ACCOUNT,
    books: { id: key, ...BOOK },
    api_keys: API_KEY,
    users: USER,
    revoked_tokens: REVOKED_TOKEN,
    audit: { seq: key, ...AUDIT },
  },
  stores: { accounts: accountStore, users: userStore },
  operations: [
    apiKeys.issueApiKey,
    apiKeys.listApiKeys,
    apiKeys.rotateApiKey,
    apiKeys.revokeApiKey,
    session.login,
    session.logout,
    sandboxAccounts.sandboxAudit,
    sandboxAccounts.sandboxAccount,
    sandboxAccounts.sandboxAccounts,
    sandboxAccounts.sandboxAccountDetails,
    sandboxAccounts.sandboxOpenAccount,
  ],
  search: [accessSearch],
});
