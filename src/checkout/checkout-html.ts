import SCRIPT from "./browser/checkout.js?raw";
import { type Outcome, outcomeHtml } from "./outcome.js";
import { headHtml, type Subject, shellHtml } from "./shell.js";

/** The hosted checkout page in Portuguese. */
export interface CheckoutView extends Subject {
  /** Whether Pix is the only method. */
  readonly onlyPix: boolean;
  /** The methods as HTML; null when the transaction cannot be paid, or not yet. */
  readonly methods: string | null;
  /** Null while the transaction waits for its payer. */
  readonly outcome: Outcome | null;
  /** The page on which a cardholder continues the authentication; null when none is under way. */
  readonly authenticateUrl: string | null;
  readonly statusUrl: string;
  /** Whether the status can still change while the page is open. */
  readonly live: boolean;
}

/** Seconds after which the browser loads the page again, while there are no codes. */
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
