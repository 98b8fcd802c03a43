import * as z from "zod";
import { IsoInstant } from "../../base/kernel/schemas.js";
import { medMachine } from "../features/med/machine.js";
import { MedCase } from "../features/med/resource.js";
import { payoutMachine } from "../features/payouts/machine.js";
import { Payout, WithdrawalEventData } from "../features/payouts/resource.js";
import { RefundInEvent } from "../features/refunds/events.js";
import { refundMachine } from "../features/refunds/machine.js";
import { Charge } from "../features/transactions/charge-resource.js";
import { PaymentEventData } from "../features/transactions/events.js";
import { transactionMachine } from "../features/transactions/machine.js";
import { EVENT_CATALOGUE, type EventName, familyOf } from "../features/webhooks/catalogue.js";
import { exampleMember, type OpenApiObject, type SchemaWriter } from "./schemas.js";

/**
 * The events that the service sends: one OpenAPI webhook for each (docs/service/webhooks.md#envelopes,
 * docs/service/webhooks.md#signatures).
 */

/** The state machines whose moves emit events. */
const MACHINES = [transactionMachine, refundMachine, payoutMachine, medMachine];

type NameIn<Family> = {
  [Name in EventName]: (typeof EVENT_CATALOGUE)[Name]["family"] extends Family ? Name : never;
}[EventName];

export type CanonicalName = NameIn<"canonical">;
export type LegacyName = NameIn<"legacy">;

/** The noun in front of the name of an event. */
type NounOf<Name extends EventName> = Name extends `${infer Noun}.${string}` ? Noun : never;

/** What `data.object` of a canonical event is, by the noun in front of its name. */
const CANONICAL_OBJECTS = {
  charge: Charge,
  payout: Payout,
  med_case: MedCase,
  med: MedCase,
} as const satisfies Record<NounOf<CanonicalName>, z.ZodObject>;

/** `data.object` of a canonical event. */
export type CanonicalObject<Name extends CanonicalName> = z.output<(typeof CANONICAL_OBJECTS)[NounOf<Name>]>;

function canonicalObject(type: EventName): z.ZodObject {
  const objects: Readonly<Record<string, z.ZodObject>> = CANONICAL_OBJECTS;
  const found = objects[type.replace(/\..*/, "")];
  if (found === undefined) throw new Error(`${type}: say in CANONICAL_OBJECTS what its data.object is`);
  return found;
}

function canonicalEnvelope(type: EventName): z.ZodObject {
  return z.object({
    id: z.string().describe("evt_…; the same on every endpoint and retry, so deduplicate on it"),
    object: z.literal("event"),
    api_version: z.string().meta({ format: "date", description: "Version of the contract" }),
    type: z.literal(type),
    created_at: IsoInstant,
    data: z.object({ object: canonicalObject(type) }),
  });
}

/** `payment.refunded` also describes the refund. */
export const RefundedEventData = PaymentEventData.extend({ refund: RefundInEvent });

/** `data` of a legacy event, by its name or by the noun in front of it. */
const LEGACY_DATA = {
  "payment.refunded": RefundedEventData,
  payment: PaymentEventData,
  withdrawal: WithdrawalEventData,
} as const satisfies Partial<Record<LegacyName, z.ZodObject>> & Record<NounOf<LegacyName>, z.ZodObject>;

type LegacyDataKey<Name extends LegacyName> = Name extends keyof typeof LEGACY_DATA ? Name : NounOf<Name>;

/** `data` of a legacy event. */
export type LegacyData<Name extends LegacyName> = z.output<(typeof LEGACY_DATA)[LegacyDataKey<Name>]>;

function legacyData(event: EventName): z.ZodObject {
  const data: Readonly<Record<string, z.ZodObject>> = LEGACY_DATA;
  const found = data[event] ?? data[event.replace(/\..*/, "")];
  if (found === undefined) throw new Error(`${event}: say in LEGACY_DATA what its data is`);
  return found;
}

function legacyEnvelope(event: EventName): z.ZodObject {
  return z.object({ event: z.literal(event), data: legacyData(event) });
}

const DELIVERY_HEADERS = [
  ["X-QA-Delivery-Id", "Id of the delivery: the same on its retries, another one at each endpoint and after a resend"],
  ["X-QA-Event-Type", "Name of the event"],
] as const;

const SIGNATURE = {
  canonical: 't=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>" under the endpoint\'s secret>',
  legacy: "sha256=<hex HMAC-SHA256 of the raw body under the endpoint's secret>",
};

const DESCRIPTION = {
  canonical:
    "Sent to every endpoint that is registered for it, at least once, and again later until it is answered with 2xx. " +
    "Deduplicate on `id`: it is the same at every endpoint, retry and resend.",
  legacy:
    "Of the older family, sent in the same way: at least once, and again later until it is answered with 2xx. New " +
    "integrations take the canonical events, and `payment.refunded`, which alone tells of refunds.",
};

function webhook(writer: SchemaWriter, event: EventName, example: unknown): OpenApiObject {
  const family = familyOf(event);
  const envelope = family === "canonical" ? canonicalEnvelope(event) : legacyEnvelope(event);
  const headers = [["X-QA-Signature", SIGNATURE[family]] as const, ...DELIVERY_HEADERS];
  return {
    post: {
      operationId: `on.${event}`,
      summary: EVENT_CATALOGUE[event].description,
      description: DESCRIPTION[family],
      tags: ["webhooks"],
      deprecated: family === "legacy",
      security: [],
      parameters: headers.map(([name, description]) => ({
        name,
        in: "header",
        required: true,
        description,
        schema: { type: "string" },
      })),
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: writer.write(envelope, "output"),
            ...exampleMember(example),
          },
        },
      },
      responses: {
        "2XX": { description: "Received. Any other answer, or none within 30 seconds, is tried again later." },
      },
    },
  };
}

/** Returns a webhook for every event that a state machine can emit, by name. */
export function webhooks(
  writer: SchemaWriter,
  examples: Readonly<Record<string, unknown>>,
): Record<string, OpenApiObject> {
  const emitted = MACHINES.flatMap(({ initial, transitions }) => [
    ...initial.emits,
    ...Object.values(transitions).flatMap(({ emits }) => emits),
  ]);
  return Object.fromEntries([...new Set(emitted)].map((event) => [event, webhook(writer, event, examples[event])]));
}
