import * as z from "zod";
import { Currency, NoQuery } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { fullBalance, singleBalance, WalletBalance, WalletEntry, walletsOf } from "../resource.js";

/** docs/service/wallets.md#balance */
export const walletsBalance = defineOperation({
  id: "wallets.balance",
  route: "GET /v1/wallets/balance",
  summary: "Read the account's balances",
  description:
    "Answers for each currency what is available, what is pending until its release, and what open MED cases " +
    "retain. With `currency` it answers the flat shape for that currency alone, zeros where there is no such " +
    "wallet. It changes nothing and refuses any other parameter.",
  query: z.strictObject({
    currency: Currency.optional().describe("Answer the balance of this currency alone, in the flat form"),
  }),
  success: { status: 200, description: "The balances", schema: WalletBalance },
  cli: {
    examples: ["qa-pay wallets balance", "qa-pay wallets balance --currency EUR --json"],
    columns: "currency, available, pending, retained, next_release_at, next_release_amount as Releases",
  },
}).read(({ caller, query }, reader) =>
  query.currency === undefined
    ? fullBalance(reader, caller.bookId)
    : singleBalance(reader, caller.bookId, query.currency),
);

/** docs/service/wallets.md#list */
export const walletsList = defineOperation({
  id: "wallets.list",
  route: "GET /v1/wallets",
  summary: "List the account's wallets",
  description:
    "Lists the wallets of the key's account and mode, one for each currency, with what is available and what is " +
    "pending. The answer is a bare array. It takes no parameter and refuses any.",
  query: NoQuery,
  success: { status: 200, description: "One entry per currency", schema: z.array(WalletEntry) },
  cli: {
    columns: "currency, walletType as Type, balance, pendingBalance as Pending",
  },
}).read(({ caller }, reader) =>
  [...walletsOf(reader, caller.bookId)].map(([currency, held]) => ({
    currency,
    walletType: "OPERATIONAL",
    balance: held.available,
    pendingBalance: held.pending,
  })),
);
