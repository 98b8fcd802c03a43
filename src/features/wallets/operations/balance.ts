import { z } from "zod";
import { Currency } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { fullBalance, singleBalance, WalletBalance } from "../wire.js";

/** Contract, section 4.5. */
export const walletsBalance = defineOperation({
  id: "wallets.balance",
  method: "GET",
  path: "/v1/wallets/balance",
  auth: "key",
  surface: "api",
  summary: "Read the account's balances",
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
