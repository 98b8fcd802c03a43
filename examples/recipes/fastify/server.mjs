// Fastify: PORT=3000 QA_PAY_BASE_URL=… QA_PAY_API_KEY=… QA_PAY_WEBHOOK_SECRET=… node server.mjs
import Fastify from "fastify";
import { verifyWebhook, WebhookVerificationError } from "qa-pay/webhooks";

const { PORT = "3000", QA_PAY_BASE_URL, QA_PAY_API_KEY, QA_PAY_WEBHOOK_SECRET } = process.env;
const app = Fastify();

app.post("/orders/:id/charge", async (request, reply) => {
  const { id } = request.params;
  const response = await fetch(`${QA_PAY_BASE_URL}/v1/charges`, {
    method: "POST",
    headers: { apikey: QA_PAY_API_KEY, "Content-Type": "application/json", "Idempotency-Key": `charge-for-${id}` },
    body: JSON.stringify({ amount: 1990, payment_method: "pix", metadata: { order: id } }), // centavos, from your database
    signal: AbortSignal.timeout(10_000),
  });
  return reply.code(response.status).send(await response.json());
});

app.register(async (scope) => {
  // The body stays as it came, for the routes of this function alone: a parsed body cannot be verified.
  const keep = (_request, body, done) => done(null, body);
  scope.addContentTypeParser("application/json", { parseAs: "buffer" }, keep);
  scope.post("/webhooks", async ({ body, headers }, reply) => {
    try {
      const event = verifyWebhook({ body, headers, secret: QA_PAY_WEBHOOK_SECRET });
      // The id of an event is the same in every repetition: keep it in a column that is unique.
      if (event.type === "charge.paid") console.log("paid", event.data.object.id, event.id);
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(400).send({ refused: error.reason });
    }
  });
});

await app.listen({ port: Number(PORT) });
