import { answers, changeAnswer, type Deviation, type Distortion, requests, TEST_KEY } from "../../support/conform.js";
import type { Loose } from "../../support/emulator.js";

/** Hosts that differ from the specification in what they answer to reads, and the checks that must find it. */

/** Changes the answers with a status. */
function refusals(status: number, change: (body: Loose) => Loose, path = /./): Distortion {
  return answers((answering, { url }) => {
    if (answering.status !== status || !path.test(url)) return;
    answering.text = JSON.stringify(change(JSON.parse(answering.text)));
  });
}

/** Sends on another address. */
function redirected(from: RegExp, to: string): Distortion {
  return requests((passing) => {
    if (passing.method === "GET") passing.url = passing.url.replace(from, to);
  });
}

const reversed = (body: Loose) => ({ ...body, data: body.data.toReversed() });
const withError = (error: Loose) => (body: Loose) => ({ ...body, error: { ...body.error, ...error } });

export const READ_DEVIATIONS: readonly Deviation[] = [
  [
    "200 in place of 404",
    "charge-unknown",
    answers((answering, { url }) => {
      if (url.startsWith("/v1/charges/ch_0190aaaa")) Object.assign(answering, { status: 200, text: "{}" });
    }),
  ],
  [
    "403 in place of 401",
    "key-missing key-unknown key-exact api-keys-login error-types",
    answers((answering) => {
      if (answering.status === 401) answering.status = 403;
    }),
  ],
  [
    "another error type",
    "med-unknown error-types",
    refusals(404, withError({ type: "invalid_request_error" }), /^\/v1\/med/),
  ],
  [
    "another error code",
    "payment-unknown modes-apart",
    refusals(404, withError({ code: "missing" }), /^\/v1\/payments/),
  ],
  ["another param", "med-filters", refusals(400, withError({ param: "somewhere" }), /^\/v1\/med/)],
  ["no details of a validation failure", "error-details", refusals(400, withError({ details: undefined }))],
  [
    "a request_id that is not the header's",
    "error-envelope",
    refusals(404, (body) => ({ ...body, request_id: "req_other" }), /^\/v1\/med/),
  ],
  [
    "a page of HTML in place of an envelope",
    "json-bodies request-id med-unknown error-envelope error-types",
    answers((answering, { url }) => {
      if (answering.status !== 404 || !url.startsWith("/v1/med")) return;
      Object.assign(answering, { text: "<h1>Not found</h1>", headers: { "content-type": "text/html" } });
    }),
  ],
  [
    "a field that is missing",
    "payment-shape",
    changeAnswer("GET", /^\/v1\/payments\/[0-9a-f-]{36}$/, ({ paidAt: _paidAt, ...body }) => body),
  ],
  [
    "null for a field that is left out",
    "charge-shape",
    changeAnswer("GET", /^\/v1\/charges\//, (body) => ({ ...body, expected_payer_tax_id: null })),
  ],
  [
    "a field that must not be seen",
    "charge-fields",
    changeAnswer("GET", /^\/v1\/charges\//, (body) => ({ ...body, provider: "acme" })),
  ],
  [
    "an amount as text",
    "money-fields med-shape",
    changeAnswer("GET", /^\/v1\/med\/cases\/med_[^/]+$/, (body) => ({ ...body, amount: String(body.amount) })),
  ],
  [
    "an amount with a fraction",
    "money-fields stats-shape",
    changeAnswer("GET", /^\/v1\/payments\/stats/, (body) => ({
      ...body,
      volumeByCurrency: body.volumeByCurrency.map((one: Loose) => ({ ...one, volume: one.volume + 0.5 })),
    })),
  ],
  [
    "a timestamp without its zone",
    "timestamps endpoints-list",
    changeAnswer("GET", /^\/v1\/webhooks\/endpoints$/, (body) => ({
      data: body.data.map((one: Loose) => ({ ...one, createdAt: one.createdAt.replace("Z", "") })),
    })),
  ],
  [
    "a total that is no sum",
    "balance-sums",
    changeAnswer("GET", /^\/v1\/wallets\/balance$/, (body) => ({ ...body, total: body.total + 1 })),
  ],
  ["the full balance where the flat one is asked for", "balance-single-currency", redirected(/\?currency=BRL$/, "")],
  ["a cursor that leads to the same page", "med-pages", redirected(/&starting_after=med_(?!0190)[^&]*/, "")],
  ["a cursor that is off by one", "payments-pages", redirected(/^(\/v1\/payments\?limit=1&page=)2$/, "$13")],
  ["an offset that is ignored", "deliveries-pages", redirected(/&offset=1$/, "")],
  ["payments in the reverse order", "payments-order", changeAnswer("GET", /^\/v1\/payments\?limit=50/, reversed)],
  [
    "MED cases in the reverse order",
    "med-pages med-order",
    changeAnswer("GET", /^\/v1\/(?:med\/cases|infractions)(?:\?|$)/, reversed),
  ],
  ["another default of a limit", "payments-list", redirected(/^\/v1\/payments$/, "/v1/payments?limit=25")],
  ["a filter that is ignored", "med-filters", redirected(/\?status=none$/, "")],
  ["a filter that filters nothing", "payments-filter", redirected(/^(\/v1\/payments\?)status=\w+&/, "$1")],
  // Its refusals are named in the body, and not in the header.
  [
    "an answer without X-Request-Id",
    "request-id error-envelope",
    answers((answering, { url }) => {
      if (url === "/v1/wallets") delete answering.headers["x-request-id"];
    }),
  ],
  [
    "an X-Request-Id that does not come back",
    "request-id-echo",
    requests((passing) => {
      delete passing.headers["x-request-id"];
    }),
  ],
  [
    "another content type",
    "json-bodies",
    answers((answering, { url }) => {
      if (url === "/v1/webhooks/stats") answering.headers["content-type"] = "text/plain";
    }),
  ],
  [
    "a server error",
    "metrics error-envelope server-errors",
    answers((answering, { url }) => {
      if (!url.startsWith("/v1/payments/metrics")) return;
      answering.status = 500;
      answering.text = JSON.stringify({ error: { type: "api_error", code: "internal_error", message: "No." } });
    }),
  ],
  [
    "a route that needs no key",
    "key-missing",
    requests((passing) => {
      if (passing.url === "/v1/webhooks/deliveries") passing.headers.apikey ??= TEST_KEY;
    }),
  ],
  [
    "a key of the other mode that sees everything",
    "modes-apart modes-apart-lists",
    requests((passing) => {
      if (String(passing.headers.apikey).startsWith("qa_live_")) passing.headers.apikey = TEST_KEY;
    }),
  ],
  [
    "a list of events that needs a key",
    "event-catalog-open error-envelope error-types",
    answers((answering, { url, headers }) => {
      if (url !== "/v1/webhooks/event-catalog" || headers.apikey !== undefined) return;
      answering.status = 401;
    }),
  ],
  [
    "an event that is missing in the list of events",
    "event-catalog",
    changeAnswer("GET", /event-catalog/, (body) => body.filter(({ event }: Loose) => event !== "payout.paid")),
  ],
  [
    "a secret in the list of endpoints",
    "endpoints-list",
    changeAnswer("GET", /^\/v1\/webhooks\/endpoints$/, ({ data }) => ({
      data: data.map((one: Loose) => ({ ...one, secret: "0".repeat(64) })),
    })),
  ],
];
