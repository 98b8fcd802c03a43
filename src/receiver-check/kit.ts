import type { z } from "zod";
import type { signature } from "../delivery/signer.js";
import type { MedCase } from "../features/med/wire.js";
import type { Payout } from "../features/payouts/wire.js";
import type { PaymentEventData } from "../features/transactions/events.js";
import type { Charge } from "../features/transactions/wire-charge.js";
import { type EventName, isEventName } from "../features/webhooks/catalogue.js";
import { envelope, sentHeaders } from "../features/webhooks/envelope.js";
import { ID_PREFIX } from "../kernel/ids.js";
import { iso } from "../kernel/time.js";
import { brCode } from "../pix/br-code.js";
import { EMULATED_ISPB, endToEndId } from "../pix/ids.js";
import { VERSION } from "../version.js";

/** Makes the deliveries that check a receiver: invented objects in the service's own envelopes, headers and signatures. */

type PublicCharge = z.input<typeof Charge>;

/** One event: its name and the exact bytes of its body. */
export interface Content {
  readonly type: string;
  readonly body: string;
}

/** One request to a receiver. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Variation {
  /** Signs with this secret instead of the given one. */
  readonly secret?: string;
  /** The time of the signature in milliseconds since the Unix epoch; by default the current time. */
  readonly at?: number;
  /** The value of the signature header, sent unchanged; null sends no such header. */
  readonly signature?: string | null;
  readonly deliveryId?: string;
}

/** The tools that a case uses to make its deliveries. Every object gets new ids, so that two runs do not share any. */
export interface Kit {
  readonly now: number;
  /** The secret before the rotation; empty when none was given. */
  readonly oldSecret: string;
  uuid(): string;
  /** A charge as the events `charge.created` and `charge.paid` contain it. */
  charge(status: "pending" | "paid", seed?: ChargeSeed): PublicCharge;
  payout(): z.input<typeof Payout>;
  medCase(): z.input<typeof MedCase>;
  /** The `data` of a payment.completed. */
  payment(): z.input<typeof PaymentEventData>;
  /** Makes an event. `data` is an object, or the JSON text for the envelope. */
  event(type: EventName, data: object | string, id?: string): Content;
  /** The value of the header X-QA-Signature for this body. */
  sign(content: Content, variation?: Pick<Variation, "secret" | "at">): string;
  deliver(content: Content, variation?: Variation): Delivery;
}

interface ChargeSeed {
  readonly customer?: PublicCharge["customer"];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface KitParts {
  /** The address of the receiver. */
  readonly url: string;
  readonly now: number;
  readonly uuid: () => string;
  readonly sign: typeof signature;
  readonly secret: string;
  readonly oldSecret: string;
}

const ORIGIN = "https://pay.qa-pay.test";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CUSTOMER = { name: "Maria Silva", document: "52998224725", email: "maria@example.com" };

const bare = (uuid: string) => uuid.replaceAll("-", "");

function sampleCharge({ now, uuid }: KitParts, status: "pending" | "paid", seed: ChargeSeed): PublicCharge {
  const id = uuid();
  const created = now - MINUTE;
  const payloadUrl = `pix.qa-pay.test/qr/v2/${bare(id)}`;
  return {
    id: ID_PREFIX.charge + id,
    object: "charge",
    amount: 1990,
    currency: "BRL",
    status,
    payment_method: "pix",
    customer: seed.customer ?? CUSTOMER,
    pix: {
      br_code: brCode({ payloadUrl, amount: 1990, merchantName: "Loja Teste", merchantCity: "SAO PAULO" }),
      qr_code_url: `${ORIGIN}/qr/${id}.png`,
      expires_at: iso(created + HOUR),
      txid: bare(uuid()),
    },
    checkout_url: `${ORIGIN}/checkout/${id}?k=${bare(uuid()).slice(0, 24)}`,
    settlement: status === "paid" ? { end_to_end_id: endToEnd(now, uuid) } : {},
    metadata: { description: "Pedido 42", ...seed.metadata },
    created_at: iso(created),
  };
}

function endToEnd(at: number, uuid: () => string): string {
  return endToEndId("E", EMULATED_ISPB, at, bare(uuid()).slice(0, 11));
}

function samplePayout({ now, uuid }: KitParts): z.input<typeof Payout> {
  return {
    id: ID_PREFIX.payout + uuid(),
    object: "payout",
    amount: 5000,
    currency: "BRL",
    status: "paid",
    destination: { pix_key: "maria@example.com", pix_key_type: "EMAIL" },
    end_to_end_id: endToEnd(now, uuid),
    failure_reason: null,
    metadata: {},
    created_at: iso(now - MINUTE),
  };
}

function sampleMedCase({ now, uuid }: KitParts): z.input<typeof MedCase> {
  return {
    id: ID_PREFIX.medCase + uuid(),
    object: "med_case",
    type: "med",
    status: "open",
    amount: 1990,
    currency: "BRL",
    charge_id: ID_PREFIX.charge + uuid(),
    reason: "Goods never arrived",
    response_deadline: iso(now + 7 * 24 * HOUR),
    evidence_requested_at: null,
    appeal_reason: null,
    appealed_at: null,
    evidence_count: 0,
    money_outcome: null,
    opened_at: iso(now),
    closed_at: null,
    created_at: iso(now),
    updated_at: iso(now),
  };
}

function samplePayment({ now, uuid }: KitParts): z.input<typeof PaymentEventData> {
  return {
    transactionId: ID_PREFIX.transaction + uuid(),
    amount: 1990,
    status: "PAID",
    previousStatus: "WAITING_PAYMENT",
    paidWith: "PIX",
    providerFee: 20,
    platformFee: 30,
    netAmount: 1940,
    occurredAt: iso(now),
  };
}

export function createKit(parts: KitParts): Kit {
  const { now, uuid, url, secret, oldSecret } = parts;
  const sign: Kit["sign"] = ({ type, body }, variation = {}) =>
    // An event that is not in the catalogue is signed in the canonical form, like every new event.
    parts.sign(isEventName(type) ? type : "charge.created", variation.secret ?? secret, body, variation.at ?? now);
  return {
    now,
    oldSecret,
    uuid,
    sign,
    charge: (status, seed = {}) => sampleCharge(parts, status, seed),
    payout: () => samplePayout(parts),
    medCase: () => sampleMedCase(parts),
    payment: () => samplePayment(parts),
    event(type, data, id = uuid()) {
      const text = typeof data === "string" ? data : JSON.stringify(data);
      return { type, body: envelope({ id, type, data: text, created_at: now }) };
    },
    deliver(content, variation = {}) {
      const given = variation.signature === undefined ? sign(content, variation) : variation.signature;
      const deliveryId = variation.deliveryId ?? ID_PREFIX.delivery + uuid();
      const sent = { url, userAgent: `qa-pay/${VERSION}`, signature: given ?? "", deliveryId, type: content.type };
      const headers = sentHeaders(sent, content.body);
      const { "x-qa-signature": _signature, ...unsigned } = headers;
      return { headers: given === null ? unsigned : headers, body: content.body };
    },
  };
}
