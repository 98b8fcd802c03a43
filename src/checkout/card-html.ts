import { escapeHtml } from "../kernel/html.js";
import { type Outcome, outcomeHtml } from "./outcome.js";
import { headHtml, type Subject, shellHtml } from "./shell.js";

/** The hosted card page in Portuguese: plain forms, no script. */
export interface CardView extends Subject {
  readonly state: CardState;
  /** `tx_<uuid>` */
  readonly transactionId: string;
  /** Leads back to the shop, with the outcome of the payment in the address. */
  readonly returnHref: string | null;
  /** The address of the checkout page, while it offers other methods; else null. */
  readonly checkoutHref: string | null;
}

export type CardState =
  /** The acquirer has not issued the payment yet. */
  | { readonly kind: "wait" }
  | { readonly kind: "choose" }
  /** The issuer wants to authenticate the cardholder. */
  | { readonly kind: "authenticate" }
  /** The time of the card method is over, or the transaction has ended. */
  | { readonly kind: "over"; readonly outcome: Outcome };

const SIMULATION = `<p class="note"><strong>Simulação.</strong> Nenhum cartão é cobrado e nenhum dado de cartão é pedido:
escolha o que o emissor vai responder.</p>`;

const PLASTIC = `<div class="plastic" aria-hidden="true"><div class="chip"></div>•••• •••• •••• 0000
<small><span>CARTÃO DE TESTE</span><span>12/99</span></small></div>`;

function stepButton(step: string, label: string, look = ""): string {
  return `<button name="step" value="${step}"${look === "" ? "" : ` class="${look}"`}>${label}</button>`;
}

function chooseHtml(view: CardView): string {
  const others =
    view.checkoutHref === null ? "" : `<p class="more"><a href="${view.checkoutHref}">Pagar de outra forma</a></p>`;
  return `${SIMULATION}<h1>Pagamento com cartão</h1>${headHtml(view)}${PLASTIC}
<form method="post">${stepButton("approve", "Aprovar pagamento")}
${stepButton("challenge", "Exigir autenticação 3DS", "quiet")}
${stepButton("refuse", "Recusar pagamento", "danger")}</form>${others}`;
}

function authenticateHtml(view: CardView): string {
  return `<p class="bank"><span>Banco de Teste</span><span>3-D Secure</span></p>
<h1>Autenticação 3DS do banco emissor</h1><p class="hint">O seu banco quer confirmar que esta compra é sua.</p>
<dl><dt>Loja</dt><dd>${escapeHtml(view.merchant)}</dd><dt>Valor</dt><dd>${escapeHtml(view.amount)}</dd>
<dt>Cartão</dt><dd>•••• 0000</dd></dl>${SIMULATION}
<form method="post">${stepButton("authenticate", "Autenticar")}
${stepButton("fail_authentication", "Falhar autenticação", "danger")}</form>`;
}

function overHtml(view: CardView, outcome: Outcome): string {
  const { returnHref, checkoutHref } = view;
  const others = checkoutHref === null ? "" : `<a class="button" href="${checkoutHref}">Pagar de outra forma</a>`;
  const look = checkoutHref === null ? "button" : "button quiet";
  const back = returnHref === null ? "" : `<a class="${look}" href="${escapeHtml(returnHref)}">Voltar à loja</a>`;
  return `${headHtml(view)}${outcomeHtml(outcome, others + back)}`;
}

/** Seconds after which the browser loads the page again, while the acquirer has not issued the payment. */
const REFRESH = 2;

export function cardHtml(view: CardView): string {
  const { state, nonce } = view;
  const reference = `<p class="ref">${escapeHtml(view.transactionId)}</p>`;
  const page = (title: string, main: string) => shellHtml({ nonce, title, main: `${main}${reference}` });
  switch (state.kind) {
    case "wait": {
      const text = "Aguarde: o adquirente está abrindo a sessão do cartão. A página se atualiza sozinha.";
      const outcome = { tone: "wait", title: "Preparando o pagamento", text } as const;
      const main = `${headHtml(view)}${outcomeHtml(outcome)}${reference}`;
      return shellHtml({ nonce, title: outcome.title, main, refresh: REFRESH });
    }
    case "choose":
      return page(`Pagar ${view.amount} com cartão`, chooseHtml(view));
    case "authenticate":
      return page("Autenticação 3DS do banco emissor", authenticateHtml(view));
    case "over":
      return page(state.outcome.title, overHtml(view, state.outcome));
  }
}
