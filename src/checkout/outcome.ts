import { hasMethod, packMethods } from "../features/transactions/catalogue.js";
import {
  type ChargeStatus,
  isWaiting,
  PUBLIC_STATUS,
  type TransactionStatus,
} from "../features/transactions/machine.js";
import { isInFlight } from "../features/transactions/rules.js";
import type { TransactionRow } from "../features/transactions/store.js";
import { escapeHtml } from "../kernel/html.js";

/** The end of a transaction, in the words of its page for the payer. */
export interface Outcome {
  readonly tone: "good" | "bad" | "wait" | "plain";
  readonly title: string;
  readonly text: string;
}

/** The reasons that the card page writes into `metadata.failure`. */
export const CARD_DECLINED = "card_declined";
export const THREE_DS_FAILED = "3ds_failed";

const REFUSED: Readonly<Record<string, string>> = {
  [CARD_DECLINED]: "O banco emissor não autorizou o cartão. Nada foi cobrado.",
  [THREE_DS_FAILED]: "O banco emissor não pôde confirmar que a compra é sua. Nada foi cobrado.",
};

/**
 * Returns the status of a transaction at an instant: one that is due to expire counts as expired even before its row
 * says so.
 */
export function statusNow(row: TransactionRow, now: number): TransactionStatus {
  const canExpire = isWaiting(row.status) || isInFlight(row);
  return canExpire && row.expires_at <= now ? "EXPIRED" : row.status;
}

export function failureReason({ failure }: TransactionRow): string | null {
  return failure === null ? null : (JSON.parse(failure) as { reason: string }).reason;
}

function failed(row: TransactionRow): Outcome {
  const refusal = REFUSED[failureReason(row) ?? ""];
  const byCard = refusal !== undefined || row.payment_methods === packMethods(["CREDIT_CARD"]);
  if (byCard && row.provider_reference !== null) {
    return { tone: "bad", title: "Pagamento recusado", text: refusal ?? "O cartão não foi aceito. Nada foi cobrado." };
  }
  const what = hasMethod(row, "PIX") ? "este Pix" : "esta cobrança";
  const text = `Não foi possível gerar ${what}. Peça uma nova cobrança.`;
  return { tone: "bad", title: "Cobrança indisponível", text };
}

const OUTCOMES: Readonly<Record<Exclude<ChargeStatus, "pending">, (row: TransactionRow) => Outcome>> = {
  paid: ({ paid_with }) => ({
    tone: "good",
    title: "Pagamento confirmado",
    text: `Recebemos o seu ${paid_with === "PIX" ? "Pix" : "pagamento"}. Obrigado!`,
  }),
  processing: (row) =>
    isInFlight(row)
      ? {
          tone: "wait",
          title: "Autenticação em andamento",
          text: "O banco emissor do cartão está confirmando que a compra é sua.",
        }
      : {
          tone: "wait",
          title: "Pagamento em análise",
          text: "Recebemos o seu Pix e estamos conferindo os dados.",
        },
  expired: () => ({
    tone: "plain",
    title: "Cobrança expirada",
    text: "O prazo para pagar terminou. Peça uma nova cobrança.",
  }),
  failed,
  cancelled: () => ({ tone: "plain", title: "Cobrança cancelada", text: "Esta cobrança não pode mais ser paga." }),
  refunded: ({ paid_with }) => ({
    tone: "plain",
    title: "Pagamento devolvido",
    text: `O valor foi devolvido ${paid_with === "CREDIT_CARD" ? "ao cartão" : "à conta de origem"}.`,
  }),
  disputed: () => ({
    tone: "plain",
    title: "Pagamento em disputa",
    text: "Este pagamento está sendo contestado.",
  }),
};

/** Returns the outcome; null while the payer can still pay. */
export function outcomeOf(row: TransactionRow, now: number): Outcome | null {
  const status = PUBLIC_STATUS[statusNow(row, now)];
  return status === "pending" ? null : OUTCOMES[status](row);
}

/**
 * Returns the element that shows an outcome. `after` is HTML behind the text. Without an outcome the element is hidden,
 * until the script of the page shows one.
 */
export function outcomeHtml(outcome: Outcome | null, after = ""): string {
  const { tone, title, text } = outcome ?? { tone: "plain", title: "", text: "" };
  return `<section class="outcome ${tone}" id="outcome" role="status" aria-live="polite"${outcome === null ? " hidden" : ""}>
<h1 id="title">${escapeHtml(title)}</h1><p id="text">${escapeHtml(text)}</p>${after}</section>`;
}
