// Creates a Pix charge with nothing but Node: QA_PAY_BASE_URL=… QA_PAY_API_KEY=… node create-charge.mjs

const { QA_PAY_BASE_URL, QA_PAY_API_KEY } = process.env;
const TRIES = 3;

/** Creates a charge. `orderId` names it, so that a repetition answers the same charge and makes no second one. */
async function createCharge(orderId, amount, customer) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${QA_PAY_BASE_URL}/v1/charges`, {
      method: "POST",
      headers: {
        apikey: QA_PAY_API_KEY,
        "Content-Type": "application/json",
        "Idempotency-Key": `charge-for-${orderId}`,
      },
      body: JSON.stringify({ amount, payment_method: "pix", customer, metadata: { order: orderId } }),
      signal: AbortSignal.timeout(10_000),
    }).catch((error) => {
      if (attempt === TRIES) throw error; // nobody answered: whether it was created is unknown, so send it again
      return null;
    });
    if (response === null || (response.status >= 500 && attempt < TRIES)) continue;
    const answer = await response.json();
    if (response.ok) return answer;
    const { error, request_id } = answer;
    throw new Error(`${error.code}: ${error.message} (${request_id})`);
  }
}

const charge = await createCharge("order-42", 1990, { name: "Maria Silva" }); // centavos
console.log(charge.id, charge.status);
console.log(charge.pix.br_code);
