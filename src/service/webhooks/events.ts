import type { EventName } from "../features/webhooks/catalogue.js";
import type { CanonicalName, CanonicalObject, LegacyData, LegacyName } from "../openapi/webhooks.js";

/**
 * The events as a receiver gets them (docs/service/webhooks.md#envelopes). The types follow from the schemas of the
 * OpenAPI document. Each family has the name of the other one's field as `undefined`, so that `event.type` and
 * `event.event` can both be read before it is known of which family an event is.
 */

/** An event of the canonical family. Amounts are integers of the smallest unit (centavos), times are ISO 8601 texts. */
export type CanonicalEvent<Name extends CanonicalName = CanonicalName> = Name extends CanonicalName
  ? {
      /** `evt_…`: the same at every endpoint, in every retry and resend. Handle each id once. */
      id: string;
      object: "event";
      /** The version of the contract, a date. */
      api_version: string;
      type: Name;
      created_at: string;
      data: { object: CanonicalObject<Name> };
      event?: undefined;
    }
  : never;

/** An event of the legacy family. It has no id: `X-QA-Delivery-Id` is the same in all retries of a delivery. */
export type LegacyEvent<Name extends LegacyName = LegacyName> = Name extends LegacyName
  ? { event: Name; data: LegacyData<Name>; type?: undefined }
  : never;

/**
 * Every event that this version knows. `event.type` has the name of a canonical one, and `event.event` that of a legacy one.
 * The service adds events without notice: ignore a name that you do not know.
 */
export type WebhookEvent = CanonicalEvent | LegacyEvent;

/** The envelope of an event, as an endpoint is sent it: canonical events have `type`, legacy events have `event`. */
export type ReceivedEvent<Name extends EventName = EventName> = Name extends CanonicalName
  ? CanonicalEvent<Name>
  : Name extends LegacyName
    ? LegacyEvent<Name>
    : never;
