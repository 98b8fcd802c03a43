import type { MedStatus } from "../../../features/med/machine.js";
import type { PayoutStatus } from "../../../features/payouts/machine.js";
import type { RefundStatus } from "../../../features/refunds/machine.js";
import type { TransactionStatus } from "../../../features/transactions/machine.js";
import type { DeliveryStatus } from "../../../features/webhooks/machine.js";
import { texts } from "../state/language.js";

/** The states of all objects as people read them. The code of a state is what the API answers: it stands in titles and JSON. */

export type Tone = "good" | "bad" | "wait" | "warn" | "plain";

type State = TransactionStatus | RefundStatus | PayoutStatus | MedStatus | DeliveryStatus | "ACTIVE" | "INACTIVE";

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
  CHARGEBACK: "bad",
  DISPUTE: "bad",
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

const names = texts(
  {
    PENDING: "Pending",
    WAITING_PAYMENT: "Waiting",
    PROCESSING: "Processing",
    PAID: "Paid",
    APPROVED: "Approved",
    REFUSED: "Refused",
    CANCELLED: "Cancelled",
    EXPIRED: "Expired",
    REFUNDED: "Refunded",
    CHARGEBACK: "Chargeback",
    DISPUTE: "Disputed",
    IN_PROGRESS: "In progress",
    DELIVERED: "Delivered",
    FAILED: "Failed",
    ACTIVE: "Active",
    INACTIVE: "Paused",
    pending: "Pending",
    paid: "Paid",
    failed: "Failed",
    open: "Open",
    appealed: "Appealed",
    accepted: "Accepted",
    closed: "Closed",
    rejected: "Rejected",
  } satisfies Record<State, string>,
  {
    PENDING: "Pendente",
    WAITING_PAYMENT: "Aguardando",
    PROCESSING: "Processando",
    PAID: "Paga",
    APPROVED: "Aprovada",
    REFUSED: "Recusada",
    CANCELLED: "Cancelada",
    EXPIRED: "Expirada",
    REFUNDED: "Devolvida",
    CHARGEBACK: "Chargeback",
    DISPUTE: "Contestada",
    IN_PROGRESS: "Em andamento",
    DELIVERED: "Entregue",
    FAILED: "Falhou",
    ACTIVE: "Ativo",
    INACTIVE: "Pausado",
    pending: "Pendente",
    paid: "Pago",
    failed: "Falhou",
    open: "Aberto",
    appealed: "Em recurso",
    accepted: "Aceito",
    closed: "Encerrado",
    rejected: "Rejeitado",
  },
);

const isState = (code: string): code is State => Object.hasOwn(TONES, code);

/** The name of a state in the language of the page. A text that is no state stays as it is. */
export function stateName(code: string): string {
  return isState(code) ? names.value[code] : code;
}

export function toneOfState(code: string): Tone {
  return isState(code) ? TONES[code] : "plain";
}
