import { z } from "zod";
import { Currency } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { fullBalance, singleBalance, WalletBalance } from "../wire.js";

/** docs/service/wallets.md#balance */
export const walletsBalance = defineOperation({
  id: "wallets.balance",
  method: "GET",
  path: "/v1/wallets/balance",
  auth: "key",
  surface: "api",
  summary: "Read the account's balances",
  description:
    "Answers for each currency what is available, what is pending until its release, and what open MED cases " +
    "retain. With `currency` it answers the flat shape for that currency alone, zeros where there is no such " +
    "wallet. It changes nothing and refuses any other parameter.",
  query: z.strictObject({
    currency: Currency.optional().meta({ description: "Answer the flat single-currency shape for this currency" }),
  }),
  success: { status: 200, description: "The balances", schema: WalletBalance },
  errors: [],
  cli: {
    command: "wallets balance",
    examples: ["qa-pay wallets balance", "qa-pay wallets balance --currency EUR --json"],
    columns: [
      { header: "Currency", path: "currency" },
      { header: "Available", path: "available", format: "money" },
      { header: "Pending", path: "pending", format: "money" },
      { header: "Retained", path: "retained", format: "money" },
      { header: "Next release", path: "next_release_at", format: "time" },
      { header: "Releases", path: "next_release_amount", format: "money" },
    ],
  },
}).read(({ caller, query }, reader) =>
  query.currency === undefined
    ? fullBalance(reader, caller.bookId)
    : singleBalance(reader, caller.bookId, query.currency),
);
