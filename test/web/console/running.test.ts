import { describe, expect, it } from "vitest";
import {
  type Journal,
  rowsForCsv,
  runningBack,
  runningForward,
  together,
} from "../../../src/web/console/browser/pages/wallets/running.js";

const move = (id: number, bucket: string, amount: number): Journal => ({
  id: String(id),
  at: "2026-11-22T12:00:00.000Z",
  kind: "settlement",
  reference: `ch_${id}`,
  entries: [
    { currency: "BRL", bucket: "world", amount: -amount },
    { currency: "BRL", bucket, amount },
  ],
});

const THREE = [move(12, "available", -30), move(9, "available", 50), move(2, "pending", 100)];
const BALANCES = [
  { currency: "BRL", bucket: "world", balance: -120 },
  { currency: "BRL", bucket: "available", balance: 20 },
  { currency: "BRL", bucket: "pending", balance: 100 },
];

describe("balances after each journal", () => {
  it("walk back from the balances of now", () => {
    const running = runningBack(BALANCES, THREE, true, THREE);
    expect(["12", "9"].map((id) => running(id, "BRL", "available"))).toEqual([20, 50]);
    expect(["12", "9", "2"].map((id) => running(id, "BRL", "world"))).toEqual([-120, -150, -100]);
    expect(running("2", "BRL", "available")).toBeNull();
  });

  it("are right for rows that are older than the newest journal, as in a paused list", () => {
    const running = runningBack(BALANCES, THREE.slice(0, 2), false, THREE.slice(1));
    expect(running("9", "BRL", "available")).toBe(50);
    expect(running("2", "BRL", "pending")).toBe(100);
  });

  it("are unknown when journals between the newest and the rows were not read", () => {
    const running = runningBack(BALANCES, THREE.slice(0, 1), false, THREE.slice(1));
    expect(running("9", "BRL", "available")).toBeNull();
  });

  it("start from zero for the journals of one object", () => {
    const running = runningForward(THREE);
    expect(["2", "9", "12"].map((id) => running(id, "BRL", "world"))).toEqual([-100, -150, -120]);
  });

  it("count each currency of a bucket by itself", () => {
    const entries = [{ currency: "EUR", bucket: "available", amount: 5 }];
    const running = runningForward([{ ...move(13, "available", 0), entries }, ...THREE]);
    expect(running("13", "EUR", "available")).toBe(5);
    expect(running("12", "BRL", "available")).toBe(20);
  });

  it("agree in both directions when all journals are there", () => {
    const back = runningBack(BALANCES, THREE, true, THREE);
    const forward = runningForward(THREE);
    for (const { id, entries } of THREE) {
      for (const { bucket } of entries) expect(back(id, "BRL", bucket)).toBe(forward(id, "BRL", bucket));
    }
  });

  it("put journals of two lists together by number, each once", () => {
    expect(together(THREE.slice(1), THREE.slice(0, 2)).map(({ id }) => id)).toEqual(["12", "9", "2"]);
  });
});

it("journals as CSV have a row for each entry", () => {
  const common = {
    journal: "12",
    at: "2026-11-22T12:00:00.000Z",
    kind: "settlement",
    reference: "ch_12",
    currency: "BRL",
  };
  expect(rowsForCsv(THREE.slice(0, 1))).toEqual([
    { ...common, bucket: "world", amount: 30 },
    { ...common, bucket: "available", amount: -30 },
  ]);
});
