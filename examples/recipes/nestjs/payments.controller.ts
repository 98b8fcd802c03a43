// NestJS: payments.controller.ts. main.ts has NestFactory.create(AppModule, { rawBody: true }).
import { BadRequestException, Controller, HttpCode, HttpException, Param, Post, Req } from "@nestjs/common";
import { verifyWebhook, WebhookVerificationError } from "qa-pay/webhooks";

const { QA_PAY_BASE_URL, QA_PAY_API_KEY = "", QA_PAY_WEBHOOK_SECRET = "" } = process.env;

@Controller()
export class PaymentsController {
  @Post("orders/:id/charge")
  async charge(@Param("id") id: string): Promise<unknown> {
    const response = await fetch(`${QA_PAY_BASE_URL}/v1/charges`, {
      method: "POST",
      headers: { apikey: QA_PAY_API_KEY, "Content-Type": "application/json", "Idempotency-Key": `charge-for-${id}` },
      body: JSON.stringify({ amount: 1990, payment_method: "pix", metadata: { order: id } }), // centavos, from your database
      signal: AbortSignal.timeout(10_000),
    });
    const answer = await response.json();
    if (!response.ok) throw new HttpException(answer, response.status);
    return answer;
  }

  /** `rawBody` is the body as it came: a parsed body cannot be verified. */
  @Post("webhooks")
  @HttpCode(204)
  webhook(@Req() { rawBody = Buffer.from(""), headers }: { rawBody?: Buffer; headers: Record<string, string> }): void {
    try {
      const event = verifyWebhook({ body: rawBody, headers, secret: QA_PAY_WEBHOOK_SECRET });
      // The id of an event is the same in every repetition: keep it in a column that is unique.
      if (event.type === "charge.paid") console.log("paid", event.data.object.id, event.id);
    } catch (error) {
      if (error instanceof WebhookVerificationError) throw new BadRequestException(error.reason);
      throw error;
    }
  }
}
