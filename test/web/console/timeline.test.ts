import { describe, expect, test } from "vitest";
import {
  type Item,
  itemsIn,
  nodeOf,
  rawIdsIn,
  rowsOf,
  statusIn,
  treesOf,
} from "../../../src/web/console/browser/timeline/model.js";
import { sentence } from "../../../src/web/console/browser/timeline/wording.js";
import { item } from "../../support/timeline-items.js";
import "../../support/console-texts.js";

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
    expect(trees.map(({ item: root }) => root.id)).toEqual(["request-1", "move-3", "move-2"]);
    expect(trees[2]?.parent?.id).toBe("move-1");
    const [first] = trees;
    expect(first === undefined ? [] : itemsIn(first).map(({ id }) => id)).toEqual([
      "request-1",
      "move-1",
      "evt_1",
      "wd_1",
      "wd_1#1",
      "wd_1#2",
    ]);
  });

  test("time that passed says why: the clock was advanced, or real time", () => {
    const half = item("move-4", "med_case", 300, null);
    const items = [...SALE.slice(0, -1), half, ...SALE.slice(-1)];
    const rows = rowsOf({ items, now: atSecond(700) }, NONE, dayOf);
    expect(rows.map(({ kind }) => kind)).toEqual(["day", "tree", "clock", "tree", "gap", "tree", "gap"]);
    expect(rows[4]).toEqual({ kind: "gap", milliseconds: 300_000, why: "advanced" });
    expect(rows[6]).toEqual({ kind: "gap", milliseconds: 100_000, why: "real" });
  });

  test("a change of the clock right before an item is the note itself", () => {
    const rows = rowsOf({ items: SALE, now: atSecond(600) }, NONE, dayOf);
    expect(rows.map(({ kind }) => kind)).toEqual(["day", "tree", "clock", "tree"]);
  });

  test("each day begins with its own row", () => {
    const rows = rowsOf({ items: SALE.slice(0, 2), now: "2026-11-23T10:00:00.000Z" }, NONE, dayOf);
    expect(rows.map(({ kind }) => kind)).toEqual(["day", "tree", "gap", "day"]);
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

  test("a request is shown with the step that it led to, and the effects of that step", () => {
    const [first] = treesOf(SALE);
    const node = first === undefined ? null : nodeOf(first);
    expect(node).toMatchObject({ head: { id: "move-1" }, request: { id: "request-1" }, steps: [] });
    expect(node?.burst.map(({ item: { id } }) => id)).toEqual(["evt_1"]);
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

describe("the words of a timeline", () => {
  test("a particular that is not known is left out", () => {
    const paid = (params: Item["params"]) => ({ ...item("m", "transition", 0, null), code, params });
    const code = "transition.settle" as const;
    expect(sentence(paid({ payer: "Maria Silva" }), "pt-BR")).toBe("paga (pagador: Maria Silva)");
    expect(sentence(paid({ payer: null }), "pt-BR")).toBe("paga");
  });

  test("money is told by where it came, with the fees that it cost", () => {
    const entry = (bucket: string, amount: number) => ({ bucket, amount, currency: "BRL" });
    const journal = (code: Item["code"], entries: readonly object[]) =>
      sentence({ ...item("j", "journal", 0, null), code, params: { entries } }, "en");
    const paid = [entry("world", -1_990), entry("provider_fees", 90), entry("available", 1_900)];
    expect(journal("journal.settlement", paid)).toBe("R$ 19,00 became available, fees R$ 0,90");
    const later = [entry("world", -1_990), entry("pending", 1_990)];
    expect(journal("journal.settlement", later)).toBe("R$ 19,90 arrived, available later");
    const held = [entry("available", -1_990), entry("retained", 1_990)];
    expect(journal("journal.med_hold", held)).toBe("R$ 19,90 held for the MED case");
  });

  test("an attempt shows its number, its outcome and its time, and why there was no answer", () => {
    const attempt = (code: Item["code"], params: object, failure: object) => ({
      ...item("a", "attempt", 0, null, { error: null, error_code: null, error_params: null, ...failure }),
      code,
      params: { number: 2, ms: 13, chaos: [], ...params },
    });
    const refused = attempt(
      "attempt.unanswered",
      { error: "ECONNREFUSED", chaos: ["duplicate"] },
      { error: "ECONNREFUSED" },
    );
    expect(sentence(refused, "pt-BR")).toBe("tentativa 2: conexão recusada em 13 ms, de propósito: enviado duas vezes");
    const late = attempt(
      "attempt.unanswered",
      { error: "no answer within 30 seconds" },
      { error: "no answer within 30 seconds", error_code: "late", error_params: { seconds: "30" } },
    );
    expect(sentence(late, "pt-BR")).toBe("tentativa 2: nenhuma resposta em 30 segundos em 13 ms");
    const good = attempt("attempt.answered", { status: 500, answer: "out of order" }, {});
    expect(sentence(good, "en")).toBe("attempt 2: 500 in 13 ms");
  });

  test("a change of the clock shows its distance", () => {
    const moved = item("c", "clock", 2, null, { move: "advance", from: atSecond(2), to: atSecond(62) });
    expect(sentence({ ...moved, code: "clock.advance" }, "pt-BR")).toBe("o relógio foi adiantado: +1 min");
    expect(sentence({ ...moved, code: "clock.advance" }, "en")).toBe("the clock is advanced: +1 min");
  });
});
