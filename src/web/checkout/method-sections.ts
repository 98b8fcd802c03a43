import { formatLine } from "../../base/documents/boleto-pdf.js";
import { escapeHtml } from "../../base/kernel/html.js";
import { parseObject } from "../../base/kernel/json.js";
import { fill } from "../../base/kernel/message.js";
import { isoDate, saoPauloDay } from "../../base/kernel/time.js";
import { digitableLine } from "../../base/methods/boleto.js";
import { EMULATED_ISPB } from "../../base/pix/ids.js";
import { qrSvg } from "../../base/pix/qr.js";
import { methodExpiry, type PaymentMethod } from "../../service/features/transactions/catalogue.js";
import { brCodeOf } from "../../service/features/transactions/charge-resource.js";
import { barcodeOf, multibancoOf, toPayment } from "../../service/features/transactions/payment-resource.js";
import { showsCodes } from "../../service/features/transactions/rules.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Reader } from "../../service/features/tx.js";
import { amountText, expiryText, instantText } from "./format.js";
import { listHtml } from "./shell.js";
import type { Visit } from "./visit.js";

/** The sections of the checkout page, one for each method. */

/** Returns the Pix code of a transaction as the service shows it now; null when it shows none. */
export function pixCodeOf(reader: Reader, row: TransactionRow): string | null {
  const account = showsCodes(row, "PIX", reader.now) ? reader.accounts.byBook(row.book_id) : null;
  return account === null ? null : brCodeOf(row, account);
}

interface Copied {
  readonly copy: string;
  /** The text of the button after it has copied. */
  readonly copied: string;
  /** The name of the copied text. */
  readonly code: string;
}

/** `shown` is the text in groups of digits, when people read it like that. */
function copyHtml({ copy, copied, code }: Copied, text: string, shown = text): string {
  return `<button type="button" class="main" data-copy="${escapeHtml(text)}" data-done="${escapeHtml(copied)}">${escapeHtml(copy)}</button>
<p class="sunken code" tabindex="0" role="textbox" aria-readonly="true" aria-multiline="true" aria-label="${escapeHtml(code)}">${escapeHtml(shown)}</p>`;
}

/** The whole time of a method, and its remaining time. The script of the page counts it down. */
function timeHtml(reader: Reader, row: TransactionRow, method: PaymentMethod, visit: Visit): string {
  const expiry = methodExpiry(row, method);
  const seconds = (ms: number) => Math.max(0, Math.ceil(ms / 1_000));
  const until = escapeHtml(expiryText(expiry, reader.now, row, visit));
  return `<div class="time" data-time="${method}"><p role="timer" data-until="${until}">${until}</p>
<progress aria-hidden="true" max="${seconds(expiry - row.created_at)}" value="${seconds(expiry - reader.now)}"></progress></div>`;
}

function stepsHtml(className: string, steps: readonly string[]): string {
  return `<ol class="${className}">${steps.map((step) => `<li>${escapeHtml(step)}</li>`).join("")}</ol>`;
}

function pixHtml(reader: Reader, row: TransactionRow, visit: Visit): string {
  const { pix } = visit.texts;
  const code = pixCodeOf(reader, row) ?? "";
  return `${timeHtml(reader, row, "PIX", visit)}
<div class="pix"><div class="copy">${copyHtml(pix, code)}
<button type="button" data-share hidden>${pix.share}</button></div>
<details class="scan"><summary>${pix.showQr}</summary>
<div class="qr" role="img" aria-label="${pix.qr}">${qrSvg(code)}</div></details></div>
<h3>${pix.steps}</h3>
${stepsHtml("steps phone", pix.phoneSteps)}${stepsHtml("steps desktop", pix.desktopSteps)}`;
}

/** The advice to compare the head of the page with what the payer's bank shows. */
export function checkHtml({ texts: { pix } }: Visit): string {
  return `<section class="check" data-with="PIX" aria-labelledby="check-title"><h2 id="check-title">${pix.check}</h2>
<p class="hint">${fill(pix.checkHint, { ispb: EMULATED_ISPB })}</p></section>`;
}

function mbwayPhone(row: TransactionRow): string | null {
  const { phone } = parseObject(row.metadata);
  return typeof phone === "string" ? `•••${phone.slice(-3)}` : null;
}

interface Section {
  title(visit: Visit): string;
  /** The language of the section; null for that of the page. */
  language?(visit: Visit): string;
  html(reader: Reader, row: TransactionRow, visit: Visit): string | Promise<string>;
}

const SECTIONS: Readonly<Record<PaymentMethod, Section>> = {
  PIX: { title: () => "Pix", html: pixHtml },
  CREDIT_CARD: {
    title: ({ texts }) => texts.card.method,
    html: (_reader, row, { texts, choices }) => `<p class="hint">${texts.card.hint}</p>
<a class="button main" href="/card/${row.id}?k=${row.checkout_token}${escapeHtml(choices)}">${texts.card.go}</a>`,
  },
  MBWAY: {
    title: () => "MB WAY",
    language: ({ texts }) => texts.mbway.language,
    html: (reader, row, visit) => `<p>${escapeHtml(fill(visit.texts.mbway.ask, { phone: mbwayPhone(row) }))}</p>
<p class="hint">${visit.texts.mbway.hint}</p>${timeHtml(reader, row, "MBWAY", visit)}`,
  },
  MULTIBANCO: {
    title: () => "Multibanco",
    language: ({ texts }) => texts.multibanco.language,
    html(_reader, row, visit) {
      const { multibanco } = visit.texts;
      const { mbEntity, mbReference } = multibancoOf(row);
      return `<p class="hint">${multibanco.hint}</p>
${listHtml([
  [multibanco.entity, mbEntity],
  [multibanco.reference, mbReference.replace(/(...)(?=.)/g, "$1 ")],
  [multibanco.amount, amountText(row)],
  [multibanco.until, instantText(methodExpiry(row, "MULTIBANCO"), row, visit)],
])}`;
    },
  },
  BOLETO: {
    title: () => "Boleto",
    html(_reader, row, { texts: { boleto } }) {
      const line = digitableLine(barcodeOf(row));
      const due = isoDate(saoPauloDay(methodExpiry(row, "BOLETO")))
        .split("-")
        .reverse()
        .join("/");
      return `<p class="hint">${fill(boleto.due, { day: due })}</p>
${copyHtml(boleto, line, formatLine(line))}
<a class="button" href="/boleto/${row.id}.pdf?k=${row.checkout_token}" target="_blank" rel="noopener">${boleto.open}</a>`;
    },
  },
  CRYPTO: {
    title: ({ texts }) => texts.crypto.method,
    html(reader, row, visit) {
      const { crypto } = visit.texts;
      const { cryptoAddress, cryptoNetwork } = toPayment(reader, row);
      return `<p class="note warn">${crypto.warning}</p>
${listHtml([
  [crypto.amount, amountText(row)],
  [crypto.network, cryptoNetwork ?? ""],
])}${timeHtml(reader, row, "CRYPTO", visit)}
${copyHtml(crypto, cryptoAddress ?? "")}`;
    },
  },
};

/** Returns the name of a method, as the heading of its section or of the page. */
export function methodTitle(method: PaymentMethod, visit: Visit): string {
  return SECTIONS[method].title(visit);
}

/**
 * Returns one section for each method. The heading of the only method is hidden, because that of the page names it. With
 * several, one section is open (Pix at first), and a browser without script closes it when another is opened.
 */
export async function methodsHtml(
  reader: Reader,
  row: TransactionRow,
  methods: readonly PaymentMethod[],
  visit: Visit,
): Promise<string> {
  const isOnly = methods.length === 1;
  const first = methods.includes("PIX") ? "PIX" : methods[0];
  const sections = methods.map(async (method) => {
    const { language, html } = SECTIONS[method];
    const lang = language === undefined ? "" : ` lang="${language(visit)}"`;
    const content = await html(reader, row, visit);
    const hidden = isOnly ? ` class="visually-hidden"` : "";
    const heading = `<h2${hidden}>${methodTitle(method, visit)}</h2>`;
    const choice = `<details name="method"${method === first ? " open" : ""}><summary>${heading}</summary>${content}</details>`;
    return `<section data-method="${method}"${lang}>${isOnly ? heading + content : choice}</section>`;
  });
  return `<div class="methods${isOnly ? "" : " stack many"}">${(await Promise.all(sections)).join("\n")}</div>`;
}
