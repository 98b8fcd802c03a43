import type { Page, PageAnswer } from "../../api/http/page.js";
import { fieldError } from "../../base/kernel/errors.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import {
  challengeCard,
  expireWhenDue,
  failTransaction,
  payTransaction,
} from "../../service/features/transactions/actions.js";
import { hasMethod, methodExpiry } from "../../service/features/transactions/catalogue.js";
import { isInFlight } from "../../service/features/transactions/rules.js";
import type { NewTransaction, TransactionRow } from "../../service/features/transactions/store.js";
import type { Reader, Stores, Tx } from "../../service/features/tx.js";
import { findOpened, htmlAnswer, PRIVATE_HEADERS } from "./answers.js";
import { type CardState, cardHtml } from "./card-html.js";
import {
  CARD_DECLINED,
  failureReason,
  outcomeOf,
  payableMethods,
  returnHref,
  statusNow,
  THREE_DS_FAILED,
} from "./outcome.js";
import { subjectOf } from "./shell.js";
import { type Messages, type Visit, visitOf } from "./visit.js";

/**
 * The hosted card page, at `cardRedirectUrl` (docs/service/payments.md#hosted-pages). The person who opens it plays the
 * card's issuer.
 */

function cardRow(stores: Stores, id: string | undefined, query: URLSearchParams): TransactionRow | null {
  const row = findOpened(stores, id, query.get("k"));
  return row !== null && hasMethod(row, "CREDIT_CARD") ? row : null;
}

function stateOf(stores: Stores, row: TransactionRow, now: number, texts: Messages): CardState {
  const outcome = outcomeOf(row, now, texts, stores);
  const inFlight = isInFlight({ ...row, status: statusNow(row, now) });
  if (outcome !== null && !inFlight) return { kind: "over", outcome };
  if (methodExpiry(row, "CREDIT_CARD") <= now) {
    return { kind: "over", outcome: { tone: "plain", ...texts.card.timeOver } };
  }
  if (row.provider_reference === null) return { kind: "wait" };
  return { kind: inFlight ? "authenticate" : "choose" };
}

function cardPage(reader: Reader, row: TransactionRow, visit: Visit): PageAnswer {
  const { now } = reader;
  const back = returnHref(row, now);
  const subject = subjectOf(reader, row, visit);
  const hasOthers = payableMethods(row, now).some((method) => method !== "CREDIT_CARD");
  const body = cardHtml({
    ...subject,
    state: stateOf(reader, row, now, visit.texts),
    transactionId: ID_PREFIX.transaction + row.id,
    returnHref: back,
    checkoutHref: hasOthers ? `/checkout/${row.id}?k=${row.checkout_token}${visit.choices}` : null,
  });
  // Chromium checks every redirect after a form against form-action. The shop may redirect its customer from the return
  // address to any other origin, so all are allowed.
  const formAction = back === null ? "'self'" : "'self' http: https:";
  return htmlAnswer(body, { visit, script: null, formAction });
}

interface Step {
  /** The state of the page in which the step is possible. */
  readonly at: CardState["kind"];
  readonly take: (tx: Tx, row: TransactionRow) => NewTransaction;
  /** True if the step was taken already. The form was then sent twice, and gets the same answer as the first time. */
  readonly isTaken: (row: TransactionRow) => boolean;
}

function approval(at: CardState["kind"]): Step {
  return {
    at,
    take: (tx, row) => payTransaction(tx, row, { method: "CREDIT_CARD" }).row,
    isTaken: ({ status, paid_with }) => status === "APPROVED" && paid_with === "CREDIT_CARD",
  };
}

function refusal(at: CardState["kind"], reason: string, providerErrorCode: string): Step {
  return {
    at,
    take: (tx, row) => failTransaction(tx, row, { reason, providerErrorCode }),
    isTaken: (row) => row.status === "REFUSED" && failureReason(row) === reason,
  };
}

/** Codes that issuers use: ISO 8583 response 51 (not enough funds), EMV 3-D Secure `transStatus` N. */
const STEPS = new Map<string | null, Step>([
  ["approve", approval("choose")],
  ["refuse", refusal("choose", CARD_DECLINED, "51")],
  ["challenge", { at: "choose", take: challengeCard, isTaken: () => false }],
  ["authenticate", approval("authenticate")],
  ["fail_authentication", refusal("authenticate", THREE_DS_FAILED, "N")],
]);

/** Reads the transaction again after the changes of this unit of work. */
function reread(tx: Tx, { id }: TransactionRow): TransactionRow {
  const row = tx.transactions.anywhere(id);
  if (row === null) throw new Error(`transaction ${id} is gone`);
  return row;
}

export const card: Page = {
  path: "/card/{id}",
  render(reader, { id }, query, request) {
    const row = cardRow(reader, id, query);
    return row === null ? null : cardPage(reader, row, visitOf(query, request));
  },
  write(tx, { id }, query, sent) {
    const found = cardRow(tx, id, query);
    if (found === null) return null;
    const step = STEPS.get(new URLSearchParams(sent.body).get("step"));
    if (step === undefined) throw fieldError("step", `must be one of ${[...STEPS.keys()].join(", ")}`);
    expireWhenDue(tx, found.id);
    const row = reread(tx, found);
    const visit = visitOf(query, sent);
    if (stateOf(tx, row, tx.now, visit.texts).kind === step.at) step.take(tx, row);
    const next = reread(tx, row);
    const back = step.isTaken(next) ? returnHref(next, tx.now) : null;
    if (back === null) return cardPage(tx, next, visit);
    const headers = { ...PRIVATE_HEADERS, "referrer-policy": "same-origin", location: back };
    return { status: 303, headers, body: "" };
  },
};
