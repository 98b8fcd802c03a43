import type { IncomingHttpHeaders } from "node:http";
import { expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { MedCase } from "../../../src/service/features/med/resource.js";
import type { Payout, WithdrawalEventData } from "../../../src/service/features/payouts/resource.js";
import type { RefundedEventData } from "../../../src/service/features/refunds/events.js";
import type { Charge } from "../../../src/service/features/transactions/charge-resource.js";
import type { PaymentEventData } from "../../../src/service/features/transactions/events.js";
import type { EventName } from "../../../src/service/features/webhooks/catalogue.js";
import type { VerifyWebhookInput, WebhookEvent } from "../../../src/service/webhooks/index.js";

/** The compiler checks these: `npm run types`. */

it("the name of an event defines the type of its data", () => {
  const look = (event: WebhookEvent) => {
    if (event.type === "charge.paid") expectTypeOf(event.data.object).toEqualTypeOf<z.output<typeof Charge>>();
    if (event.type === "payout.failed") expectTypeOf(event.data.object).toEqualTypeOf<z.output<typeof Payout>>();
    if (event.type === "med.resolved") expectTypeOf(event.data.object).toEqualTypeOf<z.output<typeof MedCase>>();
    if (event.type === "med_case.updated") expectTypeOf(event.data.object).toEqualTypeOf<z.output<typeof MedCase>>();
    if (event.event === "payment.failed") expectTypeOf(event.data).toEqualTypeOf<z.output<typeof PaymentEventData>>();
    if (event.event === "payment.refunded") {
      expectTypeOf(event.data).toEqualTypeOf<z.output<typeof RefundedEventData>>();
    }
    if (event.event === "withdrawal.failed") {
      expectTypeOf(event.data).toEqualTypeOf<z.output<typeof WithdrawalEventData>>();
    }
  };
  expectTypeOf(look).parameter(0).toEqualTypeOf<WebhookEvent>();
});

it("every event of the catalogue is one of them, and no other is", () => {
  type Names = NonNullable<WebhookEvent["type"] | WebhookEvent["event"]>;
  expectTypeOf<Names>().toEqualTypeOf<EventName>();
});

it("what frameworks pass can be passed on", () => {
  expectTypeOf<IncomingHttpHeaders>().toExtend<VerifyWebhookInput["headers"]>();
  expectTypeOf<Headers>().toExtend<VerifyWebhookInput["headers"]>();
  expectTypeOf<Record<string, string>>().toExtend<VerifyWebhookInput["headers"]>();
  expectTypeOf<Buffer | string | ArrayBuffer>().toExtend<VerifyWebhookInput["body"]>();
  expectTypeOf<readonly string[] | string>().toExtend<VerifyWebhookInput["secret"]>();
});
