import { escapeHtml } from "../../base/kernel/html.js";
import { fill } from "../../base/kernel/message.js";
import type { OutcomePanel } from "./outcome.js";
import { headHtml, listHtml, outcomeHtml, type Subject, shellHtml } from "./shell.js";

/** The hosted card page: plain forms, no script. */
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
  /** The card method has expired, or the transaction has ended. */
  | { readonly kind: "over"; readonly outcome: OutcomePanel };

function simulationHtml({ visit: { texts } }: CardView): string {
  return `<p class="note warn"><strong>${texts.card.simulation}.</strong> ${texts.card.simulationText}</p>`;
}

function plasticHtml({ visit: { texts } }: CardView): string {
  return `<div class="plastic" aria-hidden="true"><div class="chip"></div>•••• •••• •••• 0000
<small class="level"><span>${texts.card.holder}</span><span>12/99</span></small></div>`;
}

const classOf = (look: string) => (look === "" ? "" : ` class="${look}"`);

function stepButton(step: string, label: string, look = ""): string {
  return `<button name="step" value="${step}"${classOf(look)}>${label}</button>`;
}

function linkHtml(href: string | null, label: string, look: string): string {
  return href === null ? "" : `<a${classOf(look)} href="${escapeHtml(href)}">${label}</a>`;
}

function chooseHtml(view: CardView): string {
  const { card, pay } = view.visit.texts;
  const others = linkHtml(view.checkoutHref, pay.otherWay, "");
  return `<h1>${card.heading}</h1>${plasticHtml(view)}${simulationHtml(view)}
<form class="stack" method="post">${stepButton("approve", card.approve, "main")}
${stepButton("challenge", card.challenge)}
${stepButton("refuse", card.refuse)}</form>${others === "" ? "" : `<p class="more">${others}</p>`}`;
}

function authenticateHtml(view: CardView): string {
  const { card } = view.visit.texts;
  return `<p class="level bank"><span>${card.bank}</span><span>3-D Secure</span></p>
<h1>${card.authentication}</h1><p class="hint">${card.authenticationHint}</p>
${listHtml([
  [card.shop, view.merchant],
  [card.amount, view.amount],
  [card.number, "•••• 0000"],
])}${simulationHtml(view)}
<form class="stack" method="post">${stepButton("authenticate", card.authenticate, "main")}
${stepButton("fail_authentication", card.failAuthentication)}</form>`;
}

function overHtml(view: CardView, outcome: OutcomePanel): string {
  const { returnHref, checkoutHref, visit } = view;
  const { pay, actions } = visit.texts;
  const others = linkHtml(checkoutHref, pay.otherWay, "button main");
  const back = linkHtml(returnHref, actions.shop, checkoutHref === null ? "button main" : "button");
  return outcomeHtml(outcome, `<div class="stack actions">${others}${back}</div>`);
}

/** Seconds after which the browser loads the page again, while the acquirer has not issued the payment. */
const REFRESH = 2;

/** Returns the page of a card payment in its present state, as HTML. It reloads itself while the payment waits. */
export function cardHtml(view: CardView): string {
  const { state, visit } = view;
  const { card, preparing } = visit.texts;
  const reference = `<p class="ref">${escapeHtml(view.transactionId)}</p>`;
  const page = (title: string, html: string, refresh: number | null = null) => {
    const main = `<div class="sheet card">${headHtml(view)}<div class="act">${html}${reference}</div></div>`;
    return shellHtml({ visit, style: "card", title, main, refresh });
  };
  switch (state.kind) {
    case "wait": {
      const outcome = { tone: "wait", title: preparing.title, text: card.wait } as const;
      return page(outcome.title, outcomeHtml(outcome), REFRESH);
    }
    case "choose":
      return page(fill(card.title, { amount: view.amount }), chooseHtml(view));
    case "authenticate":
      return page(card.authentication, authenticateHtml(view));
    case "over":
      return page(state.outcome.title, overHtml(view, state.outcome));
  }
}
