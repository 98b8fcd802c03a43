import {
  answers,
  changeAnswer,
  type Deviation,
  type Distortion,
  replies,
  requests,
  webhooks,
} from "../../support/conform.js";
import type { Loose } from "../../support/emulator.js";

/** Hosts that differ from the specification in what they do with writes and webhooks, and the checks that must find it. */

const CHARGE = "4.2,8,2.1,7.2,1,7.1";
const HOOKS = "6.2,6.3,6.4,6.5,6.6,webhook-log";
const SHORT = "--webhook-wait 500ms";

/** With the words behind `--only`. */
type WriteDeviation = readonly [...Deviation, only: string];

function creates(change: (body: Loose) => Loose): Distortion {
  return changeAnswer("POST", /^\/v1\/(?:pix\/)?charges$/, change);
}

function sent(path: RegExp, change: (body: Loose, headers: Loose) => Loose): Distortion {
  return requests((passing) => {
    if (passing.method !== "POST" || !path.test(passing.url) || !passing.body.startsWith('{"')) return;
    passing.body = JSON.stringify(change(JSON.parse(passing.body), passing.headers));
  });
}

let fresh = 0;
const freshKey = () => `another-key-${++fresh}`;

/** Changes the headers of the deliveries of an event. `count` is 2 for the first retry. */
function delivered(type: string, change: (headers: Loose, count: number) => void): Distortion {
  const counts = new Map<string, number>();
  return {
    webhook({ headers }) {
      if (headers["x-qa-event-type"] !== type) return;
      const id = String(headers["x-qa-delivery-id"]);
      counts.set(id, (counts.get(id) ?? 0) + 1);
      change(headers, counts.get(id) ?? 0);
    },
  };
}

/** Every delivery of an event to one endpoint has the id of its first delivery there. */
function resentUnderTheOldId(): Distortion {
  const first = new Map<string, string>();
  return {
    webhook({ headers, body, to }) {
      const event = `${to} ${/"id":"evt_[^"]+"/.exec(body)?.[0] ?? body}`;
      const id = first.get(event) ?? String(headers["x-qa-delivery-id"]);
      first.set(event, id);
      headers["x-qa-delivery-id"] = id;
    },
  };
}

const digits = (text: string) => text.replace(/[0-9a-f]{64}$/, (hex) => [...hex].toReversed().join(""));

export const WRITE_DEVIATIONS: readonly WriteDeviation[] = [
  [
    "a repetition that makes a second charge",
    "idempotency-replay idempotency-key-length idempotency-conflict",
    sent(/^\/v1\/charges$/, (body, headers) => {
      if (headers["idempotency-key"] !== undefined && headers["idempotency-key"].length < 100) {
        headers["idempotency-key"] = freshKey();
      }
      return body;
    }),
    CHARGE,
  ],
  [
    "a charge without an idempotency key",
    "idempotency-key-required",
    sent(/charges$/, (body, headers) => {
      headers["idempotency-key"] ??= freshKey();
      return body;
    }),
    CHARGE,
  ],
  [
    "a second payment and a second refund for one key",
    "payment-idempotency refund",
    sent(/^\/v1\/payments/, (body) => {
      return body.idempotencyKey?.length > 8 ? { ...body, idempotencyKey: freshKey() } : body;
    }),
    "4.6,4.9",
  ],
  [
    "200 for a creation",
    "charge-shortcut",
    answers((answering, { url }) => {
      if (url === "/v1/pix/charges" && answering.status === 201) answering.status = 200;
    }),
    CHARGE,
  ],
  [
    "amounts that are rounded",
    "charge-amount",
    sent(/charges$/, (body) => ({ ...body, amount: body.amount === 1.5 ? 2 : body.amount })),
    CHARGE,
  ],
  [
    "an expiry that is not capped",
    "charge-expiry",
    creates((body) => {
      const at = Date.parse(body.created_at) + 100_000_000;
      const isLong = Date.parse(body.pix.expires_at) - Date.parse(body.created_at) > 80_000_000;
      return isLong ? { ...body, pix: { ...body.pix, expires_at: new Date(at).toISOString() } } : body;
    }),
    CHARGE,
  ],
  [
    "a Pix code with a wrong checksum",
    "charge-pix",
    creates((body) => ({
      ...body,
      pix: { ...body.pix, br_code: body.pix.br_code.replace("BR59", "BR58") },
    })),
    CHARGE,
  ],
  [
    "metadata with keys of the service",
    "charge-metadata",
    creates((body) => ({ ...body, metadata: { ...body.metadata, _own: "x" } })),
    "charge-metadata,charge-create",
  ],
  [
    "an appeal that can be repeated",
    "med-appeal",
    answers((answering, { url }) => {
      if (url.endsWith("/appeal") && answering.status === 400 && answering.text.includes("appealed")) {
        answering.status = 200;
      }
    }),
    "4.13,2.9",
  ],
  [
    "another answer to a deletion",
    "endpoint-delete",
    changeAnswer("DELETE", /^\/v1\/webhooks\/endpoints\//, () => ({ deleted: "yes" })),
    "4.11",
  ],
  [
    "a change of an endpoint that changes its events too",
    "endpoint-update",
    requests((passing) => {
      if (passing.method === "PATCH") passing.body = JSON.stringify({ status: "INACTIVE", events: ["charge.paid"] });
    }),
    "4.11",
  ],
  [
    "a canonical signature over something else",
    "webhook-signature-canonical webhook-rotation",
    delivered("charge.created", (headers) => {
      headers["x-qa-signature"] = digits(headers["x-qa-signature"]);
    }),
    HOOKS,
  ],
  [
    "a timestamp of the signature in milliseconds",
    "webhook-signature-canonical webhook-rotation",
    delivered("charge.created", (headers) => {
      headers["x-qa-signature"] = headers["x-qa-signature"].replace(/t=(\d+)/, "t=$1000");
    }),
    HOOKS,
  ],
  [
    "a legacy signature in the canonical form",
    "webhook-signature-legacy",
    delivered("payment.failed", (headers) => {
      headers["x-qa-signature"] = `t=1,v1=${headers["x-qa-signature"].slice(7)}`;
    }),
    HOOKS,
  ],
  [
    "a retry under another delivery id",
    "webhook-retry",
    delivered("charge.failed", (headers, count) => {
      if (count > 1) headers["x-qa-delivery-id"] += "-2";
    }),
    HOOKS,
  ],
  [
    "a delivery without its event type",
    "webhook-headers",
    delivered("payment.failed", (headers) => {
      delete headers["x-qa-event-type"];
    }),
    HOOKS,
  ],
  [
    "an event with another id at each endpoint",
    "webhook-event-id",
    webhooks((delivering) => {
      const id = String(delivering.headers["x-qa-delivery-id"]).slice(3);
      delivering.body = delivering.body.replace(/"id":"evt_[^"]+"/, `"id":"evt_${id}"`);
    }),
    "6.3",
  ],
  [
    "a webhook with a field of another type",
    "webhook-canonical webhook-legacy",
    webhooks((delivering) => {
      delivering.body = delivering.body.replace(/"amount":(\d+)/, '"amount":"$1"');
    }),
    "6.3,6.4",
  ],
  [
    "a retry that does not wait as long as Retry-After says",
    "webhook-retry-after",
    replies((answering) => {
      delete answering.headers["retry-after"];
    }),
    HOOKS,
  ],
  [
    "no retry",
    "webhook-retry webhook-retry-after",
    replies((answering) => {
      answering.status = 204;
    }),
    `webhook-retry,webhook-retry-after ${SHORT}`,
  ],
  ["events that are sent again under the old delivery id", "webhook-resend", resentUnderTheOldId(), HOOKS],
  [
    "no webhook at all",
    "webhook-arrives",
    webhooks((delivering) => {
      delivering.isPassed = false;
    }),
    `${HOOKS} ${SHORT}`,
  ],
];

/** `fails` names the checks that warn. */
export const WARNINGS: readonly WriteDeviation[] = [
  [
    "no Idempotent-Replayed",
    "idempotent-replayed",
    answers((answering) => {
      delete answering.headers["idempotent-replayed"];
    }),
    "idempotent-replayed,idempotency-replay",
  ],
  [
    "unknown fields that are refused",
    "unknown-fields",
    answers((answering, { body }) => {
      if (body.includes("qa_pay_conform")) answering.status = 400;
    }),
    "unknown-fields,charge-create",
  ],
];
