import type { z } from "zod";
import type { MedCase } from "../features/med/wire.js";
import type { Payout, WithdrawalEventData } from "../features/payouts/wire.js";
import type { PaymentEventData, RefundedEventData } from "../features/transactions/events.js";
import type { Charge } from "../features/transactions/wire-charge.js";
import type { EventName } from "../features/webhooks/catalogue.js";

/** The envelope of each event, as an endpoint is sent it (docs/service/webhooks.md#envelopes). */

interface Canonical<Name, Subject> {
  readonly id: string;
  readonly object: "event";
  /** The version of the contract, a date. */
  readonly api_version: string;
  readonly type: Name;
  readonly created_at: string;
  readonly data: { readonly object: Subject };
}

interface Legacy<Name, Data> {
  readonly event: Name;
  readonly data: Data;
}

/** The envelope of an event: canonical events have `type`, legacy events have `event`. */
export type ToldEvent<Name extends EventName = EventName> = Name extends `charge.${string}`
  ? Canonical<Name, z.output<typeof Charge>>
  : Name extends `payout.${string}`
    ? Canonical<Name, z.output<typeof Payout>>
    : Name extends `med${string}`
      ? Canonical<Name, z.output<typeof MedCase>>
      : Name extends "payment.refunded"
        ? Legacy<Name, z.output<typeof RefundedEventData>>
        : Name extends `payment.${string}`
          ? Legacy<Name, z.output<typeof PaymentEventData>>
          : Legacy<Name, z.output<typeof WithdrawalEventData>>;
