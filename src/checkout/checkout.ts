import { hasMethod, packMethods } from "../features/transactions/catalogue.js";
import { PUBLIC_STATUS } from "../features/transactions/machine.js";
import { isInFlight } from "../features/transactions/rules.js";
import type { Page } from "../http/page.js";
import { openedBy } from "./access.js";
import { htmlAnswer, PRIVATE_HEADERS } from "./answers.js";
import { checkoutHtml } from "./checkout-html.js";
import { methodsHtml, payableMethods } from "./method-sections.js";
import { outcomeOf, statusNow } from "./outcome.js";
import { subjectOf } from "./shell.js";

/** The hosted checkout of every transaction (docs/service/charges.md). */
export const checkout: Page = {
  path: "/checkout/{id}",
  async render(reader, { id }, query) {
    const row = openedBy(reader, id, query.get("k"));
    if (row === null) return null;
    const { now } = reader;
    const methods = payableMethods(row, now);
    const status = PUBLIC_STATUS[statusNow(row, now)];
    const authenticates = status === "processing" && isInFlight(row) && hasMethod(row, "CREDIT_CARD");
    const view = {
      ...subjectOf(reader, row),
      onlyPix: row.payment_methods === packMethods(["PIX"]),
      methods: methods.length === 0 ? null : await methodsHtml(reader, row, methods),
      outcome: outcomeOf(row, now),
      authenticateUrl: authenticates ? `/card/${row.id}?k=${row.checkout_token}` : null,
      statusUrl: `/checkout/${row.id}/status?k=${row.checkout_token}`,
      live: status === "pending" || status === "processing",
    };
    return htmlAnswer(checkoutHtml(view), { nonce: view.nonce, script: true, formAction: "'none'" });
  },
};

/** The data that an open checkout page asks for: the status, its text, and the methods that can still be used. */
export const checkoutStatus: Page = {
  path: "/checkout/{id}/status",
  render(reader, { id }, query) {
    const row = openedBy(reader, id, query.get("k"));
    if (row === null) return null;
    const { now } = reader;
    const status = PUBLIC_STATUS[statusNow(row, now)];
    const body = JSON.stringify({ status, methods: payableMethods(row, now), ...outcomeOf(row, now) });
    const headers = { ...PRIVATE_HEADERS, "referrer-policy": "no-referrer", "content-type": "application/json" };
    return { headers, body };
  },
};
