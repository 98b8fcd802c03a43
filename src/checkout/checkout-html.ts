import SCRIPT from "./browser/checkout.js?raw";
import { type Outcome, outcomeHtml } from "./outcome.js";
import { headHtml, type Subject, shellHtml } from "./shell.js";

/** The hosted checkout page in Portuguese. */
export interface CheckoutView extends Subject {
  /** By Pix alone. */
  readonly onlyPix: boolean;
  /** How it can be paid, as HTML; null when it cannot be, or not yet. */
  readonly methods: string | null;
  /** Null while it waits for its payer. */
  readonly outcome: Outcome | null;
  /** Where a cardholder goes on whom the issuer wants authenticated. */
  readonly authenticateUrl: string | null;
  readonly statusUrl: string;
  /** Whether the status can still change while somebody looks at it. */
  readonly live: boolean;
}

/** Seconds between two looks at a transaction that has no codes yet. */
const REFRESH = 2;

export function checkoutHtml(view: CheckoutView): string {
  const waits = view.methods === null && view.outcome === null;
  const preparing = { tone: "wait", title: "Preparando o pagamento", text: "Só um instante." } as const;
  const onwards =
    view.authenticateUrl === null ? "" : `<a class="button" href="${view.authenticateUrl}">Continuar autenticação</a>`;
  return shellHtml({
    nonce: view.nonce,
    title: view.outcome?.title ?? `Pagar ${view.amount}${view.onlyPix ? " com Pix" : ""}`,
    main: `${headHtml(view)}
${view.methods ?? ""}${outcomeHtml(waits ? preparing : view.outcome, onwards)}`,
    ...(waits ? { refresh: REFRESH } : {}),
    ...(view.live && !waits ? { script: { text: SCRIPT, data: { "status-url": view.statusUrl } } } : {}),
  });
}
