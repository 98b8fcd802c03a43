import { changed, type Deviation, type Distortion } from "../support/conform.js";
import type { Loose } from "../support/emulator.js";

/** Hosts that differ from the specification in what they do with writes and webhooks, and the checks that must find it. */

const CHARGE = "4.2,8,2.1,7.2,1,7.1";
const HOOKS = "6.2,6.3,6.4,6.5,6.6,webhook-log";

function creates(change: (body: Loose) => Loose): Distortion {
  return changed("POST", /^\/v1\/(?:pix\/)?charges$/, change);
}

function sent(path: RegExp, change: (body: Loose, headers: Loose) => Loose): Distortion {
  return {
    request(passing) {
      if (passing.method !== "POST" || !path.test(passing.url) || !passing.body.startsWith('{"')) return;
      passing.body = JSON.stringify(change(JSON.parse(passing.body), passing.headers));
    },
  };
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

export const WRITE_DEVIATIONS: readonly Deviation[] = [
  {
    title: "a repetition that makes a second charge",
    distortion: sent(/^\/v1\/charges$/, (body, headers) => {
      if (headers["idempotency-key"] !== undefined && headers["idempotency-key"].length < 100) {
        headers["idempotency-key"] = freshKey();
      }
      return body;
    }),
    only: CHARGE,
    fails: ["idempotency-replay", "idempotency-key-length", "idempotency-conflict"],
  },
  {
    title: "a charge without an idempotency key",
    distortion: sent(/charges$/, (body, headers) => {
      headers["idempotency-key"] ??= freshKey();
      return body;
    }),
    only: CHARGE,
    fails: ["idempotency-key-required"],
  },
  {
    title: "a second payment and a second refund for one key",
    distortion: sent(/^\/v1\/payments/, (body) => {
      return body.idempotencyKey?.length > 8 ? { ...body, idempotencyKey: freshKey() } : body;
    }),
    only: "4.6,4.9",
    fails: ["payment-idempotency", "refund"],
  },
  {
    title: "200 for a creation",
    distortion: {
      answer(answering, { url }) {
        if (url === "/v1/pix/charges" && answering.status === 201) answering.status = 200;
      },
    },
    only: CHARGE,
    fails: ["charge-shortcut"],
  },
  {
    title: "amounts that are rounded",
    distortion: sent(/charges$/, (body) => ({ ...body, amount: body.amount === 1.5 ? 2 : body.amount })),
    only: CHARGE,
    fails: ["charge-amount"],
  },
  {
    title: "an expiry that is not capped",
    distortion: creates((body) => {
      const at = Date.parse(body.created_at) + 100_000_000;
      const isLong = Date.parse(body.pix.expires_at) - Date.parse(body.created_at) > 80_000_000;
      return isLong ? { ...body, pix: { ...body.pix, expires_at: new Date(at).toISOString() } } : body;
    }),
    only: CHARGE,
    fails: ["charge-expiry"],
  },
  {
    title: "a Pix code with a wrong checksum",
    distortion: creates((body) => ({
      ...body,
      pix: { ...body.pix, br_code: body.pix.br_code.replace("BR59", "BR58") },
    })),
    only: CHARGE,
    fails: ["charge-pix"],
  },
  {
    title: "metadata with keys of the service",
    distortion: creates((body) => ({ ...body, metadata: { ...body.metadata, _own: "x" } })),
    only: "charge-metadata,charge-create",
    fails: ["charge-metadata"],
  },
  {
    title: "an appeal that can be repeated",
    distortion: {
      answer(answering, { url }) {
        if (url.endsWith("/appeal") && answering.status === 400 && answering.text.includes("appealed")) {
          answering.status = 200;
        }
      },
    },
    only: "4.13,2.9",
    fails: ["med-appeal"],
  },
  {
    title: "another answer to a deletion",
    distortion: changed("DELETE", /^\/v1\/webhooks\/endpoints\//, () => ({ deleted: "yes" })),
    only: "4.11",
    fails: ["endpoint-delete"],
  },
  {
    title: "a change of an endpoint that changes its events too",
    distortion: {
      request(passing) {
        if (passing.method === "PATCH") passing.body = JSON.stringify({ status: "INACTIVE", events: ["charge.paid"] });
      },
    },
    only: "4.11",
    fails: ["endpoint-update"],
  },
  {
    title: "a canonical signature over something else",
    distortion: delivered("charge.created", (headers) => {
      headers["x-qa-signature"] = digits(headers["x-qa-signature"]);
    }),
    only: HOOKS,
    fails: ["webhook-signature-canonical", "webhook-rotation"],
  },
  {
    title: "a timestamp of the signature in milliseconds",
    distortion: delivered("charge.created", (headers) => {
      headers["x-qa-signature"] = headers["x-qa-signature"].replace(/t=(\d+)/, "t=$1000");
    }),
    only: HOOKS,
    fails: ["webhook-signature-canonical", "webhook-rotation"],
  },
  {
    title: "a legacy signature in the canonical form",
    distortion: delivered("payment.failed", (headers) => {
      headers["x-qa-signature"] = `t=1,v1=${headers["x-qa-signature"].slice(7)}`;
    }),
    only: HOOKS,
    fails: ["webhook-signature-legacy"],
  },
  {
    title: "a retry under another delivery id",
    distortion: delivered("charge.failed", (headers, count) => {
      if (count > 1) headers["x-qa-delivery-id"] += "-2";
    }),
    only: HOOKS,
    fails: ["webhook-retry"],
  },
  {
    title: "a delivery without its event type",
    distortion: delivered("payment.failed", (headers) => {
      delete headers["x-qa-event-type"];
    }),
    only: HOOKS,
    fails: ["webhook-headers"],
  },
  {
    title: "an event with another id at each endpoint",
    distortion: {
      webhook(delivering) {
        const id = String(delivering.headers["x-qa-delivery-id"]).slice(3);
        delivering.body = delivering.body.replace(/"id":"evt_[^"]+"/, `"id":"evt_${id}"`);
      },
    },
    only: "6.3",
    fails: ["webhook-event-id"],
  },
  {
    title: "a webhook with a field of another type",
    distortion: {
      webhook(delivering) {
        delivering.body = delivering.body.replace(/"amount":(\d+)/, '"amount":"$1"');
      },
    },
    only: "6.3,6.4",
    fails: ["webhook-canonical", "webhook-legacy"],
  },
  {
    title: "a retry that does not wait as long as Retry-After says",
    distortion: {
      reply(answering) {
        delete answering.headers["retry-after"];
      },
    },
    only: HOOKS,
    fails: ["webhook-retry-after"],
  },
  {
    title: "no retry",
    distortion: {
      reply(answering) {
        answering.status = 204;
      },
    },
    only: "webhook-retry,webhook-retry-after",
    words: ["--webhook-wait", "500ms"],
    fails: ["webhook-retry", "webhook-retry-after"],
  },
  {
    title: "events that are sent again under the old delivery id",
    distortion: resentUnderTheOldId(),
    only: HOOKS,
    fails: ["webhook-resend"],
  },
  {
    title: "no webhook at all",
    distortion: {
      webhook(delivering) {
        delivering.isPassed = false;
      },
    },
    only: HOOKS,
    words: ["--webhook-wait", "500ms"],
    fails: ["webhook-arrives"],
  },
];

/** `fails` names the checks that warn. */
export const WARNINGS: readonly Deviation[] = [
  {
    title: "no Idempotent-Replayed",
    distortion: {
      answer(answering) {
        delete answering.headers["idempotent-replayed"];
      },
    },
    only: "idempotent-replayed,idempotency-replay",
    fails: ["idempotent-replayed"],
  },
  {
    title: "unknown fields that are refused",
    distortion: {
      answer(answering, { body }) {
        if (body.includes("qa_pay_conform")) answering.status = 400;
      },
    },
    only: "unknown-fields,charge-create",
    fails: ["unknown-fields"],
  },
];
