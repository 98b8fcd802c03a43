import type { Chance } from "../chance.js";
import type { Loose } from "../host.js";
import { FATES } from "../model/reporting.js";
import { CHARGE_LIFE, LARGEST_CHARGE_LIFE } from "../model/settings.js";
import type { Book } from "../model/state.js";
import { create, createFailed, type New } from "../model/transactions.js";
import { bookAt, type Kind, keyOf, type Params, type Plan, pickOf, type Run, rawId, same, which } from "./plan.js";

/** Creating charges and payments, once and again. */

const PAYERS = [null, null, null, "52998224725", "11144477735"];
const LIVES = [null, null, 60, 600, 100_000];
const AMOUNTS = [1, 2, 19, 100, 1_990, 5_000, 123_456, 999_999_999_999];

function amountOf(chance: Chance): number {
  return chance.happens(0.5) ? chance.pick(AMOUNTS) : 1 + chance.below(90_000);
}

const idempotencyKey = (run: Run) => `simulated-${String(run.next()).padStart(6, "0")}`;

/** The answer of a create must be the one that is remembered under its key. */
function remember(book: Book, scope: string, body: unknown, text: string): void {
  book.used[scope] = { body: JSON.stringify(body), answer: text };
}

type Scenario = Params[string];

/** Scenarios of the metadata, and their effect on the transaction. */
const SCENARIOS: Readonly<Record<string, { readonly says: object; readonly does: (now: number) => Partial<New> }>> = {
  soon: { says: { pay_after: 5 }, does: (now) => ({ payAt: now + 5_000 }) },
  later: { says: { pay_after: 45 }, does: (now) => ({ payAt: now + 45_000 }) },
  contested: { says: { pay_after: 3, med_after: 60 }, does: (now) => ({ payAt: now + 3_000, medAfter: 60_000 }) },
};

function metadataOf(note: Params[string], scenario: Scenario): Record<string, unknown> | undefined {
  const says = scenario === "fails" ? { fail: "AC06" } : SCENARIOS[String(scenario)]?.says;
  if (note === null && says === undefined) return undefined;
  return {
    ...(note === null ? {} : { note }),
    ...(says === undefined ? {} : { _sandbox: says, _private: 1, med: "x" }),
  };
}

function createInModel(
  world: Parameters<NonNullable<Plan["apply"]>>[0],
  book: Book,
  scenario: Scenario,
  given: New,
): void {
  const { now } = world;
  const does = SCENARIOS[String(scenario)]?.does(now) ?? {};
  const become = scenario === "fails" ? createFailed : create;
  become(same(world, book), now, { ...given, ...does });
}

const statusOf = (scenario: Scenario) => (scenario === "fails" ? "failed" : "pending");

function wrongCharge(answer: Loose, amount: number, scenario: Scenario): string[] {
  const { object, status, pix, settlement } = answer;
  const wrong: string[] = [];
  if (object !== "charge" || answer.amount !== amount || status !== statusOf(scenario)) wrong.push(`charge ${status}`);
  if (JSON.stringify(settlement) !== "{}") wrong.push("settlement of a new charge");
  if (scenario !== "fails" && !String(pix?.br_code).startsWith("000201")) wrong.push("no code on a new charge");
  return wrong;
}

const createCharge: Kind = {
  name: "create a charge",
  weight: 9,
  draw: (chance) => ({
    ...{ book: which(chance), amount: amountOf(chance), payer: chance.pick(PAYERS), life: chance.pick(LIVES) },
    ...{ note: chance.pick([null, "order 7", "çã 😀"]), shortcut: chance.happens(0.3) },
    scenario: chance.pick([null, null, null, null, "soon", "later", "contested", "fails"]),
  }),
  plan({ book: index, amount, payer, life, note, shortcut, scenario }, run) {
    const book = bookAt(run, index);
    const key = idempotencyKey(run);
    const metadata = metadataOf(note ?? null, scenario ?? null);
    const rest = {
      ...{ amount, ...(life === null ? {} : { expires_in: life }), ...(metadata === undefined ? {} : { metadata }) },
      ...(payer === null ? {} : { expected_payer_tax_id: payer, customer: { name: "Maria", document: payer } }),
    };
    const body = shortcut ? rest : { ...rest, payment_method: "pix" };
    const expiresAt = Math.min(life === null ? CHARGE_LIFE : Number(life) * 1_000, LARGEST_CHARGE_LIFE);
    return {
      ask: {
        ...{ method: "POST", path: shortcut ? "/v1/pix/charges" : "/v1/charges", key: keyOf(run, book), body },
        headers: { "idempotency-key": key },
      },
      ...{ book, status: 201, repeats: true },
      apply(world, answer) {
        createInModel(world, book, scenario ?? null, {
          ...{ id: rawId(answer.id), face: "charge", amount: Number(amount), currency: "BRL", methods: ["PIX"] },
          ...{ expiresAt: world.now + expiresAt, expectedPayer: payer === null ? null : String(payer) },
          metadata: note === null ? {} : { note },
        });
        // The shortcut is the same request as the one that names the method.
        remember(same(world, book), `charge ${key}`, { ...rest, payment_method: "pix" }, JSON.stringify(answer));
      },
      wrong: ({ body: answer }) => wrongCharge(answer, Number(amount), scenario ?? null),
    };
  },
};

const METHODS: readonly (readonly [currency: string, ...methods: string[]])[] = [
  ["BRL", "PIX"],
  ["BRL", "PIX"],
  ["BRL", "CREDIT_CARD"],
  ["EUR", "CREDIT_CARD"],
  ["USDT", "CRYPTO"],
];

const createPayment: Kind = {
  name: "create a payment",
  weight: 6,
  draw: (chance) => ({
    ...{ book: which(chance), amount: amountOf(chance), methods: chance.below(METHODS.length) },
    ...{ hook: chance.pick([null, null, ...FATES]), scenario: chance.pick([null, null, null, "soon", "fails"]) },
  }),
  plan({ book: index, amount, methods: choice, hook, scenario }, run) {
    const book = bookAt(run, index);
    const [currency, ...methods] = METHODS[Number(choice)] ?? ["BRL", "PIX"];
    const key = idempotencyKey(run);
    const metadata = metadataOf(null, scenario ?? null);
    const webhookUrl = hook === null ? null : `${run.receivers}/account-${encodeURIComponent(book.account)}/${hook}`;
    const body = {
      ...{ amount, currency, paymentMethods: methods, idempotencyKey: key },
      ...(webhookUrl === null ? {} : { webhookUrl }),
      ...(metadata === undefined ? {} : { metadata }),
    };
    return {
      ask: { method: "POST", path: "/v1/payments", key: keyOf(run, book), body },
      ...{ book, status: 201, repeats: true },
      apply(world, answer) {
        const id = rawId(answer.id);
        createInModel(world, book, scenario ?? null, {
          id,
          face: "payment",
          amount: Number(amount),
          currency,
          methods,
          webhookUrl,
        });
        remember(same(world, book), `payment ${key}`, body, JSON.stringify(answer));
      },
      wrong: ({ body: { status } }) => {
        const expected = scenario === "fails" ? "REFUSED" : "WAITING_PAYMENT";
        return status === expected ? [] : [`a new payment is ${status}`];
      },
    };
  },
};

/** A request that was sent before, as it was or with another content. */
const askAgain: Kind = {
  name: "ask for a create again",
  weight: 4,
  draw: (chance) => ({
    book: which(chance),
    used: which(chance),
    change: chance.pick(["none", "none", "field", "null"]),
  }),
  plan({ book: index, used, change }, run) {
    const book = bookAt(run, index);
    const [scope, remembered] = pickOf(Object.entries(book.used), used) ?? [];
    if (scope === undefined || remembered === undefined) return null;
    const [kind = "", key = "", id = ""] = scope.split(" ");
    const extra = { none: {}, field: { unknown_field: 1 }, null: { customerId: null, description: null } }[
      String(change)
    ];
    const body = { ...JSON.parse(remembered.body), ...extra };
    const paths: Readonly<Record<string, string>> = {
      ...{ charge: "/v1/charges", payment: "/v1/payments", refund: `/v1/payments/${id}/refund` },
    };
    const headers = kind === "charge" ? { "idempotency-key": key } : {};
    const ask = { method: "POST", path: paths[kind] ?? "", key: keyOf(run, book), body, headers };
    if (change !== "none") return { ask, book, status: 409, code: "idempotency_key_reused" };
    return {
      ...{ ask, book, status: 201, repeats: true },
      wrong: ({ headers: answered, body: again }) => {
        if (answered.get("idempotent-replayed") !== "true") return ["a replay is not marked as one"];
        return JSON.stringify(again) === remembered.answer ? [] : ["a replay has another answer"];
      },
    };
  },
};

export const CREATING = [createCharge, createPayment, askAgain];
