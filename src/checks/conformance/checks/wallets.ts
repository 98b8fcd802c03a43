import { formatCount } from "../../../base/kernel/format-count.js";
import { isJsonObject } from "../../../base/kernel/json.js";
import { pick } from "../../../base/kernel/pick.js";
import { field, listIn, steadily, valueText } from "../answer.js";
import { asWarning, checks } from "../check.js";
import * as expect from "../expect.js";

/** Balances and their two forms. */

const BALANCE = "/v1/wallets/balance";
const SINGLE_ABSENT = ["total", "retained", "balances", "primary"];

export const WALLETS = checks([], {
  async "balance-shape"(host) {
    const seen = await expect.expectServed(host, `GET ${BALANCE}`);
    const missing = SINGLE_ABSENT.find((name) => field(seen, name) === undefined);
    expect.that(missing === undefined, `The balance has ${SINGLE_ABSENT.join(", ")}.`, `it has no ${missing}`, seen);
    return `${Object.keys(isJsonObject(seen.json) ? seen.json : {}).length} fields as in the schema`;
  },
  async "balance-sums"(host) {
    const seen = await host.get(BALANCE);
    const currency = field(seen, "currency");
    const wallets = listIn(seen, "balances");
    for (const [name, one] of [["the balance", seen.json], ["primary", field(seen, "primary")], ...wallets.entries()]) {
      const [available, pending, total] = ["available", "pending", "total"].map((path) => Number(pick(one, path)));
      const sum = Number(available) + Number(pending);
      const place = typeof name === "number" ? `balances.${name}` : String(name);
      expect.that(
        sum === total,
        `${place}: total is available + pending.`,
        `${available} + ${pending} and ${total}`,
        seen,
      );
    }
    const isListed = wallets.some((one) => pick(one, "currency") === currency);
    expect.that(isListed, `balances has the currency ${valueText(currency)}.`, "it does not", seen);
    return `${wallets.length} ${wallets.length === 1 ? "currency" : "currencies"}, sums are right`;
  },
  "wallets-shape": (host) =>
    steadily(async () => {
      const seen = await expect.expectServed(host, "GET /v1/wallets");
      const balance = await host.get(BALANCE);
      const entry = listIn(seen, "").find((one) => pick(one, "currency") === field(balance, "currency"));
      for (const [own, other] of [
        ["balance", "available"],
        ["pendingBalance", "pending"],
      ] as const) {
        const [is, should] = [pick(entry, own), field(balance, other)];
        expect.that(
          is === should,
          `${own} is ${other} of the balance.`,
          `${valueText(is)} and ${valueText(should)}`,
          seen,
        );
      }
      return `${formatCount(listIn(seen, "").length, "wallet")}, equal to the balance`;
    }),
  async "balance-single-currency"(host) {
    const seen = await expect.expectServed(host, `GET ${BALANCE}`, { query: { currency: "BRL" } });
    const extra = SINGLE_ABSENT.find((name) => field(seen, name) !== undefined);
    expect.that(extra === undefined, `It has none of ${SINGLE_ABSENT.join(", ")}.`, `it has ${extra}`, seen);
    expect.value(seen, "currency", "BRL");
    return "the flat form";
  },
  "balance-wrong-currency": asWarning(
    expect.refuses("400 invalid_request", expect.INVALID, [`GET ${BALANCE}?currency=x`]),
  ),
});
