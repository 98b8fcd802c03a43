import type { Chance } from "../chance.js";
import type { Ask } from "../host.js";
import { bookAt, type Kind, keyOf, otherBook, pickOf, type Run, which } from "./plan.js";

/** Requests that must be refused and change nothing. */

interface Refusal {
  readonly ask: Omit<Ask, "key"> & { readonly key?: string | null };
  readonly status: number;
  readonly code: string;
}

const UNKNOWN = "019f1e31-ad80-7010-9ccb-ff33e55627a5";
const post = (path: string, body: unknown, headers: Record<string, string> = {}) => ({
  method: "POST",
  path,
  body,
  headers,
});
const charge = (body: object, key = "simulated-refused") => post("/v1/charges", body, { "idempotency-key": key });
const good = { amount: 100, payment_method: "pix" };
const payment = { amount: 100, paymentMethods: ["PIX"], idempotencyKey: "simulated-refused" };

const INVALID = { status: 400, code: "invalid_request" };
const AMOUNT = { status: 400, code: "invalid_amount" };
const MISSING = { status: 404, code: "not_found" };

const REFUSALS: readonly Refusal[] = [
  { ask: charge({ ...good, amount: 0 }), ...AMOUNT },
  { ask: charge({ ...good, amount: 1.5 }), ...AMOUNT },
  { ask: charge({ ...good, amount: "100" }), ...AMOUNT },
  { ask: charge({ ...good, amount: 1_000_000_000_000 }), ...AMOUNT },
  { ask: charge({ ...good, payment_method: "card" }), ...INVALID },
  { ask: charge({ ...good, expires_in: 59 }), ...INVALID },
  { ask: charge({ ...good, currency: "EUR" }), ...INVALID },
  { ask: charge(good, "short"), ...INVALID },
  { ask: post("/v1/charges", good), ...INVALID },
  { ask: charge({ ...good, customer: { document: "52998224724" } }), ...INVALID },
  { ask: charge({ ...good, expected_payer_tax_id: "52998224725" }), ...INVALID },
  { ask: charge({ ...good, metadata: { _sandbox: { pay_affter: 1 } } }), ...INVALID },
  { ask: { ...charge({}), body: undefined, raw: '{"amount":' }, ...INVALID },
  { ask: { ...charge({}), body: undefined, raw: "[1]" }, ...INVALID },
  { ask: charge(good), status: 401, code: "unauthorized" },
  { ask: post("/v1/payments", { ...payment, paymentMethods: ["CRYPTO"] }), status: 422, code: "unprocessable_entity" },
  { ask: post("/v1/payments", { ...payment, paymentMethods: [] }), ...INVALID },
  { ask: post("/v1/payments", { ...payment, idempotencyKey: undefined }), ...INVALID },
  { ask: { method: "GET", path: `/v1/charges/ch_${UNKNOWN}` }, ...MISSING },
  { ask: { method: "GET", path: "/v1/payments/nothing" }, ...MISSING },
  { ask: { method: "GET", path: `/v1/payments/ch_${UNKNOWN}` }, ...MISSING },
  { ask: { method: "GET", path: "/v1/payments?limit=101" }, ...INVALID },
  { ask: { method: "GET", path: "/v1/payments?status=paid" }, ...INVALID },
  { ask: { method: "GET", path: "/v1/med/cases?colour=red" }, ...INVALID },
  { ask: { method: "GET", path: "/v1/charges" }, ...MISSING },
  { ask: post(`/v1/payments/${UNKNOWN}/refund`, { idempotencyKey: "simulated-refused" }), ...MISSING },
  { ask: post(`/v1/med/cases/med_${UNKNOWN}/accept`, {}), ...MISSING },
  { ask: post("/v1/webhooks/endpoints", { url: "http://example.com/x", events: ["charge.paid"] }), ...INVALID },
  { ask: post("/v1/webhooks/endpoints", { url: "https://example.com/x", events: ["charge.payd"] }), ...INVALID },
  { ask: post("/v1/webhooks/endpoints", { url: "https://example.com/x", events: [] }), ...INVALID },
  { ask: post("/_sandbox/clock/advance", { seconds: -1 }), ...INVALID },
];

const WRONG_KEY = "qa_test_nobody-has-this-key-0000000000";

const refused: Kind = {
  name: "ask for what is refused",
  weight: 4,
  draw: (chance: Chance) => ({ book: which(chance), refusal: chance.below(REFUSALS.length) }),
  plan({ book: index, refusal }, run) {
    const book = bookAt(run, index);
    const found = pickOf(REFUSALS, refusal);
    if (found === undefined) return null;
    const key = found.status === 401 ? WRONG_KEY : keyOf(run, book);
    return { ask: { ...found.ask, key }, book, status: found.status, code: found.code };
  },
};

/** Objects of another book are not there: neither the other mode of the account nor another account sees them. */
const foreign: Kind = {
  name: "ask for what belongs to others",
  weight: 3,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), mode: chance.happens(0.5) },
    verb: chance.pick(["charge", "payment", "cancel", "refund", "pay", "timeline"]),
  }),
  plan({ book: index, which: choice, mode, verb }, run: Run) {
    const book = bookAt(run, index);
    const found = pickOf(book.transactions, choice);
    const other =
      mode === true ? otherBook(run, book) : run.world.books.find(({ account }) => account !== book.account);
    if (found === undefined || other === undefined) return null;
    const asks: Readonly<Record<string, Omit<Ask, "key">>> = {
      charge: { method: "GET", path: `/v1/charges/ch_${found.id}` },
      payment: { method: "GET", path: `/v1/payments/tx_${found.id}` },
      cancel: post(`/v1/payments/${found.id}/cancel`, {}),
      refund: post(`/v1/payments/${found.id}/refund`, { idempotencyKey: "simulated-foreign" }),
      pay: post(`/_sandbox/charges/${found.id}/pay`, {}),
      timeline: { method: "GET", path: `/_sandbox/timeline/ch_${found.id}` },
    };
    const ask = asks[String(verb)];
    return ask === undefined ? null : { ask: { ...ask, key: keyOf(run, other) }, book: other, ...MISSING };
  },
};

/** A key that was revoked or belonged to a state that is gone. */
const dead: Kind = {
  name: "use a dead key",
  weight: 1,
  draw: (chance) => ({ which: which(chance) }),
  plan({ which: choice }, run) {
    const key = pickOf(run.world.dead, choice);
    if (key === undefined) return null;
    return { ask: { method: "GET", path: "/v1/wallets/balance", key }, status: 401, code: "unauthorized" };
  },
};

export const REFUSED = [refused, foreign, dead];
