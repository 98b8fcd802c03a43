// Next.js: app/orders/[id]/charge/route.js
const { QA_PAY_BASE_URL, QA_PAY_API_KEY } = process.env;

export async function POST(_request, { params }) {
  const { id } = await params;
  const response = await fetch(`${QA_PAY_BASE_URL}/v1/charges`, {
    method: "POST",
    headers: { apikey: QA_PAY_API_KEY, "Content-Type": "application/json", "Idempotency-Key": `charge-for-${id}` },
    body: JSON.stringify({ amount: 1990, payment_method: "pix", metadata: { order: id } }), // centavos, from your database
    signal: AbortSignal.timeout(10_000),
  });
  return Response.json(await response.json(), { status: response.status });
}
