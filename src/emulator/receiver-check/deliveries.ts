import type { z } from "zod";
import { MINUTE } from "../../base/kernel/duration.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { iso } from "../../base/kernel/time.js";
import { SIGNATURE_HEADER } from "../../base/kernel/webhook-signature.js";
import { brCode } from "../../base/pix/br-code.js";
import { EMULATED_ISPB, endToEndId } from "../../base/pix/ids.js";
import { VERSION } from "../../base/platform/version.js";
import type { MedCase } from "../../service/features/med/resource.js";
import type { Payout } from "../../service/features/payouts/resource.js";
import type { Charge } from "../../service/features/transactions/charge-resource.js";
import type { PaymentEventData } from "../../service/features/transactions/events.js";
import { type EventName, isEventName } from "../../service/features/webhooks/catalogue.js";
import { buildHeaders, envelope, signature } from "../../service/features/webhooks/envelope.js";

/** Builds the deliveries that check a receiver: invented objects in the service's own envelopes, headers and signatures. */

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
  /** Signs with this secret instead of the receiver's. */
  readonly secret?: string;
  /** The time of the signature in milliseconds since the Unix epoch; by default the current time. */
  readonly at?: number;
  /** The value of the signature header, sent unchanged; null sends no such header. */
  readonly signature?: string | null;
  readonly deliveryId?: string;
}

interface ChargeSeed {
  readonly customer?: PublicCharge["customer"];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface Parts {
  /** The address of the receiver. */
  readonly url: string;
  readonly now: number;
  readonly uuid: () => string;
  readonly secret: string;
  readonly oldSecret: string;
  /** The id, without prefix, of a charge that the receiver knows; without it each charge is an invented one. */
  readonly charge?: string | undefined;
}

const ORIGIN = "https://pay.qa-pay.test";
const HOUR = 60 * MINUTE;
const CUSTOMER = { name: "Maria Silva", document: "52998224725", email: "maria@example.com" };

const bare = (uuid: string) => uuid.replaceAll("-", "");

/** The tools that a case uses to build its deliveries. Every object gets new ids, so that two runs do not share any. */
export class DeliveryMaker {
  readonly #parts: Parts;
  readonly now: number;
  /** The secret before the rotation; empty when there is none. */
  readonly oldSecret: string;
  readonly uuid: () => string;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.now = parts.now;
    this.oldSecret = parts.oldSecret;
    this.uuid = parts.uuid;
  }

  /** A charge as the events `charge.created` and `charge.paid` contain it. */
  charge(status: "pending" | "paid", seed: ChargeSeed = {}): PublicCharge {
    const id = this.#chargeId();
    const created = this.now - MINUTE;
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
        txid: bare(this.uuid()),
      },
      checkout_url: `${ORIGIN}/checkout/${id}?k=${bare(this.uuid()).slice(0, 24)}`,
      settlement: status === "paid" ? { end_to_end_id: this.#endToEndId() } : {},
      metadata: { description: "Pedido 42", ...seed.metadata },
      created_at: iso(created),
    };
  }

  payout(): z.input<typeof Payout> {
    return {
      id: ID_PREFIX.payout + this.uuid(),
      object: "payout",
      amount: 5000,
      currency: "BRL",
      status: "paid",
      destination: { pix_key: "maria@example.com", pix_key_type: "EMAIL" },
      end_to_end_id: this.#endToEndId(),
      failure_reason: null,
      metadata: {},
      created_at: iso(this.now - MINUTE),
    };
  }

  medCase(): z.input<typeof MedCase> {
    const now = iso(this.now);
    return {
      id: ID_PREFIX.medCase + this.uuid(),
      object: "med_case",
      type: "med",
      status: "open",
      amount: 1990,
      currency: "BRL",
      charge_id: ID_PREFIX.charge + this.#chargeId(),
      reason: "Goods never arrived",
      response_deadline: iso(this.now + 7 * 24 * HOUR),
      evidence_requested_at: null,
      appeal_reason: null,
      appealed_at: null,
      evidence_count: 0,
      money_outcome: null,
      opened_at: now,
      closed_at: null,
      created_at: now,
      updated_at: now,
    };
  }

  /** The `data` of a payment.completed. */
  payment(): z.input<typeof PaymentEventData> {
    return {
      transactionId: ID_PREFIX.transaction + this.#chargeId(),
      amount: 1990,
      status: "PAID",
      previousStatus: "WAITING_PAYMENT",
      paidWith: "PIX",
      providerFee: 20,
      platformFee: 30,
      netAmount: 1940,
      occurredAt: iso(this.now),
    };
  }

  /** Builds an event. `data` is an object, or the JSON text for the envelope. */
  event(type: EventName, data: object | string, id = this.uuid()): Content {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return { type, body: envelope({ id, type, data: text, created_at: this.now }) };
  }

  /** The value of the header X-QA-Signature for this body. */
  sign({ type, body }: Content, { secret, at }: Pick<Variation, "secret" | "at"> = {}): string {
    // An event that is not in the catalogue is signed in the canonical form, like every new event.
    const name = isEventName(type) ? type : "charge.created";
    return signature(name, secret ?? this.#parts.secret, body, at ?? this.now);
  }

  deliver(content: Content, variation: Variation = {}): Delivery {
    const given = variation.signature === undefined ? this.sign(content, variation) : variation.signature;
    const deliveryId = variation.deliveryId ?? ID_PREFIX.delivery + this.uuid();
    const { url } = this.#parts;
    const sent = { url, userAgent: `qa-pay/${VERSION}`, signature: given ?? "", deliveryId, type: content.type };
    const headers = buildHeaders(sent, content.body);
    const { [SIGNATURE_HEADER]: _signature, ...unsigned } = headers;
    return { headers: given === null ? unsigned : headers, body: content.body };
  }

  #chargeId(): string {
    return this.#parts.charge ?? this.uuid();
  }

  #endToEndId(): string {
    return endToEndId("E", EMULATED_ISPB, this.now, bare(this.uuid()).slice(0, 11));
  }
}
