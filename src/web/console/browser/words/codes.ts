import type { UserRole } from "../../../../base/kernel/contract.js";
import { isNameOf } from "../../../../base/kernel/names.js";
import type { MedStatus } from "../../../../service/features/med/machine.js";
import type { PayoutStatus } from "../../../../service/features/payouts/machine.js";
import type { RefundStatus } from "../../../../service/features/refunds/machine.js";
import type { PaymentMethod } from "../../../../service/features/transactions/catalogue.js";
import type { TransactionStatus } from "../../../../service/features/transactions/machine.js";
import type { Bucket, JournalKind } from "../../../../service/features/wallets/entries.js";
import type { DeliveryStatus, EndpointStatus } from "../../../../service/features/webhooks/machine.js";
import { type Language, textsIn } from "../texts/index.js";

/** Codes of the API as people read them: states, methods, places of money, reasons. Titles and JSON have codes. */

export type Tone = "good" | "bad" | "wait" | "warn" | "plain";

type State = TransactionStatus | RefundStatus | PayoutStatus | MedStatus | DeliveryStatus | EndpointStatus;

type Code = State | PaymentMethod | Bucket | JournalKind | UserRole;

const TONES: Readonly<Record<State, Tone>> = {
  PENDING: "wait",
  WAITING_PAYMENT: "wait",
  PROCESSING: "warn",
  PAID: "good",
  APPROVED: "good",
  REFUSED: "bad",
  CANCELLED: "plain",
  EXPIRED: "plain",
  REFUNDED: "plain",
  CHARGEBACK: "warn",
  DISPUTE: "warn",
  IN_PROGRESS: "wait",
  DELIVERED: "good",
  FAILED: "bad",
  ACTIVE: "good",
  INACTIVE: "plain",
  pending: "wait",
  paid: "good",
  failed: "bad",
  open: "warn",
  appealed: "wait",
  accepted: "plain",
  closed: "plain",
  rejected: "bad",
};

/** The name of a code. A text that is no code stays as it is. */
export function codeNameIn(of: Language, code: string): string {
  const names: Readonly<Record<Code, string>> = textsIn(of).codes;
  return isNameOf(names, code) ? names[code] : code;
}

export function toneOfCode(code: string): Tone {
  return isNameOf(TONES, code) ? TONES[code] : "plain";
}
