import type { Page, PageStream } from "../../api/http/page.js";
import { ApiError } from "../../base/kernel/errors.js";
import { packMethods } from "../../service/features/transactions/catalogue.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Reader } from "../../service/features/tx.js";
import type { EmulatedClock } from "../../service/jobs/clock.js";
import { findOpened, htmlAnswer, jsonPage } from "./answers.js";
import { checkoutHtml } from "./checkout-html.js";
import { methodsHtml } from "./method-sections.js";
import { forPayers } from "./missing.js";
import type { PaymentWatch } from "./payment-watch.js";
import { subjectOf } from "./shell.js";
import { createSimulation } from "./simulation.js";
import { stateOf } from "./state.js";
import { type Visit, visitOf } from "./visit.js";

/** The hosted checkout of every transaction (docs/service/charges.md#the-checkout-page). */

export interface CheckoutParts {
  readonly clock: Pick<EmulatedClock, "show">;
  readonly watch: PaymentWatch;
}

function checkoutPage({ clock }: CheckoutParts): Page {
  return {
    path: "/checkout/{id}",
    async render(reader, { id }, query, request) {
      const row = findOpened(reader, id, query.get("k"));
      if (row === null) return null;
      const visit = visitOf(query, request);
      const state = stateOf(reader, row, clock, visit);
      const { methods } = state;
      const path = `/checkout/${row.id}`;
      const view = {
        ...subjectOf(reader, row, visit),
        onlyPix: row.payment_methods === packMethods(["PIX"]),
        methods: methods.length === 0 ? null : await methodsHtml(reader, row, methods, visit),
        state,
        path,
        // The script requests the language in which the page was rendered, whatever the browser prefers later.
        query: `?k=${row.checkout_token}&lang=${visit.language}${visit.panel ? "" : "&panel=0"}`,
      };
      return htmlAnswer(checkoutHtml(view), { visit, script: `${path}/`, formAction: "'none'" });
    },
  };
}

/** The state of an open page, read once. */
function statusPage({ clock }: CheckoutParts): Page {
  return {
    path: "/checkout/{id}/status",
    render(reader, { id }, query, request) {
      const row = findOpened(reader, id, query.get("k"));
      return row === null ? null : jsonPage(stateOf(reader, row, clock, visitOf(query, request)));
    },
  };
}

const TOO_MANY = "Too many pages follow this payment already. Read its status instead, or try again later.";

/** The same as a stream: now and after each change, until the payment has ended. */
function statusStream({ clock, watch }: CheckoutParts): Page {
  function streamOf(reader: Reader, found: TransactionRow, visit: Visit): PageStream {
    let isOver = false;
    let sent = 0;
    const rowNow = () => findOpened(reader, found.id, found.checkout_token);
    return {
      mayGoOn: () => !isOver && rowNow() !== null,
      subscribe(channel) {
        const send = () => {
          const row = rowNow();
          const state = row === null ? null : stateOf(reader, row, clock, visit);
          sent += 1;
          channel.send("state", String(sent), state);
          // The stream ends before the next message.
          isOver = state?.final ?? true;
        };
        const stop = watch.follow(found.id, send);
        send();
        return stop;
      },
    };
  }
  return {
    path: "/checkout/{id}/stream",
    render(reader, { id }, query, request) {
      const row = findOpened(reader, id, query.get("k"));
      if (row === null) return null;
      if (watch.isFull(row.id)) throw new ApiError("service_unavailable", { message: TOO_MANY });
      return streamOf(reader, row, visitOf(query, request));
    },
  };
}

export function createCheckoutPages(parts: CheckoutParts): readonly Page[] {
  return [forPayers(checkoutPage(parts)), statusPage(parts), statusStream(parts), createSimulation(parts.clock)];
}
