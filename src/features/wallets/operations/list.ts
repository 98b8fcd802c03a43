import { z } from "zod";
import { NoQuery } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { WalletEntry, walletsOf } from "../wire.js";

/** docs/service/wallets.md#list */
export const walletsList = defineOperation({
  id: "wallets.list",
  method: "GET",
  path: "/v1/wallets",
  auth: "key",
  surface: "api",
  summary: "List the account's wallets",
  description:
    "Lists the wallets of the key's account and mode, one for each currency, with what is available and what is " +
    "pending. The answer is a bare array. It takes no parameter and refuses any.",
  query: NoQuery,
  success: { status: 200, description: "One entry per currency", schema: z.array(WalletEntry) },
  errors: [],
  cli: {
    command: "wallets list",
    examples: ["qa-pay wallets list"],
    rows: "",
    columns: [
      { header: "Currency", path: "currency" },
      { header: "Type", path: "walletType" },
      { header: "Balance", path: "balance", format: "money" },
      { header: "Pending", path: "pendingBalance", format: "money" },
    ],
  },
}).read(({ caller }, reader) =>
  [...walletsOf(reader, caller.bookId)].map(([currency, held]) => ({
    currency,
    walletType: "OPERATIONAL",
    balance: held.available,
    pendingBalance: held.pending,
  })),
);
