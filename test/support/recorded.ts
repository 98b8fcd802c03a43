import { createClient } from "../../src/index.js";
import type { Done } from "../../src/web/console/browser/words/done.js";
import { freshKey, type Loose, type TestEmulator } from "./emulator.js";

/** Things that a person does in a tab of the console, as its recorder keeps them. */

const HOSTILE = 'it\'s "quoted" $HOME `id` \\ — açaí';

/** A payment in two formats, a refund by the id in its other form, a review note with an id inside, and a move of the clock. */
export async function doThings({ url, key }: TestEmulator): Promise<Done[]> {
  const client = createClient({ baseUrl: url, apiKey: key }) as Loose;
  const all: Done[] = [];
  const act = async (id: string, input: Loose) => {
    const result = await client[id](input);
    all.push({ id, input, result });
    return result;
  };
  const charge = await act("charges.create", {
    body: { amount: 1990, payment_method: "pix", customer: { name: HOSTILE } },
    idempotencyKey: freshKey(),
  });
  await act("sandbox.charges.pay", { params: { id: charge.id }, body: { payer_name: HOSTILE } });
  await act("payments.refund", {
    params: { id: charge.id.replace("ch_", "tx_") },
    body: { amount: 500, reason: `of ${charge.id}, it's wrong`, idempotencyKey: freshKey() },
  });
  await act("sandbox.clock.advance", { body: { seconds: 60 } });
  await act("sandbox.med.open", { body: { charge_id: charge.id, reason: "scam" } });
  return all;
}

/** The results, without ids and instants. */
export async function outcomeOn(emulator: TestEmulator): Promise<Loose> {
  const { data: payments } = (await emulator.call("GET", "/v1/payments")).body;
  const { data: refunds } = await emulator.sandbox("/refunds");
  const { data: cases } = (await emulator.call("GET", "/v1/med/cases")).body;
  const toPlain = (text: string) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");
  return {
    payments: payments.map(({ status, amount, customerName }: Loose) => ({ status, amount, customerName })),
    refunds: refunds.map(({ amount, reason }: Loose) => ({ amount, reason: toPlain(reason ?? "") })),
    cases: cases.map(({ status, reason }: Loose) => ({ status, reason })),
  };
}
