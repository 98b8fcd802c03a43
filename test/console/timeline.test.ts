import { describe, expect, test } from "vitest";
import {
  burstOf,
  type Item,
  itemsIn,
  partsOf,
  rawIdsIn,
  rowsOf,
  statusIn,
  treesOf,
} from "../../src/console/browser/timeline/model.js";
import { attemptParts, causeSentence, sentence } from "../../src/console/browser/timeline/wording.js";

/** An item at a second of the story. */
function item(id: string, kind: Item["kind"], second: number, parent: string | null, data: Item["data"] = {}): Item {
  const at = new Date(Date.UTC(2026, 10, 22, 10, 0, second)).toISOString();
  return { id, kind, at, text: id, cause: "a client", parent, data };
}

const atSecond = (second: number) => item("", "request", second, null).at;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const NONE = new Set<never>();

const SALE: readonly Item[] = [
  item("request-1", "request", 0, null, { status: 201, logged: true }),
  item("move-1", "transition", 0, "request-1", { move: "create", to: "WAITING_PAYMENT" }),
  item("evt_1", "event", 0, "move-1"),
  item("wd_1", "delivery", 0, "evt_1", { status: "DELIVERED" }),
  item("wd_1#1", "attempt", 0, "wd_1", { response: { status: 500 } }),
  item("move-3", "clock", 2, null, { move: "advance", from: atSecond(2), to: atSecond(600) }),
  item("wd_1#2", "attempt", 12, "wd_1", { response: { status: 204 } }),
  item("move-2", "transition", 600, "move-1", { move: "expire", from: "WAITING_PAYMENT", to: "EXPIRED" }),
];

describe("the rows of a timeline", () => {
  test("what came at once stands below its cause, and a later step stands by itself with its cause named", () => {
    const trees = treesOf(SALE);
    expect(trees.map(({ branch }) => branch.item.id)).toEqual(["request-1", "move-3", "move-2"]);
    expect(trees[2]?.because?.id).toBe("move-1");
    const [first] = trees;
    expect(first === undefined ? [] : itemsIn(first.branch).map(({ id }) => id)).toEqual([
      "request-1",
      "move-1",
      "evt_1",
      "wd_1",
      "wd_1#1",
      "wd_1#2",
    ]);
  });

  test("a failed attempt marks everything that it came from as failed, and nothing else", () => {
    const [first, , expiry] = treesOf(SALE);
    expect(first?.branch.isFailed).toBe(true);
    expect(expiry?.branch.isFailed).toBe(false);
  });

  test("time that passed says why: the clock was advanced, or real time", () => {
    const half = item("move-4", "med_case", 300, null);
    const items = [...SALE.slice(0, -1), half, ...SALE.slice(-1)];
    const rows = rowsOf({ items, now: atSecond(700) }, NONE, dayOf);
    expect(rows.map(({ kind }) => kind)).toEqual(["tree", "clock", "tree", "gap", "tree", "gap"]);
    expect(rows[3]).toEqual({ kind: "gap", milliseconds: 300_000, why: "advanced" });
    expect(rows[5]).toEqual({ kind: "gap", milliseconds: 100_000, why: "real" });
  });

  test("a change of the clock right before an item is the note itself", () => {
    const rows = rowsOf({ items: SALE, now: atSecond(600) }, NONE, dayOf);
    expect(rows.map(({ kind }) => kind)).toEqual(["tree", "clock", "tree"]);
  });

  test("another day begins with its own row", () => {
    const rows = rowsOf({ items: SALE.slice(0, 2), now: "2026-11-23T10:00:00.000Z" }, NONE, dayOf);
    expect(rows.map(({ kind }) => kind)).toEqual(["tree", "gap", "day"]);
  });

  test("items below a hidden item move up to the next one that is shown", () => {
    const rows = rowsOf({ items: SALE, now: atSecond(600) }, new Set(["requests", "events", "clock"]), dayOf);
    const shown = rows.flatMap((row) => (row.kind === "tree" ? itemsIn(row.branch).map(({ id }) => id) : []));
    expect(shown).toEqual(["move-1", "wd_1", "wd_1#1", "wd_1#2", "move-2"]);
  });

  test("each item stands in the rows exactly once, whatever its parent is", () => {
    const odd = [...SALE, item("evt_9", "event", 601, "gone"), item("move-9", "med_case", 602, null)];
    const rows = rowsOf({ items: odd, now: atSecond(700) }, NONE, dayOf);
    const shown = rows.flatMap((row) => {
      if (row.kind === "tree") return itemsIn(row.branch).map(({ id }) => id);
      return row.kind === "clock" ? row.items.map(({ id }) => id) : [];
    });
    expect(shown.toSorted()).toEqual(odd.map(({ id }) => id).toSorted());
  });

  test("a burst counts its events, deliveries and attempts that failed", () => {
    const [first] = treesOf(SALE);
    const [move] = first === undefined ? [] : partsOf(first.branch).steps;
    const burst = move === undefined ? [] : partsOf(move).burst;
    expect(burstOf(burst)).toMatchObject({ events: ["evt_1"], deliveries: 1, arrived: 1, failedAttempts: 1 });
  });

  test("the status is that of the last step of its kind", () => {
    expect(statusIn(SALE, "transition")).toBe("EXPIRED");
    expect(statusIn(SALE, "refund")).toBeNull();
  });

  test("the ids of the objects are found in the subject and in the items", () => {
    const uuid = "01a201ab-21af-7001-acb4-5e7ac67419f3";
    const other = "01a201af-c917-7001-bd7d-4a1730f67178";
    const items = [item("e", "event", 0, null, { object: { refund: { id: `rf_${other}` } } })];
    expect([...rawIdsIn({ subject: `ch_${uuid}`, items })].toSorted()).toEqual([uuid, other].toSorted());
  });
});

describe("the words of a timeline in Portuguese", () => {
  const moved = (kind: Item["kind"], move: string, text: string) => ({ ...item("m", kind, 0, null, { move }), text });

  test.each([
    ["transition", "settle", "paid (payer: Maria Silva)", "paga (pagador: Maria Silva)"],
    [
      "transition",
      "create",
      "created: R$ 9,90, payable until 2026-11-22 05:22:02 UTC",
      "criada: R$ 9,90, a pagar até 2026-11-22 05:22:02 UTC",
    ],
    ["refund", "create", "refund requested, done at once: R$ 3,00", "devolução solicitada, concluída na hora: R$ 3,00"],
    ["payout", "fail", "payout failed: account closed", "saque falhou: account closed"],
    ["med_case", "withdraw", "the payer withdraws the claim", "o pagador retira a reclamação"],
  ] as const)("%s %s: %s", (kind, move, english, portuguese) => {
    expect(sentence(moved(kind, move, english), "pt-BR")).toBe(portuguese);
    expect(sentence(moved(kind, move, english), "en")).toBe(english);
  });

  test("a move and a text that the page does not know stay as the service wrote them", () => {
    expect(sentence(moved("transition", "teleport", "somewhere else"), "pt-BR")).toBe("somewhere else");
    expect(sentence(moved("transition", "toString", "toString"), "pt-BR")).toBe("toString");
    expect(sentence(moved("transition", "settle", "somehow paid"), "pt-BR")).toBe("somehow paid");
  });

  test("an attempt tells its number, its outcome and its time, and why there was no answer", () => {
    const data = { number: 2, duration_ms: 13, response: null, error: "ECONNREFUSED", chaos: ["duplicate"] };
    expect(sentence(item("a", "attempt", 0, null, data), "pt-BR")).toBe(
      "tentativa 2: ECONNREFUSED em 13 ms, chaos: duplicate",
    );
    expect(attemptParts(item("a", "attempt", 0, null, data), "pt-BR")).toMatchObject({
      outcome: "ECONNREFUSED",
      lang: "en",
    });
    const late = { ...data, error: "no answer within 30 seconds", chaos: [] };
    expect(attemptParts(item("a", "attempt", 0, null, late), "pt-BR").lang).toBeUndefined();
    expect(sentence(item("a", "attempt", 0, null, late), "pt-BR")).toBe(
      "tentativa 2: nenhuma resposta em 30 segundos em 13 ms",
    );
    const good = { ...data, response: { status: 204 }, error: null, chaos: [] };
    expect(sentence(item("a", "attempt", 0, null, good), "en")).toBe("attempt 2: 204 in 13 ms");
  });

  test("money tells each bucket with its sign", () => {
    const entries = [
      { bucket: "world", amount: -990, currency: "BRL" },
      { bucket: "available", amount: 990, currency: "BRL" },
    ];
    expect(sentence(item("j", "journal", 0, null, { kind: "refund_reserve", entries }), "pt-BR")).toBe(
      "dinheiro (reserva da devolução): world −R$ 9,90, available +R$ 9,90",
    );
  });

  test("a cause is told in words, and an unknown one as it is", () => {
    expect(causeSentence("request 18 (POST /v1/charges)", "pt-BR")).toBe("requisição 18 (POST /v1/charges)");
    expect(causeSentence("console (request 7)", "pt-BR")).toBe("console (requisição 7)");
    expect(causeSentence("due work refund.advance", "pt-BR")).toBe("trabalho agendado refund.advance");
    expect(causeSentence("a comet", "pt-BR")).toBe("a comet");
  });
});
