import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendToLog, inBackground } from "../../../src/programs/cli/terminal/background.js";
import type { BackgroundMessage, Io } from "../../../src/programs/cli/terminal/io.js";
import { say } from "../../../src/programs/cli/terminal/terminal-text.js";
import type { CliOptions } from "../../support/cli.js";
import { freshCli } from "../../support/shared.js";

/** Output of a server in the background: to the command that waits for it, and then to its log. */

const cli = freshCli();
let log: number;
beforeEach(() => {
  log = openSync(join(cli.folder, "serve.log"), "a+");
});
afterEach(() => {
  closeSync(log);
});

const text = () => readFileSync(join(cli.folder, "serve.log"), "utf8");

function project(): string {
  mkdirSync(join(cli.folder, "shop"));
  return join(cli.folder, "shop");
}

describe("the log", () => {
  it("keeps what was there before", () => {
    appendToLog(log, "one\n");
    appendToLog(log, "two\n");
    expect(text()).toBe("one\ntwo\n");
  });

  it("never gets longer than its limit: the older half is dropped, up to the end of a line", () => {
    for (let number = 100; number < 200; number++) {
      appendToLog(log, `line ${number}\n`, 100);
      expect(text().length).toBeLessThanOrEqual(100);
      expect(text()).toMatch(/^(line \d{3}\n)+$/);
      expect(text()).toContain(`line ${number}\n`);
    }
  });

  it("cuts a text that is longer than the limit", () => {
    appendToLog(log, "before\n", 100);
    appendToLog(log, "x".repeat(1_000), 100);
    expect(text().length).toBeLessThanOrEqual(100);
  });

  it("that is one line longer than the limit begins anew", () => {
    appendToLog(log, "x".repeat(40), 100);
    appendToLog(log, "x".repeat(40), 100);
    appendToLog(log, "end\n".repeat(10), 100);
    expect(text().length).toBeLessThanOrEqual(100);
    expect(text()).toMatch(/(end\n){10}$/);
  });
});

it("until it is ready, everything goes to the command that waits", () => {
  const told: BackgroundMessage[] = [];
  const starter = {
    send: (what: BackgroundMessage) => void told.push(what),
    ready: (open: string | null) => void told.push({ ready: true, open }),
  };
  const io = inBackground({} as Io, starter);
  io.out(say`ready\n`);
  io.err(say`Warning: slow\n`);
  io.starter?.ready(null);
  expect(told).toEqual([{ out: "ready\n" }, { err: "Warning: slow\n" }, { ready: true, open: null }]);
});

it("a start that ends without a message names the log, which has what Node said", async () => {
  // Here the program is Node alone, which finds no module of this name.
  const { code, out, err } = await cli.run(["serve", "--detach"], { cwd: project() });
  const file = join(cli.folder, "shop", ".qa-pay", "serve.log");
  expect([code, out]).toEqual([1, ""]);
  expect(err).toBe(`Error: The server ended with 1 before it was ready.\nIts log is ${file}.\n`);
  expect(readFileSync(file, "utf8")).toContain("Cannot find module");
});

it("a start that is interrupted ends its process and says so", async () => {
  const onStop: CliOptions["onStop"] = (callback) => callback("SIGINT");
  const { code, err } = await cli.run(["serve", "--detach"], { cwd: project(), onStop });
  expect([code, err]).toEqual([2, "Error: The server was stopped while it started.\n"]);
});
