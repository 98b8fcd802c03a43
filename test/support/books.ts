import type { DifferenceCode } from "../../src/checks/reconcile/judge.js";
import type { Loose, TestEmulator } from "./emulator.js";
import { refund } from "./refunds.js";
import { SEED } from "./seed.js";

/** A shop and its payments at an emulator, which agree but for planted differences. */

/** An order as the shop exports it; amounts in centavos. */
export interface BookRow {
  id: string;
  order: string;
  status: string;
  amount: number;
}

export interface Books {
  readonly rows: BookRow[];
  /** The planted differences, as `code order-or-id`. */
  readonly planted: string[];
  readonly payments: number;
}

type State =
  | "open"
  | "expired"
  | "cancelled"
  | "failed"
  | "paid"
  | "partial"
  | "underway"
  | "refunded"
  | "disputed"
  | "lost"
  | "won";

/** Words of the shop with states of the service that agree. */
const AGREEING: readonly (readonly [word: string, state: State])[] = [
  ["paid", "paid"],
  ["PAGO", "paid"],
  ["Aprovado", "partial"],
  ["completed", "underway"],
  ["fulfilled", "won"],
  ["reembolsado", "refunded"],
  ["chargeback", "refunded"],
  ["open", "refunded"],
  ["cancelado", "refunded"],
  ["disputed", "disputed"],
  ["estornado", "disputed"],
  ["pendente", "disputed"],
  ["canceled", "lost"],
  ["med", "lost"],
  ["open", "open"],
  ["aguardando", "expired"],
  ["new", "failed"],
  ["expirado", "open"],
  ["failed", "cancelled"],
];

const DIFFERING: readonly (readonly [code: DifferenceCode, word: string, state: State])[] = [
  ["missed_payment", "open", "paid"],
  ["missed_payment", "expired", "partial"],
  ["unearned_order", "paid", "open"],
  ["unearned_order", "pago", "expired"],
  ["missed_refund", "paid", "refunded"],
  ["phantom_refund", "refunded", "paid"],
  ["phantom_refund", "devolvido", "underway"],
  ["phantom_refund", "contestado", "won"],
  ["missed_dispute", "paid", "disputed"],
  ["missed_dispute", "settled", "lost"],
];

/** Numbers in [0, 1) that follow from the seed. */
function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function bring(emulator: TestEmulator, id: string, state: State): Promise<void> {
  const act = (what: string, body: object = {}) => emulator.sandbox(`/charges/${id}/${what}`, body);
  const raw = id.replace("ch_", "");
  if (state === "open") return;
  if (state === "expired") return void (await act("expire"));
  if (state === "failed") return void (await act("fail"));
  if (state === "cancelled") return void (await emulator.call("POST", `/v1/payments/${raw}/cancel`));
  await act("pay");
  if (state === "partial" || state === "refunded") {
    const { id: back } = await refund(emulator, raw, state === "partial" ? { amount: 100 } : {});
    await emulator.sandbox(`/refunds/${back}/advance`, { to: "REFUNDED" });
  } else if (state === "underway") await refund(emulator, raw);
  else if (state === "disputed" || state === "lost" || state === "won") {
    const { id: med } = await emulator.sandbox("/med-cases", { charge_id: id });
    if (state === "won") await emulator.sandbox(`/med-cases/${med}/withdraw`, {});
    if (state === "lost") await emulator.sandbox(`/med-cases/${med}/decide`, { outcome: "upheld" });
  }
}

/** Makes orders of every kind. `times` is how often each kind is there. */
export async function makeBooks(emulator: TestEmulator, times: number): Promise<Books> {
  const next = seededNumbers(SEED);
  const below = (most: number) => Math.floor(next() * most);
  const rows: BookRow[] = [];
  const planted: string[] = [];
  let payments = 0;
  const pay = async (order: string, state: State, amount = 1_000 + below(90_000)): Promise<Loose> => {
    payments++;
    const names = [{ metadata: { order } }, { metadata: { order_id: order } }, { description: order }];
    const made = await emulator.charge({ amount, ...names[below(3)] });
    await bring(emulator, made.id, state);
    return made;
  };
  /** The id as a shop may have stored it, or none. */
  const writeId = (id: string) => {
    const raw = id.replace("ch_", "");
    return [id, `tx_${raw}`, raw, raw.toUpperCase(), ""][below(5)] ?? "";
  };
  const name = () => `Pedido ${rows.length + 1};"${below(1_000)}", São`;
  for (let time = 0; time < times; time++) {
    for (const [word, state] of AGREEING) {
      const order = name();
      const { id, amount } = await pay(order, state);
      rows.push({ id: writeId(id), order, status: word, amount });
    }
    for (const [code, word, state] of DIFFERING) {
      const order = name();
      const { id, amount } = await pay(order, state);
      rows.push({ id: writeId(id), order, status: word, amount });
      planted.push(`${code} ${order}`);
    }
    const wrong = name();
    const { id, amount } = await pay(wrong, "paid");
    rows.push({ id: writeId(id), order: wrong, status: "paid", amount: amount + (below(2) === 0 ? 1 : -1) });
    planted.push(`wrong_amount ${wrong}`);
    const twice = name();
    const first = await pay(twice, "paid", 5_000);
    await pay(twice, "paid", 5_000);
    rows.push({ id: writeId(first.id), order: twice, status: "paid", amount: 5_000 });
    planted.push(`paid_twice ${twice}`);
    const retried = name();
    await pay(retried, "expired", 5_000);
    await pay(retried, "paid", 5_000);
    rows.push({ id: "", order: retried, status: "paid", amount: 5_000 });
    const stray = await pay("in no row", "paid");
    planted.push(`unknown_payment ${stray.id}`);
    await pay("in no row", "refunded");
    await pay("in no row", "open");
    const gone = name();
    rows.push({ id: `ch_0198c0de-0000-7000-8000-00000000000${time}`, order: gone, status: "paid", amount: 100 });
    planted.push(`unknown_order ${gone}`);
    const never = name();
    rows.push({ id: "", order: never, status: "paid", amount: 100 });
    planted.push(`unearned_order ${never}`);
    rows.push({ id: "", order: name(), status: "open", amount: 100 });
  }
  return { rows: rows.sort(() => next() - 0.5), planted: planted.sort(), payments };
}

const cell = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`;

/** The five ways in which a shop may hand over its orders, with the flags that each needs. */
export const FORMS: Readonly<
  Record<string, { readonly text: (rows: readonly BookRow[]) => string; readonly flags: readonly string[] }>
> = {
  "csv with commas": {
    text: (rows) =>
      [
        "id,order,status,amount,note",
        ...rows.map((row) => `${row.id},${cell(row.order)},${row.status},${row.amount},"two\nlines"`),
        "",
      ].join("\n"),
    flags: [],
  },
  "csv with semicolons, a byte order mark and decimal commas": {
    text: (rows) =>
      `\ufeff${["Pedido;Estado;Valor;Cobrança", ...rows.map(({ id, order, status, amount }) => `${cell(order)};${status};${(amount / 100).toFixed(2).replace(".", ",")};${id}`), ";;;", ""].join("\r\n")}`,
    flags: ["--amounts", "decimal", "--map", "id=Cobrança,order=Pedido", "--map", "status=Estado,amount=Valor"],
  },
  "a JSON array": {
    text: (rows) =>
      JSON.stringify(
        rows.map(({ id, ...row }) => ({ ...row, charge: id === "" ? null : { id }, "a]": '}\\"' })),
        null,
        2,
      ),
    flags: ["--map", "id=charge.id"],
  },
  "JSON lines": {
    text: (rows) => rows.map((row) => `${JSON.stringify({ ...row, amount: row.amount / 100 })}\n`).join(""),
    flags: ["--amounts", "decimal"],
  },
};
