import { describe, expect, it } from "vitest";
import { differences, type Fact, type Found, type Known, type Turn, type World, wants, worldsAfter } from "./worlds.js";

/** The model of a killed server's contents: the states that it accepts, and the states that it rejects. */

const at = (object: string, status: string, details = {}): Fact => ({ is: "at", object, status, details });
const set = (name: string, value: string | null): Fact => ({ is: "set", name, value });
const sure = (from: number, until: number, fact: Fact): Known => ({ fact, from, until, sure: true });
const lost = (from: number, until: number, fact: Fact): Known => ({ fact, from, until, sure: false });

interface Rows {
  readonly objects?: Record<string, string>;
  readonly details?: Record<string, Record<string, string | number>>;
  readonly settings?: Record<string, string>;
  readonly now?: number;
  readonly rows?: readonly string[];
}

function found({ objects = {}, details = {}, settings = {}, now = 1_000, rows = [] }: Rows): Found {
  return {
    objects: new Map(Object.entries(objects).map(([name, status]) => [name, { status, details: details[name] ?? {} }])),
    settings: new Map(Object.entries(settings)),
    now,
    newest: [],
    has: (table, id) => rows.includes(`${table} ${id}`),
  };
}

describe("an object that a client received in an answer", () => {
  it.each([
    ["pending", "pending"],
    ["pending", "paid"],
    ["pending", "disputed"],
    ["processing", "cancelled"],
    ["disputed", "refunded"],
  ])("that was %s may be %s", (told, is) => {
    const known = [sure(1, 2, at("transaction a", told))];
    expect(differences(known, found({ objects: { "transaction a": is } }))).toEqual([]);
  });

  it.each([
    ["paid", "pending"],
    ["expired", "paid"],
    ["refunded", "paid"],
    ["cancelled", "expired"],
  ])("that was %s is not %s", (told, is) => {
    const known = [sure(1, 2, at("transaction a", told))];
    const wrong = [`transaction a was told to be ${told} and is ${is}`];
    expect(differences(known, found({ objects: { "transaction a": is } }))).toEqual(wrong);
  });

  it("is not gone", () => {
    const known = [sure(1, 2, at("payout a", "paid"))];
    expect(differences(known, found({}))).toEqual(["payout a was told to be paid and is gone"]);
  });

  it("has the values of the answer", () => {
    const known = [sure(1, 2, at("payout a", "paid", { id: "1", end_to_end_id: null, amount: 5 }))];
    const details = { "payout a": { id: "2", end_to_end_id: "E1", amount: 5 } };
    const wrong = ["payout a was told to have id 1 and has 2"];
    expect(differences(known, found({ objects: { "payout a": "paid" }, details }))).toEqual(wrong);
  });

  it("may be there or not when the answer was lost", () => {
    const known = [lost(1, 2, at("payout a", "pending"))];
    expect(differences(known, found({}))).toEqual([]);
    expect(differences(known, found({ objects: { "payout a": "pending" } }))).toEqual([]);
  });

  it("does not exist without a request, unless the service creates such objects itself", () => {
    const objects = { "payout b": "pending", "return 7": "REFUNDED", "case of 7 8": "open" };
    expect(differences([], found({ objects }))).toEqual(["payout b is there, which cannot be"]);
  });
});

describe("what can be changed back and forth", () => {
  const status = (value: string) => found({ settings: { "endpoint a status": value } });
  const name = "endpoint a status";

  it("has the value of the last change", () => {
    const known = [sure(1, 2, set(name, "ACTIVE")), sure(3, 4, set(name, "INACTIVE"))];
    expect(differences(known, status("INACTIVE"))).toEqual([]);
    expect(differences(known, status("ACTIVE"))).toEqual([`${name} was told to be INACTIVE and is ACTIVE`]);
  });

  it("has the value of either of two changes that overlapped", () => {
    const known = [sure(1, 4, set(name, "ACTIVE")), sure(3, 6, set(name, "INACTIVE"))];
    for (const value of ["ACTIVE", "INACTIVE"]) expect(differences(known, status(value))).toEqual([]);
    expect(differences(known, status("GONE"))).toHaveLength(1);
  });

  it("may have the value of a change whose answer was lost, or the old value", () => {
    const known = [sure(1, 2, set(name, "ACTIVE")), lost(3, 4, set(name, "INACTIVE"))];
    for (const value of ["ACTIVE", "INACTIVE"]) expect(differences(known, status(value))).toEqual([]);
    const unknown = [sure(1, 2, set(name, "ACTIVE")), lost(3, 4, set(name, null))];
    expect(differences(unknown, status("anything"))).toEqual([]);
  });

  it("is removed only with its endpoint", () => {
    expect(differences([sure(1, 2, set("database key", "x"))], found({}))).toHaveLength(1);
    expect(differences([sure(1, 2, set(name, "ACTIVE"))], found({}))).toEqual([]);
  });
});

describe("time and rows that stay", () => {
  it("do not go back", () => {
    const known = [sure(1, 2, { is: "time", now: 500 }), sure(1, 2, { is: "row", table: "events", id: "7" })];
    expect(differences(known, found({ now: 500, rows: ["events 7"] }))).toEqual([]);
    const wrong = ["the clock went back by 100 ms", "7 of events is gone"];
    expect(differences(known, found({ now: 400, rows: ["events 8"] }))).toEqual(wrong);
  });
});

describe("contents that are replaced", () => {
  const start: World = { story: "start", known: [sure(0, 0, at("payout old", "pending"))], snapshots: new Map() };
  const save: Turn = { kind: "save", name: "s", from: 10, until: 20, sure: true, at: 0 };
  const restore: Turn = { kind: "restore", name: "s", from: 30, until: 40, sure: true, at: 0 };
  const reset: Turn = { kind: "reset", name: "", from: 30, until: 40, sure: true, at: 900 };
  const made = (from: number, until: number) => sure(from, until, at(`payout ${from}-${until}`, "pending"));
  const later = [made(1, 5), made(8, 12), made(21, 25), made(28, 32), made(41, 42)];
  const payouts = (...names: string[]) =>
    found({ objects: Object.fromEntries(names.map((name) => [`payout ${name}`, "pending"])), now: 1_000 });
  const wrongOf = (turns: readonly Turn[], names: readonly string[]) =>
    worldsAfter(start, turns, later).map(({ known }) => differences(known, payouts(...names)));

  it("are the contents of the snapshot with the later changes", () => {
    expect(wrongOf([save, restore], ["old", "1-5", "41-42"])).toEqual([[]]);
    expect(wrongOf([save, restore], ["old", "41-42"])).toEqual([["payout 1-5 was told to be pending and is gone"]]);
    const kept = ["old", "1-5", "21-25", "41-42"];
    expect(wrongOf([save, restore], kept)).toEqual([["payout 21-25 is there, which cannot be"]]);
  });

  it("may or may not hold changes that overlapped the save or the restore", () => {
    for (const also of [["8-12"], ["28-32"], ["8-12", "28-32"]]) {
      expect(wrongOf([save, restore], ["old", "1-5", "41-42", ...also])).toEqual([[]]);
    }
  });

  it("are the old or the new contents, and no mixture, when the answer was lost", () => {
    const isLost = { ...restore, until: 50, sure: false };
    const before = ["old", "1-5", "8-12", "21-25", "28-32", "41-42"];
    expect(wrongOf([save, isLost], before)[0]).toEqual([]);
    expect(wrongOf([save, isLost], ["old", "1-5"])[1]).toEqual([]);
    const mixed = wrongOf([save, isLost], ["old", "1-5", "21-25"]);
    expect(mixed.map((wrong) => wrong.length > 0)).toEqual([true, true]);
  });

  it("are only keys, logins and the forward target after a reset", () => {
    const kept = ["key k", "token t", "endpoint forward"].map((object) => sure(1, 2, at(object, "there")));
    const more = [
      ...later,
      ...kept,
      sure(1, 2, at("audit api_key.issued k", "there")),
      sure(1, 2, set("database x", "1")),
    ];
    const [world] = worldsAfter(start, [reset], more);
    const objects = { "key k": "there", "token t": "there", "endpoint forward": "there", "payout 41-42": "pending" };
    const clock = { "clock frozen": "false", "clock state": '{"offset":0,"frozenAt":null}' };
    const settings = { ...clock, "database x": "1" };
    const known = world?.known ?? [];
    expect(differences(known, found({ objects, settings }))).toEqual([]);
    const audited = { ...objects, "audit api_key.issued k": "there" };
    expect(differences(known, found({ objects: audited, settings }))).toHaveLength(1);
    expect(differences(known, found({ objects, settings: { ...settings, "clock frozen": "true" } }))).toHaveLength(1);
    expect(differences(known, found({ objects, settings, now: 899 }))).toEqual(["the clock went back by 1 ms"]);
  });

  it("include the expected contents of each snapshot", () => {
    const [world] = worldsAfter(start, [save, reset], later);
    const inside = world?.snapshots.get("s") ?? [];
    expect(differences(inside, payouts("old", "1-5"))).toEqual([]);
    expect(differences(inside, payouts("old", "1-5", "8-12"))).toEqual([]);
    expect(differences(inside, payouts("old", "1-5", "21-25"))).toEqual(["payout 21-25 is there, which cannot be"]);
  });

  it("include the old or the new contents of a snapshot when the answer to saving it was lost", () => {
    const saved = new Map([["s", start.known]]);
    const worlds = worldsAfter({ ...start, snapshots: saved }, [{ ...save, sure: false }], later);
    const wrong = worlds.map(({ snapshots }) => differences(snapshots.get("s") ?? [], payouts("old", "1-5")).length);
    expect(wrong).toEqual([1, 0]);
  });
});

describe("whether an endpoint must get an event", () => {
  const endpoint = "endpoint a";
  const life = (from: number, until: number, events = "charge.created,charge.paid") => [
    sure(from, until, at(endpoint, "there")),
    sure(from, until, set(`${endpoint} status`, "ACTIVE")),
    sure(from, until, set(`${endpoint} events`, events)),
  ];
  const during = { from: 10, until: 20 };
  const asked = (...known: Known[]) => wants(known, endpoint, "charge.created", during);

  it.each<[string, Known[], boolean | null]>([
    ["subscribed before", life(1, 2), true],
    ["subscribed to something else", life(1, 2, "charge.failed"), false],
    ["made after", life(21, 22), false],
    ["made meanwhile", life(9, 11), null],
    ["made before by a request whose answer was lost", life(1, 2).map((one) => ({ ...one, sure: false })), null],
    ["switched off before", [...life(1, 2), sure(3, 4, set(`${endpoint} status`, "INACTIVE"))], false],
    ["switched off meanwhile", [...life(1, 2), sure(11, 12, set(`${endpoint} status`, "INACTIVE"))], null],
    ["switched off after", [...life(1, 2), sure(21, 22, set(`${endpoint} status`, "INACTIVE"))], true],
    ["changed meanwhile to the same", [...life(1, 2), sure(11, 12, set(`${endpoint} events`, "charge.created"))], true],
    ["removed before", [...life(1, 2), sure(3, 4, at(endpoint, "deleted"))], false],
    ["removed before, or not", [...life(1, 2), lost(3, 4, at(endpoint, "deleted"))], null],
    ["removed after", [...life(1, 2), sure(21, 22, at(endpoint, "deleted"))], true],
  ])("%s", (_when, known, wanted) => {
    expect(asked(...known)).toBe(wanted);
  });
});
