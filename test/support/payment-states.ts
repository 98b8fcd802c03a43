import type { TransactionStatus } from "../../src/service/features/transactions/machine.js";
import { DOCUMENTS } from "./charges.js";
import type { TestEmulator } from "./emulator.js";
import { payment, refundInFull } from "./payments.js";

/** The states to which requests lead. */
export type ReachedStatus = Exclude<TransactionStatus, "PENDING">;

/** A charge that is held for review when the bank does not report its payer. */
export const EXPECTING = { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf };

/** The raw id of a new payment that has got to a state: by card where only a card gets there, else by Pix. */
export async function paymentIn(emulator: TestEmulator, status: ReachedStatus): Promise<string> {
  const isCard = ["APPROVED", "CHARGEBACK"].includes(status);
  const paymentMethods = isCard ? ["PIX", "CREDIT_CARD"] : ["PIX"];
  const made = await (status === "PROCESSING" ? emulator.charge(EXPECTING) : payment(emulator, { paymentMethods }));
  const id = made.id.replace("ch_", "");
  const act = (what: string, body: object = {}) => emulator.sandbox(`/charges/${id}/${what}`, body);
  const pay = () => act("pay", { method: isCard ? "CREDIT_CARD" : "PIX" });
  const contest = (type: string) => emulator.sandbox("/med-cases", { charge_id: id, type });
  const steps: Readonly<Record<ReachedStatus, readonly (() => Promise<unknown>)[]>> = {
    WAITING_PAYMENT: [],
    PROCESSING: [() => act("pay", { payer_document: null })],
    PAID: [pay],
    APPROVED: [pay],
    REFUSED: [() => act("fail")],
    CANCELLED: [() => emulator.call("POST", `/v1/payments/${id}/cancel`)],
    EXPIRED: [() => act("expire")],
    REFUNDED: [pay, () => refundInFull(emulator, id)],
    DISPUTE: [pay, () => contest("med")],
    CHARGEBACK: [pay, () => contest("chargeback")],
  };
  for (const step of steps[status]) await step();
  return id;
}
