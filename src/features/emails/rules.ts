import { escapeHtml } from "../../kernel/html.js";
import { formatMoney } from "../../kernel/money.js";
import { saoPauloFormat } from "../../kernel/time.js";
import type { MedType, MoneyOutcome } from "../med/machine.js";
import type { EmailKind } from "./store.js";

/** The words of the notice e-mails, in Portuguese, as text and as HTML. */

export interface Notice {
  readonly kind: EmailKind;
  readonly account: string;
  readonly caseId: string;
  readonly chargeId: string;
  readonly type: MedType;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | null;
  /** Milliseconds since the epoch. */
  readonly deadline: number | null;
  readonly outcome: MoneyOutcome | null;
  /** Whether the case holds money. It does not when the contested amount is more than was left of the payment. */
  readonly holds: boolean;
}

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
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

function opening({ kind, outcome, holds }: Notice): string {
  if (kind === "MED opened") {
    const money = holds
      ? "O valor contestado foi retido até a decisão."
      : "O valor informado é maior que o que resta do pagamento: nada foi retido e o caso segue para análise manual.";
    return `O banco do pagador contestou um pagamento recebido por você. ${money}`;
  }
  if (!holds) return "O caso foi concluído. Nada havia sido retido e o seu saldo não mudou.";
  return `O caso foi concluído. ${outcome === null ? "" : OUTCOMES[outcome]}`.trim();
}

function advice({ kind, deadline }: Notice): string | null {
  if (kind !== "MED opened") return null;
  const until = deadline === null ? "assim que possível" : `até ${when(deadline)} (horário de Brasília)`;
  return `Responda ${until}: envie as evidências e conteste, ou aceite a devolução.`;
}

function facts(notice: Notice): (readonly [string, string])[] {
  return [
    ["Caso", notice.caseId],
    ["Cobrança", notice.chargeId],
    ["Tipo", TYPES[notice.type]],
    ["Valor contestado", formatMoney(notice.amount, notice.currency)],
    ...(notice.reason === null ? [] : [["Motivo alegado", notice.reason] as const]),
  ];
}

/**
 * Returns the message in both forms. Texts that other people wrote appear escaped in the body, and never in the
 * subject.
 */
export function letterOf(notice: Notice): Letter {
  const amount = formatMoney(notice.amount, notice.currency);
  const what = notice.kind === "MED opened" ? "Contestação aberta" : "Contestação concluída";
  const lines = facts(notice);
  const last = advice(notice);
  const text = [
    `Olá, ${notice.account}.`,
    opening(notice),
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
    `<p>Olá, ${escapeHtml(notice.account)}.</p><p>${escapeHtml(opening(notice))}</p>`,
    `<table style="border-collapse:collapse;font-size:14px">${rows.join("")}</table>`,
    last === null ? "" : `<p><strong>${escapeHtml(last)}</strong></p>`,
    '<p style="color:#5b6577;font-size:13px">Mensagem de um ambiente de simulação (qa-pay).</p></div></body></html>',
  ].join("");
  return { subject: `${what}: ${amount} (${notice.caseId})`, text, html };
}
