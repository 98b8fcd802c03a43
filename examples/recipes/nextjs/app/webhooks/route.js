// Next.js: app/webhooks/route.js
import { verifyWebhook, WebhookVerificationError } from "qa-pay/webhooks";

export async function POST(request) {
  const body = await request.text(); // as it came: a parsed body cannot be verified
  try {
    const event = verifyWebhook({ body, headers: request.headers, secret: process.env.QA_PAY_WEBHOOK_SECRET });
    // The id of an event is the same in every repetition: keep it in a column that is unique.
    if (event.type === "charge.paid") console.log("paid", event.data.object.id, event.id);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return Response.json({ refused: error.reason }, { status: 400 });
  }
}
