import { changed, type Deviation, type Distortion, TEST_KEY } from "../support/conform.js";
import type { Loose } from "../support/emulator.js";

/** Hosts that differ from the specification in what they answer to reads, and the checks that must find it. */

/** Changes the answers with a status. */
function refusals(status: number, change: (body: Loose) => Loose, path = /./): Distortion {
  return {
    answer(answering, { url }) {
      if (answering.status === status && path.test(url)) {
        answering.text = JSON.stringify(change(JSON.parse(answering.text)));
      }
    },
  };
}

/** Sends on another address. */
function redirected(from: RegExp, to: string): Distortion {
  return {
    request(passing) {
      if (passing.method === "GET") passing.url = passing.url.replace(from, to);
    },
  };
}

const reversed = (body: Loose) => ({ ...body, data: body.data.toReversed() });
const withError = (error: Loose) => (body: Loose) => ({ ...body, error: { ...body.error, ...error } });

export const READ_DEVIATIONS: readonly Deviation[] = [
  {
    title: "200 in place of 404",
    distortion: {
      answer(answering, { url }) {
        if (url.startsWith("/v1/charges/ch_0190aaaa")) Object.assign(answering, { status: 200, text: "{}" });
      },
    },
    fails: ["charge-unknown"],
  },
  {
    title: "403 in place of 401",
    distortion: {
      answer(answering) {
        if (answering.status === 401) answering.status = 403;
      },
    },
    fails: ["key-missing", "key-unknown", "key-exact", "api-keys-login", "error-types"],
  },
  {
    title: "another error type",
    distortion: refusals(404, withError({ type: "invalid_request_error" }), /^\/v1\/med/),
    fails: ["med-unknown", "error-types"],
  },
  {
    title: "another error code",
    distortion: refusals(404, withError({ code: "missing" }), /^\/v1\/payments/),
    fails: ["payment-unknown", "modes-apart"],
  },
  {
    title: "another param",
    distortion: refusals(400, withError({ param: "somewhere" }), /^\/v1\/med/),
    fails: ["med-filters"],
  },
  {
    title: "no details of a validation failure",
    distortion: refusals(400, withError({ details: undefined })),
    fails: ["error-details"],
  },
  {
    title: "a request_id that is not the header's",
    distortion: refusals(404, (body) => ({ ...body, request_id: "req_other" }), /^\/v1\/med/),
    fails: ["error-envelope"],
  },
  {
    title: "a page of HTML in place of an envelope",
    distortion: {
      answer(answering, { url }) {
        if (answering.status !== 404 || !url.startsWith("/v1/med")) return;
        Object.assign(answering, { text: "<h1>Not found</h1>", headers: { "content-type": "text/html" } });
      },
    },
    fails: ["json-bodies", "request-id", "med-unknown", "error-envelope", "error-types"],
  },
  {
    title: "a field that is missing",
    distortion: changed("GET", /^\/v1\/payments\/[0-9a-f-]{36}$/, ({ paidAt: _paidAt, ...body }) => body),
    fails: ["payment-shape"],
  },
  {
    title: "null for a field that is left out",
    distortion: changed("GET", /^\/v1\/charges\//, (body) => ({ ...body, expected_payer_tax_id: null })),
    fails: ["charge-shape"],
  },
  {
    title: "a field that must not be seen",
    distortion: changed("GET", /^\/v1\/charges\//, (body) => ({ ...body, provider: "acme" })),
    fails: ["charge-fields"],
  },
  {
    title: "an amount as text",
    distortion: changed("GET", /^\/v1\/med\/cases\/med_[^/]+$/, (body) => ({ ...body, amount: String(body.amount) })),
    fails: ["money-fields", "med-shape"],
  },
  {
    title: "an amount with a fraction",
    distortion: changed("GET", /^\/v1\/payments\/stats/, (body) => ({
      ...body,
      volumeByCurrency: body.volumeByCurrency.map((one: Loose) => ({ ...one, volume: one.volume + 0.5 })),
    })),
    fails: ["money-fields", "stats-shape"],
  },
  {
    title: "a timestamp without its zone",
    distortion: changed("GET", /^\/v1\/webhooks\/endpoints$/, (body) => ({
      data: body.data.map((one: Loose) => ({ ...one, createdAt: one.createdAt.replace("Z", "") })),
    })),
    fails: ["timestamps", "endpoints-list"],
  },
  {
    title: "a total that is no sum",
    distortion: changed("GET", /^\/v1\/wallets\/balance$/, (body) => ({ ...body, total: body.total + 1 })),
    fails: ["balance-sums"],
  },
  {
    title: "the full balance where the flat one is asked for",
    distortion: redirected(/\?currency=BRL$/, ""),
    fails: ["balance-single-currency"],
  },
  {
    title: "a cursor that leads to the same page",
    distortion: redirected(/&starting_after=med_(?!0190)[^&]*/, ""),
    fails: ["med-pages"],
  },
  {
    title: "a cursor that is off by one",
    distortion: redirected(/^(\/v1\/payments\?limit=1&page=)2$/, "$13"),
    fails: ["payments-pages"],
  },
  {
    title: "an offset that is ignored",
    distortion: redirected(/&offset=1$/, ""),
    fails: ["deliveries-pages"],
  },
  {
    title: "payments in the reverse order",
    distortion: changed("GET", /^\/v1\/payments\?limit=50/, reversed),
    fails: ["payments-order"],
  },
  {
    title: "MED cases in the reverse order",
    distortion: changed("GET", /^\/v1\/(?:med\/cases|infractions)(?:\?|$)/, reversed),
    fails: ["med-pages", "med-order"],
  },
  {
    title: "another default of a limit",
    distortion: redirected(/^\/v1\/payments$/, "/v1/payments?limit=25"),
    fails: ["payments-list"],
  },
  {
    title: "a filter that is ignored",
    distortion: redirected(/\?status=none$/, ""),
    fails: ["med-filters"],
  },
  {
    title: "a filter that filters nothing",
    distortion: redirected(/^(\/v1\/payments\?)status=\w+&/, "$1"),
    fails: ["payments-filter"],
  },
  {
    title: "an answer without X-Request-Id",
    distortion: {
      answer(answering, { url }) {
        if (url === "/v1/wallets") delete answering.headers["x-request-id"];
      },
    },
    // Its refusals are named in the body, and not in the header.
    fails: ["request-id", "error-envelope"],
  },
  {
    title: "an X-Request-Id that does not come back",
    distortion: {
      request(passing) {
        delete passing.headers["x-request-id"];
      },
    },
    fails: ["request-id-echo"],
  },
  {
    title: "another content type",
    distortion: {
      answer(answering, { url }) {
        if (url === "/v1/webhooks/stats") answering.headers["content-type"] = "text/plain";
      },
    },
    fails: ["json-bodies"],
  },
  {
    title: "a server error",
    distortion: {
      answer(answering, { url }) {
        if (!url.startsWith("/v1/payments/metrics")) return;
        answering.status = 500;
        answering.text = JSON.stringify({ error: { type: "api_error", code: "internal_error", message: "No." } });
      },
    },
    fails: ["metrics", "error-envelope", "server-errors"],
  },
  {
    title: "a route that needs no key",
    distortion: {
      request(passing) {
        if (passing.url === "/v1/webhooks/deliveries") passing.headers.apikey ??= TEST_KEY;
      },
    },
    fails: ["key-missing"],
  },
  {
    title: "a key of the other mode that sees everything",
    distortion: {
      request(passing) {
        if (String(passing.headers.apikey).startsWith("qa_live_")) passing.headers.apikey = TEST_KEY;
      },
    },
    fails: ["modes-apart", "modes-apart-lists"],
  },
  {
    title: "a list of events that needs a key",
    distortion: {
      answer(answering, { url, headers }) {
        if (url !== "/v1/webhooks/event-catalog" || headers.apikey !== undefined) return;
        answering.status = 401;
      },
    },
    fails: ["event-catalog-open", "error-envelope", "error-types"],
  },
  {
    title: "an event that is missing in the list of events",
    distortion: changed("GET", /event-catalog/, (body) => body.filter(({ event }: Loose) => event !== "payout.paid")),
    fails: ["event-catalog"],
  },
  {
    title: "a secret in the list of endpoints",
    distortion: changed("GET", /^\/v1\/webhooks\/endpoints$/, ({ data }) => ({
      data: data.map((one: Loose) => ({ ...one, secret: "0".repeat(64) })),
    })),
    fails: ["endpoints-list"],
  },
];
