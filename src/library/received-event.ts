import type { EventName } from "../features/webhooks/catalogue.js";
import type { CanonicalName, LegacyName } from "../openapi/webhooks.js";
import type { CanonicalEvent, LegacyEvent } from "../webhooks/events.js";

/** The envelope of an event, as an endpoint is sent it: canonical events have `type`, legacy events have `event`. */
export type ReceivedEvent<Name extends EventName = EventName> = Name extends CanonicalName
  ? CanonicalEvent<Name>
  : Name extends LegacyName
    ? LegacyEvent<Name>
    : never;
