import { checkContentType, parseJsonObject } from "../../api/http/body.js";
import type { Page, PageSubmission } from "../../api/http/page.js";
import { ApiError, fieldError } from "../../base/kernel/errors.js";
import { fill } from "../../base/kernel/message.js";
import { isNameOf } from "../../base/kernel/names.js";
import { pick } from "../../base/kernel/pick.js";
import { maskTaxId, normalizeTaxId, SAMPLE_PAYER_CPF } from "../../base/kernel/tax-id.js";
import type { Operation } from "../../service/features/operation.js";
import {
  sandboxExpire,
  sandboxFail,
  sandboxPay,
  sandboxReview,
} from "../../service/features/transactions/operations/sandbox-charges.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Tx } from "../../service/features/tx.js";
import type { EmulatedClock } from "../../service/jobs/clock.js";
import { findOpened, jsonPage } from "./answers.js";
import { amountText } from "./format.js";
import { impossibility, SIMULATION_ACTIONS, type SimulationAction } from "./simulation-offers.js";
import { stateOf } from "./state.js";
import { type Messages, type Visit, visitOf } from "./visit.js";

/**
 * The simulation beside a checkout page: a person who tests it decides the outcome of this one payment
 * (docs/decisions/026-hosted-pages.md). It runs operations of the control interface and can do nothing else.
 */

/** A valid CPF that is not `SAMPLE_PAYER_CPF`. */
const OTHER_CPF = "11144477735";

interface SimulationHandler {
  readonly operation: Operation;
  body(row: TransactionRow): Readonly<Record<string, unknown>>;
  /** Describes in words the outcome that the operation returned. */
  say(row: TransactionRow, outcome: string, visit: Visit): string;
}

type Happened = Messages["simulation"]["happened"];

function otherPayer({ expected_payer_tax_id: expected }: TransactionRow): string {
  return expected !== null && normalizeTaxId(expected) === OTHER_CPF ? SAMPLE_PAYER_CPF : OTHER_CPF;
}

function payment(bodyOf: SimulationHandler["body"]): SimulationHandler {
  return {
    operation: sandboxPay,
    body: bodyOf,
    say(row, outcome, visit) {
      const { happened } = visit.texts.simulation;
      const { amount = row.amount, payer_document = row.expected_payer_tax_id ?? SAMPLE_PAYER_CPF } = bodyOf(row);
      const payer = typeof payer_document === "string" ? maskTaxId(payer_document) : "";
      const template = isNameOf(happened, outcome) ? happened[outcome] : outcome;
      return fill(template, { amount: amountText({ ...row, amount: Number(amount) }), payer });
    },
  };
}

function decision(operation: Operation, body: object, word: keyof Happened): SimulationHandler {
  return { operation, body: () => ({ ...body }), say: (_row, _outcome, { texts }) => texts.simulation.happened[word] };
}

const WAYS: Readonly<Record<SimulationAction, SimulationHandler>> = {
  pay: payment(() => ({})),
  pay_other: payment((row) => ({ payer_document: otherPayer(row) })),
  pay_less: payment(({ amount }) => ({ amount: Math.floor(amount / 2) })),
  review: payment(() => ({ payer_document: null })),
  expire: decision(sandboxExpire, {}, "expired"),
  fail: decision(sandboxFail, {}, "failed"),
  approve: decision(sandboxReview, { decision: "approve" }, "approved"),
  reject: decision(sandboxReview, { decision: "reject" }, "rejected"),
};

/**
 * Throws `origin_not_allowed` unless the page itself sent the request. No form and no page of another origin can send this
 * header without the consent of the server.
 */
function checkSender({ headers, origin }: PageSubmission): void {
  const site = headers["sec-fetch-site"];
  const isOwn = headers.origin === origin && (site === undefined || site === "same-origin");
  if (isOwn && headers["x-qa-checkout"] === "1") return;
  const message =
    "The simulation of a checkout page takes requests of that page only. Use the commands under `qa-pay sandbox`.";
  throw new ApiError("origin_not_allowed", { message });
}

function actionIn({ headers, body }: PageSubmission): SimulationAction {
  if (headers["content-type"] === undefined) throw fieldError("Content-Type", "must be application/json");
  checkContentType({ headers, rawHeaders: [] }, body);
  const { action } = parseJsonObject(body, false);
  const known = SIMULATION_ACTIONS.find((name) => name === action);
  if (known === undefined) throw fieldError("action", `must be one of ${SIMULATION_ACTIONS.join(", ")}`);
  return known;
}

function run(tx: Tx, row: TransactionRow, { operation, body }: SimulationHandler): string {
  const { execution } = operation;
  if (execution.kind !== "write") throw new Error(`${operation.contract.id} is no write`);
  const caller = { bookId: row.book_id, accountId: "", mode: "test", user: null } as const;
  const input = { caller, params: { id: row.id }, query: {}, body: body(row), cause: tx.cause };
  return String(pick(execution.handle(input, tx), "outcome") ?? "");
}

/** Returns the page that runs a simulated outcome; it answers null for a payment opened without its token. */
export function createSimulation(clock: Pick<EmulatedClock, "show">): Page {
  return {
    path: "/checkout/{id}/simulate",
    render: () => null,
    write(tx, { id }, query, sent) {
      const row = findOpened(tx, id, query.get("k"));
      if (row === null) return null;
      checkSender(sent);
      const action = actionIn(sent);
      const visit = visitOf(query, sent);
      const why = impossibility(action, row, tx.now, visit.texts);
      if (why !== null) throw fieldError("action", `is not possible now: ${action}. ${why}`);
      const way = WAYS[action];
      const outcome = run(tx, row, way);
      const next = findOpened(tx, id, query.get("k"));
      if (next === null) throw new Error(`transaction ${id} is gone`);
      return jsonPage({ text: way.say(row, outcome, visit), state: stateOf(tx, next, clock, visit) });
    },
  };
}
