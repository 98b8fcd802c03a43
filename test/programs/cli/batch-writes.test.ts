import { expect, it } from "vitest";
import { batchWrites } from "../../../src/programs/cli/terminal/batch-writes.js";
import { say } from "../../../src/programs/cli/terminal/terminal-text.js";

function writer() {
  const written: string[] = [];
  const turns: (() => void)[] = [];
  const lines = batchWrites((text) => written.push(String(text)), { callSoon: (callback) => turns.push(callback) });
  const endTurn = () => {
    for (const callback of turns.splice(0)) callback();
  };
  return { written, lines, endTurn };
}

it("writes the texts of a turn together and in their order, at its end", () => {
  const { written, lines, endTurn } = writer();
  lines.write(say`one\n`);
  lines.write(say`two\n`);
  expect(written).toEqual([]);
  endTurn();
  lines.write(say`three\n`);
  endTurn();
  expect(written).toEqual(["one\ntwo\n", "three\n"]);
});

it("writes the waiting texts at once on flush, and only once", () => {
  const { written, lines, endTurn } = writer();
  lines.flush();
  lines.write(say`one\n`);
  lines.flush();
  endTurn();
  expect(written).toEqual(["one\n"]);
});
