import { printedLine } from "../documents/boleto-pdf.js";
import { hasMethod, METHOD_NAMES, methodExpiry, type PaymentMethod } from "../features/transactions/catalogue.js";
import { isWaiting } from "../features/transactions/machine.js";
import { showsCodes } from "../features/transactions/rules.js";
import type { TransactionRow } from "../features/transactions/store.js";
import { brCodeOf } from "../features/transactions/wire-charge.js";
import { barcodeOf, multibancoOf, toPayment } from "../features/transactions/wire-payment.js";
import type { Reader } from "../features/tx.js";
import { escapeHtml } from "../kernel/html.js";
import { formatMoney } from "../kernel/money.js";
import { isoDate, saoPauloDay } from "../kernel/time.js";
import { digitableLine } from "../methods/boleto.js";
import { qrSvg } from "../pix/qr.js";
import { statusNow } from "./outcome.js";

/** The sections of the checkout page, one for each method. */

/**
 * Returns the methods with which a transaction can be paid now. There are none after its end, and none before the
 * acquirer has issued it.
 */
export function payableMethods(row: TransactionRow, now: number): PaymentMethod[] {
  if (row.provider_reference === null || !isWaiting(statusNow(row, now))) return [];
  return METHOD_NAMES.filter((method) => hasMethod(row, method) && methodExpiry(row, method) > now);
}

/** Returns the Pix code of a transaction as the service shows it now; null when it shows none. */
export function pixCodeOf(reader: Reader, row: TransactionRow): string | null {
  const account = showsCodes(row, "PIX", reader.now) ? reader.accounts.byBook(row.book_id) : null;
  return account === null ? null : brCodeOf(row, account);
}

interface Copied {
  readonly label: string;
  /** The text of the button after it has copied. */
  readonly done: string;
  readonly text: string;
  /** The text as it is shown, when people read it in groups of digits. */
  readonly shown?: string;
}

function copyHtml({ label, done, text, shown = text }: Copied): string {
  return `<button type="button" data-copy="${escapeHtml(text)}" data-done="${escapeHtml(done)}">${escapeHtml(label)}</button>
<p class="code">${escapeHtml(shown)}</p>`;
}

/** The time that is left; the script of the page counts it down. */
function timeHtml(reader: Reader, row: TransactionRow, method: PaymentMethod): string {
  const seconds = Math.max(0, Math.ceil((methodExpiry(row, method) - reader.now) / 1_000));
  return `<p class="time" data-left="${seconds}"></p>`;
}

function listHtml(entries: readonly (readonly [string, string])[]): string {
  return `<dl>${entries.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("")}</dl>`;
}

const LISBON = new Intl.DateTimeFormat("pt-PT", { timeZone: "Europe/Lisbon", dateStyle: "short", timeStyle: "short" });

function mbwayPhone(row: TransactionRow): string | null {
  const { phone = row.customer_phone } = JSON.parse(row.metadata) as { phone?: unknown };
  return typeof phone === "string" ? `•••${phone.slice(-3)}` : null;
}

type Section = (reader: Reader, row: TransactionRow) => string | Promise<string>;

const SECTIONS: Readonly<Record<PaymentMethod, { readonly title: string; readonly lang?: string; html: Section }>> = {
  PIX: {
    title: "Pix",
    async html(reader, row) {
      const code = pixCodeOf(reader, row) ?? "";
      return `<div class="qr" role="img" aria-label="QR Code do Pix">${await qrSvg(code)}</div>
${timeHtml(reader, row, "PIX")}${copyHtml({ label: "Copiar código Pix", done: "Código copiado", text: code })}`;
    },
  },
  CREDIT_CARD: {
    title: "Cartão de crédito",
    html: (_reader, row) => `<p class="hint">Você continua na página do cartão.</p>
<a class="button" href="/card/${row.id}?k=${row.checkout_token}">Pagar com cartão</a>`,
  },
  MBWAY: {
    title: "MB WAY",
    lang: "pt-PT",
    html(reader, row) {
      const phone = mbwayPhone(row);
      const where = phone === null ? "" : ` para o número ${escapeHtml(phone)}`;
      return `<p>Confirme no telemóvel: enviámos um pedido${where}.</p>
<p class="hint">Tem quatro minutos para o aceitar na app MB WAY.</p>${timeHtml(reader, row, "MBWAY")}`;
    },
  },
  MULTIBANCO: {
    title: "Multibanco",
    lang: "pt-PT",
    html(_reader, row) {
      const { mbEntity, mbReference } = multibancoOf(row);
      const reference = mbReference.replace(/(...)(?=.)/g, "$1 ");
      const until = LISBON.format(methodExpiry(row, "MULTIBANCO"));
      return `<p class="hint">No multibanco ou no homebanking, em Pagamento de serviços.</p>
${listHtml([
  ["Entidade", mbEntity],
  ["Referência", reference],
  ["Montante", formatMoney(row.amount, row.currency)],
  ["Válida até", until],
])}`;
    },
  },
  BOLETO: {
    title: "Boleto",
    html(_reader, row) {
      const line = digitableLine(barcodeOf(row));
      const due = isoDate(saoPauloDay(methodExpiry(row, "BOLETO")))
        .split("-")
        .reverse()
        .join("/");
      return `<p class="hint">Vencimento em ${due}.</p>
${copyHtml({ label: "Copiar linha digitável", done: "Linha copiada", text: line, shown: printedLine(line) })}
<a class="button quiet" href="/boleto/${row.id}.pdf?k=${row.checkout_token}" target="_blank">Abrir boleto em PDF</a>`;
    },
  },
  CRYPTO: {
    title: "Criptomoeda",
    html(reader, row) {
      const { cryptoAddress, cryptoNetwork } = toPayment(reader, row);
      return `<p class="note">Endereço de simulação: ninguém tem a chave dele. Não envie fundos reais.</p>
${listHtml([
  ["Valor exato", formatMoney(row.amount, row.currency)],
  ["Rede", cryptoNetwork ?? ""],
])}${timeHtml(reader, row, "CRYPTO")}
${copyHtml({ label: "Copiar endereço", done: "Endereço copiado", text: cryptoAddress ?? "" })}`;
    },
  },
};

/** Returns one section for each method. The section of a charge with Pix as its only method has no heading. */
export async function methodsHtml(
  reader: Reader,
  row: TransactionRow,
  methods: readonly PaymentMethod[],
): Promise<string> {
  const onlyPix = methods.length === 1 && methods[0] === "PIX";
  const sections = methods.map(async (method) => {
    const { title, lang, html } = SECTIONS[method];
    const heading = onlyPix ? "" : `<h2>${title}</h2>`;
    const language = lang === undefined ? "" : ` lang="${lang}"`;
    return `<section data-method="${method}"${language}>${heading}${await html(reader, row)}</section>`;
  });
  return `<div class="methods${onlyPix ? "" : " many"}" id="methods">${(await Promise.all(sections)).join("\n")}</div>`;
}
