import { escapeHtml } from "../../base/kernel/html.js";
import { fill } from "../../base/kernel/message.js";
import { checkHtml, methodTitle } from "./method-sections.js";
import { headHtml, listHtml, outcomeHtml, type Subject, shellHtml } from "./shell.js";
import type { Offer } from "./simulation-offers.js";
import type { Action, PaymentState } from "./state.js";
import type { Messages } from "./visit.js";

/** The hosted checkout page. */
export interface CheckoutView extends Subject {
  /** True if Pix is the only method. */
  readonly onlyPix: boolean;
  /** The methods as HTML; null when the transaction cannot be paid, or not yet. */
  readonly methods: string | null;
  readonly state: PaymentState;
  /** `/checkout/<id>`, and the query for the requests of the script. */
  readonly path: string;
  readonly query: string;
}

/** Seconds after which the browser loads the page again, while there are no codes. */
const REFRESH = 2;
/** Seconds after which a browser without script loads the page again, while the payment can change. */
const PLAIN_REFRESH = 10;

function actionHtml({ kind, href, label }: Action, index: number): string {
  const target = kind === "receipt" ? ` target="_blank" rel="noopener"` : "";
  const look = index === 0 ? "button main" : "button";
  return `<a class="${look}" data-kind="${kind}" href="${escapeHtml(href)}"${target}>${escapeHtml(label)}</a>`;
}

function detailsHtml({ facts, actions }: PaymentState): string {
  const list = facts.length === 0 ? "" : listHtml(facts);
  return `<div id="facts">${list}</div><div id="actions" class="stack actions">${actions.map(actionHtml).join("")}</div>`;
}

function offerHtml({ action, impossible, hint: now }: Offer, { simulation }: Messages): string {
  const { label, hint } = simulation.actions[action];
  const off = impossible === null ? "" : " disabled";
  return `<li><button type="button" class="choice" data-simulate="${action}" data-hint="${escapeHtml(hint)}" aria-describedby="hint-${action}"${off}>${escapeHtml(label)}</button>
<small id="hint-${action}">${escapeHtml(impossible ?? now ?? hint)}</small></li>`;
}

/**
 * Returns the simulation: the possible actions, and the others folded with their reasons. It is useless without script,
 * so the script shows it.
 */
function panelHtml({ visit, state }: CheckoutView): string {
  if (!visit.panel) return "";
  const { simulation } = visit.texts;
  const listOf = (offers: readonly Offer[]) => offers.map((offer) => offerHtml(offer, visit.texts)).join("");
  const possible = state.simulation.filter(({ impossible }) => impossible === null);
  const others = state.simulation.filter(({ impossible }) => impossible !== null);
  const folded = fill(simulation.folded, { count: others.length });
  return `<section class="panel" id="panel" aria-labelledby="panel-title" hidden>
<h2 id="panel-title">${simulation.title}</h2><p>${simulation.about}</p>
<p class="clock" id="clock">${state.frozen ? simulation.clock.frozen : simulation.clock.running}</p>
<details class="moves"><summary>${simulation.choose}</summary><ul id="possible">${listOf(possible)}</ul>
<details class="folded"><summary>${folded}</summary><ul id="folded">${listOf(others)}</ul></details></details>
<p id="happened" role="status" tabindex="-1"></p></section>`;
}

function payHeading({ visit, state: { methods } }: CheckoutView): string {
  const [only, ...others] = methods;
  const { heading, headingPix } = visit.texts.pay;
  if (only === undefined || others.length > 0) return heading;
  return only === "PIX" ? headingPix : methodTitle(only, visit);
}

/** The texts that the script shows. */
function scriptTexts({ visit: { texts } }: CheckoutView) {
  const { countdown, minute } = texts.time;
  const { print, stay, leaving, back } = texts.actions;
  const { clock, failed, unreachable, folded } = texts.simulation;
  return { countdown, minute, print, stay, leaving, back, gone: texts.gone, clock, failed, unreachable, folded };
}

/** Returns the checkout page as HTML: the methods while the payment is open, else its outcome. */
export function checkoutHtml(view: CheckoutView): string {
  const { visit, state, methods, path, query } = view;
  const { pay, preparing } = visit.texts;
  const { tone, title, text } = state;
  const outcome = tone === undefined ? null : { tone, title: title ?? "", text: text ?? "" };
  const waits = methods === null && outcome === null;
  const shown = waits ? ({ tone: "wait", ...preparing } as const) : outcome;
  const asking = view.onlyPix ? pay.titlePix : pay.title;
  const notice = `<p class="note warn" id="notice"${state.notice === null ? " hidden" : ""}>${escapeHtml(state.notice ?? "")}</p>`;
  const payable = methods === null ? "" : `<div id="pay"><h1>${payHeading(view)}</h1>${methods}</div>`;
  const check = state.methods.includes("PIX") ? checkHtml(visit) : "";
  return shellHtml({
    visit,
    style: "checkout",
    title: shown?.title ?? fill(asking, { amount: view.amount }),
    main: `<div class="sheet card">${headHtml(view)}<div class="act">
${notice}${payable}${outcomeHtml(shown, detailsHtml(state))}</div>${check}</div>
<p id="connection" class="lost" hidden>${escapeHtml(visit.texts.lost)}</p>
<p id="announcer" class="visually-hidden" role="status"></p>`,
    after: panelHtml(view),
    refresh: waits ? REFRESH : null,
    refreshWithoutScript: waits || state.final ? null : PLAIN_REFRESH,
    script: waits ? undefined : { path, query, redirect: visit.redirect, state, texts: scriptTexts(view) },
  });
}
