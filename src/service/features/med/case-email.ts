import { escapeHtml } from "../../../base/kernel/html.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { formatMoney } from "../../../base/kernel/money.js";
import { saoPauloFormat } from "../../../base/kernel/time.js";
import { type EmailText, writeEmail } from "../emails/actions.js";
import type { EmailKind } from "../emails/catalogue.js";
import type { Tx } from "../tx.js";
import type { MedType, MoneyOutcome } from "./machine.js";
import type { MedCaseRow } from "./store.js";

/** The notice e-mails about cases, in Portuguese, as text and as HTML. */

/** An e-mail about a case, with the name of its account. */
interface CaseEmail {
  readonly kind: EmailKind;
  readonly account: string;
  readonly row: MedCaseRow;
}

const TYPES: Readonly<Record<MedType, string>> = {
  med: "MED (Mecanismo Especial de Devolução)",
  chargeback: "Chargeback",
  dispute: "Disputa",
  fraud: "Fraude",
};

const OUTCOMES: Readonly<Record<MoneyOutcome, string>> = {
  refunded_to_merchant: "O valor retido voltou ao seu saldo disponível.",
  closed_without_refund: "O caso foi encerrado e o valor não retornou ao seu saldo.",
  lost: "A contestação foi mantida e o valor foi devolvido ao pagador.",
};

const when = saoPauloFormat("pt-BR", { dateStyle: "short", timeStyle: "short" });

function openingOf({ kind, row: { held, money_outcome: outcome } }: CaseEmail): string {
  // A case holds nothing when the contested amount exceeds the rest of the payment.
  const holds = held > 0;
  if (kind === "MED opened") {
    const money = holds
      ? "O valor contestado foi retido até a decisão."
      : "O valor informado é maior que o que resta do pagamento: nada foi retido e o caso segue para análise manual.";
    return `O banco do pagador contestou um pagamento recebido por você. ${money}`;
  }
  if (!holds) return "O caso foi concluído. Nada havia sido retido e o seu saldo não mudou.";
  return `O caso foi concluído. ${outcome === null ? "" : OUTCOMES[outcome]}`.trim();
}

function advice({ kind, row: { response_deadline: deadline } }: CaseEmail): string | null {
  if (kind !== "MED opened") return null;
  const until = deadline === null ? "assim que possível" : `até ${when(deadline)} (horário de Brasília)`;
  return `Responda ${until}: envie as evidências e conteste, ou aceite a devolução.`;
}

function facts({ id, transaction_id, type, amount, currency, reason }: MedCaseRow): (readonly [string, string])[] {
  return [
    ["Caso", ID_PREFIX.medCase + id],
    ["Cobrança", ID_PREFIX.charge + transaction_id],
    ["Tipo", TYPES[type]],
    ["Valor contestado", formatMoney(amount, currency)],
    ...(reason === null ? [] : [["Motivo alegado", reason] as const]),
  ];
}

/** Returns the message in both forms. Texts from others are escaped in the body, and never in the subject. */
function textOf(email: CaseEmail): EmailText {
  const { row } = email;
  const amount = formatMoney(row.amount, row.currency);
  const what = email.kind === "MED opened" ? "Contestação aberta" : "Contestação concluída";
  const lines = facts(row);
  const last = advice(email);
  const text = [
    `Olá, ${email.account}.`,
    openingOf(email),
    lines.map(([label, value]) => `${label}: ${value}`).join("\n"),
    ...(last === null ? [] : [last]),
    "Mensagem de um ambiente de simulação (qa-pay).",
  ].join("\n\n");
  const cell = "padding:6px 12px 6px 0;vertical-align:top";
  const rows = lines.map(
    ([label, value]) =>
      `<tr><td style="${cell};color:#5b6577">${label}</td><td style="${cell}">${escapeHtml(value)}</td></tr>`,
  );
  const html = [
    '<!doctype html><html lang="pt-BR"><body style="margin:0;padding:24px;background:#f4f6fa;color:#14213d;' +
      'font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px;margin:auto;background:#fff;padding:28px;' +
      'border:1px solid #e3e7ee;border-radius:12px">',
    `<h1 style="font-size:20px;margin:0 0 12px">${what}: ${escapeHtml(amount)}</h1>`,
    `<p>Olá, ${escapeHtml(email.account)}.</p><p>${escapeHtml(openingOf(email))}</p>`,
    `<table style="border-collapse:collapse;font-size:14px">${rows.join("")}</table>`,
    last === null ? "" : `<p><strong>${escapeHtml(last)}</strong></p>`,
    '<p style="color:#5b6577;font-size:13px">Mensagem de um ambiente de simulação (qa-pay).</p></div></body></html>',
  ].join("");
  return { subject: `${what}: ${amount} (${ID_PREFIX.medCase}${row.id})`, text, html };
}

/** Notifies the contact of the account of a change of a case. `history` is that change. */
export function emailCase(tx: Tx, row: MedCaseRow, kind: EmailKind, history: number): void {
  const about = { bookId: row.book_id, caseId: row.id, kind, history };
  writeEmail(tx, about, (account) => textOf({ kind, account, row }));
}
