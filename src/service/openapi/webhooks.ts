import * as z from "zod";
import { mergeParts } from "../../base/kernel/merge-parts.js";
import { IsoInstant } from "../../base/kernel/schemas.js";
import { NOUNS } from "../features/index.js";
import { EVENT_CATALOGUE, type EventName, familyOf, isEventName } from "../features/webhooks/catalogue.js";
import { exampleMember, type OpenApiObject, type SchemaWriter } from "./schemas.js";

/**
 * The events that the service sends: one OpenAPI webhook for each (docs/service/webhooks.md#envelopes,
 * docs/service/webhooks.md#signatures).
 */

type NameIn<Family> = {
  [Name in EventName]: (typeof EVENT_CATALOGUE)[Name]["family"] extends Family ? Name : never;
}[EventName];

export type CanonicalName = NameIn<"canonical">;
export type LegacyName = NameIn<"legacy">;

/** The noun in front of the name of an event. */
type NounOf<Name extends EventName> = Name extends `${infer Noun}.${string}` ? Noun : never;

/**
 * The object of each event, by its name or by the noun in front of it. An event without an object is a type error where it is
 * read.
 */
const OBJECTS = mergeParts(NOUNS.map(({ events }) => events));

type ObjectOf<Name extends EventName> = (typeof OBJECTS)[Name extends keyof typeof OBJECTS ? Name : NounOf<Name>];

/** `data.object` of a canonical event. */
export type CanonicalObject<Name extends CanonicalName> = z.output<ObjectOf<Name>>;

/** `data` of a legacy event. */
export type LegacyData<Name extends LegacyName> = z.output<ObjectOf<Name>>;

function objectOf(event: EventName): z.ZodObject {
  const objects: Readonly<Record<string, z.ZodObject>> = OBJECTS;
  const found = objects[event] ?? objects[event.replace(/\..*/, "")];
  if (found === undefined) throw new Error(`${event}: say in the index.ts of its noun what it is about`);
  return found;
}

function canonicalEnvelope(type: EventName): z.ZodObject {
  return z.object({
    id: z.string().describe("evt_…; the same on every endpoint and retry, so deduplicate on it"),
    object: z.literal("event"),
    api_version: z.string().meta({ format: "date", description: "Version of the contract" }),
    type: z.literal(type),
    created_at: IsoInstant,
    data: z.object({ object: objectOf(type) }),
  });
}

function legacyEnvelope(event: EventName): z.ZodObject {
  return z.object({ event: z.literal(event), data: objectOf(event) });
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
    "integrations take the canonical events, and `payment.refunded`, the only one that reports refunds.",
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
  const machines = NOUNS.flatMap((noun) => noun.machines);
  const emitted = machines.flatMap(({ initial, transitions }) => [
    ...initial.emits,
    ...Object.values(transitions).flatMap(({ emits }) => emits),
  ]);
  return Object.fromEntries(
    [...new Set(emitted.filter(isEventName))].map((event) => [event, webhook(writer, event, examples[event])]),
  );
}
