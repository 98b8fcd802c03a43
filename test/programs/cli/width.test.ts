import { describe, expect, it } from "vitest";
import { breakLines, lineBreaks } from "../../../src/programs/cli/terminal/wrap.js";
import { commandTree } from "../../../src/programs/cli/tree/command-tree.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";
import { expectToFit, LONG } from "../../support/terminal-lines.js";

/** Lines of a terminal are never wider than it (docs/decisions/042-text-for-the-terminal.md). Answers: every-answer.long.test.ts. */

const WIDTHS = [60, 80, 100, 120, 200];
const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

describe("on a terminal of any width", () => {
  it.each(commandTree.map(({ command }) => command))("the help of %s fits", async (command) => {
    for (const columns of WIDTHS) {
      expectToFit(columns, await cli.run([...command.split(" "), "--help"], { answers: [], columns }));
    }
  });

  it("errors and their hints fit, and have their commands whole", async () => {
    for (const columns of WIDTHS) {
      for (const words of [
        ["payments", "list", "--columns", "nonsense"],
        ["payments", "find", "x", "--base-url", "http://127.0.0.1:9"],
        ["charges", "create", "--amount", "19,90"],
        ["charges", "get", `ch_${"0".repeat(60)}`],
        ["profiles", "use", "nobody"],
      ]) {
        expectToFit(columns, await cli.run(words, { answers: [], columns }));
      }
    }
  });

  it("json, csv and a pipe have their lines whole", async () => {
    const { id } = await emulator.charge({ customer: { name: LONG.trim() } });
    const screen = { answers: [], columns: 60 };
    expect(JSON.parse((await cli.run(["charges", "get", id, "--json"], screen)).out).customer.name).toBe(LONG.trim());
    const csv = await cli.run(["payments", "list", "--output", "csv", "--columns", "customerName"], screen);
    expect(csv.out).toContain(LONG.trim());
    expect((await cli.run(["charges", "get", id], { columns: 60 })).out).toContain(LONG.trim());
  });
});

describe("a line that is too wide", () => {
  it.each([
    ["Customer  Maria Aparecida da Conceição", 24, "Customer  Maria\n          Aparecida da\n          Conceição"],
    ["Checkout  http://127.0.0.1:4600/checkout/1", 24, "Checkout\nhttp://127.0.0.1:4600/checkout/1"],
    ["Try `qa-pay payments list` first.", 24, "Try\n`qa-pay payments list`\nfirst."],
    ["For example: qa-pay payments refund tx_1 --amount 5", 24, "For example:\nqa-pay payments refund tx_1 --amount 5"],
    ["山田太郎山田太郎山田太郎", 10, "山田太郎山\n田太郎山田\n太郎"],
    ["short", 10, "short"],
    ["山田太郎", 6, "山田太\n郎"],
    ["  $ qa-pay payments find 'Maria Silva'", 20, "$ qa-pay payments find 'Maria Silva'"],
    ["  --some-flag <value>  What it is for", 30, "  --some-flag <value>  What it\n      is for"],
  ])("%j in %i columns", (line, width, expected) => {
    expect(breakLines(line, width)).toBe(expected);
  });

  it("of a timeline goes on within a word", () => {
    expect(lineBreaks("POST /v1/payments/01a2/refund → 201", 12, true)).toEqual([
      "POST",
      "/v1/payments",
      "/01a2/refund",
      "→ 201",
    ]);
  });
});
