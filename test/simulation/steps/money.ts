import type { Loose } from "../host.js";
import { DEVOLUTION_WINDOW, feesOf, LARGEST_AMOUNT } from "../model/settings.js";
import { type Book, isSettled, isUndecided, refundable, type Transaction, transactionOf } from "../model/state.js";
import {
  advanceRefund,
  appeal,
  cancel,
  createPayout,
  endCase,
  endPayout,
  expire,
  fail,
  giveBack,
  hasOpenCase,
  hold,
  openCase,
  requestRefund,
  settle,
} from "../model/transactions.js";
import { bookAt, type Kind, keyOf, type Params, type Plan, pickOf, type Run, rawId, same, which } from "./plan.js";

/** Moves of what exists: payers, banks, merchants. */

const isWaiting = ({ status }: Transaction) => status === "WAITING_PAYMENT";

/** A transaction of a book, most often one for which `fits` holds. */
function chosen(book: Book, params: Params, fits: (one: Transaction) => boolean): Transaction | undefined {
  const fitting = book.transactions.filter(fits);
  return pickOf(params.any === true || fitting.length === 0 ? book.transactions : fitting, params.which);
}

const outcomeOf = (answer: Loose) => String(answer.outcome);

const pay: Kind = {
  name: "pay",
  weight: 12,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), any: chance.happens(0.15) },
    ...{
      payer: chance.pick(["as expected", "as expected", "another", "unknown"]),
      off: chance.pick([0, 0, 0, 0, -1, 1]),
    },
  }),
  plan(params, run) {
    const book = bookAt(run, params.book);
    const found = chosen(book, params, isWaiting);
    if (found === undefined || found.methods[0] === "CREDIT_CARD") return null;
    const amount = found.amount + Number(params.off);
    if (amount < 1 || amount > 999_999_999_999) return null;
    const document = params.payer === "unknown" ? { payer_document: null } : {};
    const other = params.payer === "another" ? { payer_document: "39053344705" } : {};
    const body = { ...(params.off === 0 ? {} : { amount }), ...document, ...other };
    const isTaken = isWaiting(found) && params.off === 0;
    const isOther = found.expectedPayer !== null && params.payer !== "as expected";
    const forOther = params.payer === "unknown" ? "processing" : "refunded";
    const forTaken = isOther ? forOther : "paid";
    const outcome = isTaken ? forTaken : "returned";
    return {
      ask: { method: "POST", path: `/_sandbox/charges/${found.id}/pay`, key: keyOf(run, book), body },
      ...{ book, status: 200 },
      apply(world) {
        const one = transactionOf(same(world, book), found.id);
        const method = one.methods[0] ?? "PIX";
        if (isTaken) one.isPayerKnown = params.payer !== "unknown";
        if (outcome === "paid") settle(same(world, book), world.now, one, method);
        if (outcome === "processing") hold(same(world, book), world.now, one);
        if (outcome === "refunded") giveBack(same(world, book), world.now, one);
      },
      wrong: ({ body: answer }) =>
        outcomeOf(answer) === outcome ? [] : [`paying: ${outcomeOf(answer)}, not ${outcome}`],
    };
  },
};

const payCard: Kind = {
  name: "pay by card",
  weight: 6,
  draw: (chance) => ({ book: which(chance), which: which(chance), any: false }),
  plan(params, run) {
    const book = bookAt(run, params.book);
    const found = chosen(book, params, (one) => isWaiting(one) && one.methods[0] === "CREDIT_CARD");
    if (found === undefined || !isWaiting(found) || found.methods[0] !== "CREDIT_CARD") return null;
    return {
      ask: { method: "POST", path: `/_sandbox/charges/${found.id}/pay`, key: keyOf(run, book), body: {} },
      ...{ book, status: 200 },
      apply: (world) => {
        const own = same(world, book);
        settle(own, world.now, transactionOf(own, found.id), "CREDIT_CARD");
      },
    };
  },
};

/** Ways to end what waits for its payer, with the states from which each is possible. */
const ENDS = {
  fail: { path: (id: string) => `/_sandbox/charges/${id}/fail`, from: ["WAITING_PAYMENT"], move: fail },
  expire: { path: (id: string) => `/_sandbox/charges/${id}/expire`, from: ["WAITING_PAYMENT"], move: expire },
  cancel: { path: (id: string) => `/v1/payments/${id}/cancel`, from: ["WAITING_PAYMENT", "PROCESSING"], move: cancel },
} as const;

const end: Kind = {
  name: "end",
  weight: 5,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), any: chance.happens(0.3) },
    how: chance.pick(["fail", "expire", "cancel", "cancel"]),
  }),
  plan(params, run) {
    const book = bookAt(run, params.book);
    const found = chosen(book, params, isWaiting);
    if (found === undefined) return null;
    const { path, from, move } = ENDS[params.how as keyof typeof ENDS];
    const ask = { method: "POST", path: path(found.id), key: keyOf(run, book), body: {} };
    if (!(from as readonly string[]).includes(found.status)) return { ask, book, status: 400, code: "invalid_request" };
    const apply: Plan["apply"] = (world) =>
      move(same(world, book), world.now, transactionOf(same(world, book), found.id));
    return { ask, book, status: 200, apply };
  },
};

const review: Kind = {
  name: "review",
  weight: 4,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), any: chance.happens(0.2) },
    decision: chance.pick(["approve", "reject"]),
  }),
  plan(params, run) {
    const book = bookAt(run, params.book);
    const found = chosen(book, params, ({ status }) => status === "PROCESSING");
    if (found === undefined) return null;
    const body = { decision: params.decision };
    const ask = { method: "POST", path: `/_sandbox/charges/${found.id}/review`, key: keyOf(run, book), body };
    if (found.status !== "PROCESSING") return { ask, book, status: 400, code: "invalid_request" };
    return {
      ...{ ask, book, status: 200 },
      apply(world) {
        const own = same(world, book);
        const one = transactionOf(own, found.id);
        if (params.decision === "approve") settle(own, world.now, one, one.methods[0] ?? "PIX");
        else giveBack(own, world.now, one);
      },
    };
  },
};

interface RefundPlan {
  readonly amount: number;
  readonly strategy: string | null;
  readonly body: Record<string, unknown>;
  readonly taken: number;
  readonly isLost: boolean;
}

function refundPlan(book: Book, found: Transaction, params: Params, key: string): RefundPlan {
  const left = refundable(book, found);
  const parts: Readonly<Record<string, number | undefined>> = {
    ...{ all: undefined, half: Math.max(1, Math.floor(left / 2)), one: 1, more: left + 1 },
  };
  const asked = parts[String(params.part)];
  const amount = asked ?? left;
  const isPix = found.paidWith === "PIX";
  const strategy = isPix ? String(params.strategy) : null;
  const takesFee = strategy === "cashout" && params.fee === true;
  const { provider, platform } = takesFee ? feesOf("PIX_OUT", amount) : { provider: 0, platform: 0 };
  const body = {
    idempotencyKey: key,
    ...(asked === undefined ? {} : { amount: asked }),
    ...(isPix ? { strategy } : {}),
    ...(takesFee ? { passFeeToTenant: true } : {}),
  };
  return { amount, strategy, body, taken: amount + provider + platform, isLost: false };
}

/** Why a refund is refused, or null. */
function refusalOf(book: Book, found: Transaction, { amount, strategy }: RefundPlan, now: number) {
  if (!isSettled(found)) return { status: 400, code: "invalid_request" };
  if (found.paidWith === "CRYPTO") return { status: 422, code: "REFUND_NOT_SUPPORTED" };
  const left = refundable(book, found);
  if (amount > left || left === 0) return { status: 400, code: "invalid_amount" };
  // A cashout goes to the payer's document.
  if (strategy === "cashout" && !found.isPayerKnown) return { status: 400, code: "invalid_request" };
  const isLate = strategy === "devolution" && now - (found.paidAt ?? 0) >= DEVOLUTION_WINDOW;
  return isLate ? { status: 422, code: "unprocessable_entity" } : null;
}

const refund: Kind = {
  name: "refund",
  weight: 8,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), any: chance.happens(0.15) },
    ...{ part: chance.pick(["all", "half", "half", "one", "more"]), fee: chance.happens(0.4) },
    strategy: chance.pick(["cashout", "devolution"]),
  }),
  plan(params, run) {
    const book = bookAt(run, params.book);
    const found = chosen(book, params, isSettled);
    if (found === undefined) return null;
    const key = `simulated-refund-${run.next()}`;
    const planned = refundPlan(book, found, params, key);
    const { amount, strategy, body, taken, isLost } = planned;
    if (amount < 1 && params.part !== "all") return null;
    const ask = { method: "POST", path: `/v1/payments/${found.id}/refund`, key: keyOf(run, book), body };
    if (amount > LARGEST_AMOUNT) return { ask, book, status: 400, code: "invalid_amount" };
    const refusal = refusalOf(book, found, planned, run.world.now);
    if (refusal !== null) return { ask, book, ...refusal };
    return {
      ...{ ask, book, status: 201, repeats: true },
      apply(world, answer) {
        const own = same(world, book);
        const { currency, id: transaction } = found;
        requestRefund(own, world.now, { id: rawId(answer.id), transaction, amount, taken, currency, strategy, isLost });
        own.used[`refund ${key} ${found.id}`] = { body: JSON.stringify(body), answer: JSON.stringify(answer) };
      },
    };
  },
};

const stepRefund: Kind = {
  name: "advance a refund",
  weight: 5,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), any: chance.happens(0.1) },
    to: chance.pick(["IN_PROGRESS", "REFUNDED", "REFUNDED", "FAILED", "FAILED"]),
  }),
  plan({ book: index, which: choice, any, to }, run) {
    const book = bookAt(run, index);
    const open = book.refunds.filter(({ nextAt }) => nextAt !== null);
    const found = pickOf(any === true || open.length === 0 ? book.refunds : open, choice);
    if (found === undefined) return null;
    const path = `/_sandbox/refunds/rf_${found.id}/advance`;
    const ask = { method: "POST", path, key: keyOf(run, book), body: { to } };
    const hasEnded = found.status === "REFUNDED" || found.status === "FAILED";
    const isThere = found.status === "IN_PROGRESS" && to === "IN_PROGRESS";
    if (hasEnded || isThere) return { ask, book, status: 400, code: "invalid_request" };
    return {
      ...{ ask, book, status: 200 },
      apply(world) {
        const own = same(world, book);
        const one = own.refunds.find(({ id }) => id === found.id);
        if (one !== undefined) advanceRefund(own, world.now, one, to as typeof one.status);
      },
    };
  },
};

const payout: Kind = {
  name: "payout",
  weight: 3,
  draw: (chance) => ({ book: which(chance), amount: 1 + chance.below(9_000), strict: chance.happens(0.3) }),
  plan({ book: index, amount, strict }, run) {
    const book = bookAt(run, index);
    const key = keyOf(run, book);
    const body = { amount, ...(strict === true ? { overdraw: false } : {}) };
    const ask = { method: "POST", path: "/_sandbox/payouts", key, body };
    const available = book.wallets.BRL?.available ?? 0;
    if (strict === true && Number(amount) > available) return { ask, book, status: 422, code: "unprocessable_entity" };
    const known = new Set(book.payouts.map(({ id }) => id));
    return {
      ...{ ask, book, status: 201 },
      apply: (world, answer) => createPayout(same(world, book), world.now, rawId(answer.id), Number(amount), "BRL"),
      find: () => newest(run, "/_sandbox/payouts", key, known),
    };
  },
};

/** The newest object of a list whose id the model does not know. */
async function newest(run: Run, path: string, key: string, known: ReadonlySet<string>): Promise<Loose> {
  const reply = await run.host.ask({ method: "GET", path: `${path}?limit=100`, key });
  return reply?.body.data.find(({ id }: Loose) => !known.has(rawId(id))) ?? null;
}

const settlePayout: Kind = {
  name: "end a payout",
  weight: 3,
  draw: (chance) => ({ book: which(chance), which: which(chance), how: chance.pick(["pay", "fail"]) }),
  plan({ book: index, which: choice, how }, run) {
    const book = bookAt(run, index);
    const found = pickOf(book.payouts, choice);
    if (found === undefined) return null;
    const ask = { method: "POST", path: `/_sandbox/payouts/po_${found.id}/${how}`, key: keyOf(run, book), body: {} };
    if (found.status !== "pending") return { ask, book, status: 400, code: "invalid_request" };
    const to = how === "pay" ? "paid" : "failed";
    return { ask, book, status: 200, apply: (world) => endPayout(same(world, book), world.now, found.id, to) };
  },
};

const contest: Kind = {
  name: "contest",
  weight: 5,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), any: chance.happens(0.2) },
    ...{
      type: chance.pick(["med", "med", "chargeback", "fraud"]),
      amount: chance.pick([null, null, 1, 999_999_999_999]),
    },
  }),
  plan(params, run) {
    const book = bookAt(run, params.book);
    const found = chosen(book, params, isSettled);
    if (found === undefined) return null;
    // No document says how a refund ends that is under way when its charge is contested.
    const isUnderWay = book.refunds.some((one) => one.transaction === found.id && one.nextAt !== null);
    const left = refundable(book, found);
    if (isUnderWay || left === 0) return null;
    const { type, amount } = params;
    const body = { charge_id: `ch_${found.id}`, type, ...(amount === null ? {} : { amount }) };
    const key = keyOf(run, book);
    const ask = { method: "POST", path: "/_sandbox/med-cases", key, body };
    if (!isSettled(found) || hasOpenCase(book, found)) return { ask, book, status: 400, code: "invalid_request" };
    const known = new Set(book.cases.map(({ id }) => id));
    return {
      ...{ ask, book, status: 201 },
      apply(world, answer) {
        const own = same(world, book);
        const asked = amount === null ? undefined : Number(amount);
        openCase(own, world.now, rawId(answer.id), transactionOf(own, found.id), String(type), asked);
      },
      find: () => newest(run, "/v1/med/cases", key, known),
    };
  },
};

/** The changes of a case, with their routes and the states from which they are possible. */
const DECISIONS = {
  appeal: { route: "/v1/med/cases", verb: "appeal", body: { reason: "the goods were sent" }, from: ["open"] },
  accept: { route: "/v1/med/cases", verb: "accept", body: {}, from: ["open"] },
  withdraw: { route: "/_sandbox/med-cases", verb: "withdraw", body: {}, from: ["open", "appealed"] },
  upheld: decision("upheld"),
  refunded_to_merchant: decision("refunded_to_merchant"),
  closed_without_refund: decision("closed_without_refund"),
} as const;

function decision(outcome: string) {
  return { route: "/_sandbox/med-cases", verb: "decide", body: { outcome }, from: ["open", "appealed"] };
}

const decide: Kind = {
  name: "decide a case",
  weight: 6,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), any: chance.happens(0.3) },
    how: chance.pick(["appeal", "appeal", "withdraw", ...Object.keys(DECISIONS)]),
  }),
  plan({ book: index, which: choice, any, how }, run) {
    const book = bookAt(run, index);
    const open = book.cases.filter(isUndecided);
    const found = pickOf(any === true || open.length === 0 ? book.cases : open, choice);
    if (found === undefined || found.id.startsWith("unseen")) return null;
    const name = String(how) as keyof typeof DECISIONS;
    const { route, verb, body, from } = DECISIONS[name];
    const ask = { method: "POST", path: `${route}/med_${found.id}/${verb}`, key: keyOf(run, book), body };
    if (!(from as readonly string[]).includes(found.status)) return { ask, book, status: 400, code: "invalid_request" };
    return {
      ...{ ask, book, status: 200 },
      apply(world) {
        const own = same(world, book);
        const one = own.cases.find(({ id }) => id === found.id);
        if (one === undefined) return;
        if (name === "appeal") appeal(own, world.now, one, "the goods were sent");
        else endCase(own, world.now, one, name);
      },
    };
  },
};

export const MONEY = [pay, payCard, end, review, refund, stepRefund, payout, settlePayout, contest, decide];
