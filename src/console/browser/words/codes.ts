import type { MedStatus } from "../../../features/med/machine.js";
import type { PayoutStatus } from "../../../features/payouts/machine.js";
import type { RefundStatus } from "../../../features/refunds/machine.js";
import type { PaymentMethod } from "../../../features/transactions/catalogue.js";
import type { TransactionStatus } from "../../../features/transactions/machine.js";
import type { Bucket } from "../../../features/wallets/entries.js";
import type { DeliveryStatus } from "../../../features/webhooks/machine.js";
import { type Language, perLanguage } from "./per-language.js";

/** Codes that the API answers, as people read them: states, methods of payment, places of money. Titles and JSON have the codes. */

export type Tone = "good" | "bad" | "wait" | "warn" | "plain";

type State = TransactionStatus | RefundStatus | PayoutStatus | MedStatus | DeliveryStatus | "ACTIVE" | "INACTIVE";

type Code = State | PaymentMethod | Bucket;

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

const names = perLanguage<Readonly<Record<Code, string>>>(
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
    PIX: "Pix",
    CREDIT_CARD: "Card",
    MBWAY: "MB WAY",
    MULTIBANCO: "Multibanco",
    BOLETO: "Boleto",
    CRYPTO: "Crypto",
    available: "Available",
    retained: "Retained",
    review: "Under review",
    clearing: "On its way out",
    provider_fees: "Provider fees",
    platform_fees: "Platform fees",
    world: "Outside",
  },
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
    PIX: "Pix",
    CREDIT_CARD: "Cartão",
    MBWAY: "MB WAY",
    MULTIBANCO: "Multibanco",
    BOLETO: "Boleto",
    CRYPTO: "Cripto",
    available: "Disponível",
    retained: "Bloqueado",
    review: "Em análise",
    clearing: "A caminho da saída",
    provider_fees: "Tarifas do provedor",
    platform_fees: "Tarifas da plataforma",
    world: "Fora",
  },
);

/** The name of a code. A text that is no code stays as it is. */
export function codeNameIn(of: Language, code: string): string {
  const table: Readonly<Record<string, string>> = names(of);
  return Object.hasOwn(table, code) ? (table[code] ?? code) : code;
}

export function toneOfCode(code: string): Tone {
  const table: Readonly<Record<string, Tone>> = TONES;
  return Object.hasOwn(table, code) ? (table[code] ?? "plain") : "plain";
}
