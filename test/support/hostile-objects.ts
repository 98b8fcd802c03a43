import type { TestEmulator } from "./emulator.js";
import { addEvidence, openCase, paidCharge } from "./med.js";
import type { Receiver } from "./receiver.js";
import { paidPayment, refund } from "./refunds.js";
import { settle, subscribe } from "./webhooks.js";

const HOSTILE = '"><img src=x onerror="window.hostile=1"><script>window.hostile=1</script>';

/** Objects of every kind, with texts from elsewhere that try to become markup. */
export async function fillWithHostileTexts(emulator: TestEmulator, receiver: Receiver): Promise<void> {
  receiver.respond = () => ({ status: 500, body: HOSTILE, headers: { "content-type": "text/html" } });
  await subscribe(emulator, receiver.url, ["charge.created", "charge.paid", "med_case.created", "payout.created"]);
  await emulator.charge({ description: HOSTILE, customer: { name: HOSTILE }, metadata: { note: HOSTILE } });
  const { id } = await paidCharge(emulator, { customer: { name: HOSTILE } });
  const medCase = await openCase(emulator, { charge_id: id, reason: HOSTILE });
  await addEvidence(emulator, medCase.id, { file_name: `${HOSTILE.replace(/[/\\]/g, "")}.png` });
  await refund(emulator, (await paidPayment(emulator, { amount: 5_000 })).id, { amount: 100 });
  await emulator.sandbox("/payouts", { amount: 700 });
  await emulator.sandbox("/accounts", { name: HOSTILE });
  await emulator.sandbox("/faults", { match: { path: "/v1/nothing" }, effect: { status: 503 } });
  await emulator.sandbox("/snapshots", { name: "before" });
  await emulator.call("GET", "/v1/payments?sort=nothing", { headers: { "user-agent": HOSTILE } });
  await settle(emulator);
}
