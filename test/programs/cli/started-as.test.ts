import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { asStarted, programAnywhere, programCommand } from "../../../src/programs/cli/terminal/program-command.js";
import { commandNouns } from "../../../src/programs/cli/tree/command-tree.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Commands in messages begin as the person began: copied and run, they work. */

const NPM = { npm_command: "exec", npm_lifecycle_event: "npx" };

it.each([
  ["under npx", "/shop/node_modules/.bin/qa-pay", NPM, "npx qa-pay"],
  ["in a script of npm", "/shop/node_modules/.bin/qa-pay", { npm_command: "run-script" }, "npx qa-pay"],
  ["in npm start of a project", "/shop/node_modules/qa-pay/bin/qa-pay.js", { npm_command: "start" }, "npx qa-pay"],
  ["by its link in a project", "/shop/node_modules/.bin/qa-pay", {}, "npx qa-pay"],
  ["when it is installed for the machine", "/usr/local/bin/qa-pay", {}, "qa-pay"],
  ["on Windows", "C:\\Users\\m\\AppData\\npm\\node_modules\\qa-pay\\bin\\qa-pay.js", {}, "qa-pay"],
  ["as one file", "/home/m/qa-pay", {}, "qa-pay"],
  ["in a clone", "/shop/bin/qa-pay.js", {}, "node bin/qa-pay.js"],
  ["in a clone, by npm start", "/shop/bin/qa-pay.js", { npm_command: "start" }, "node bin/qa-pay.js"],
  ["of a clone elsewhere", "/my tools/qa-pay/bin/qa-pay.js", {}, "node '/my tools/qa-pay/bin/qa-pay.js'"],
])("the program is named as it was started %s", (_how, script, env, told) => {
  expect(programCommand({ script, cwd: "/shop", env })).toBe(told);
});

it.each([
  ["installed for the machine", "qa-pay", "/usr/local/bin/qa-pay", "qa-pay"],
  ["fetched by npx", "npx qa-pay", "/home/m/.npm/_npx/0c1d/node_modules/.bin/qa-pay", "npx qa-pay"],
  ["of a project", "npx qa-pay", "/shop/node_modules/.bin/qa-pay", "node /shop/node_modules/.bin/qa-pay"],
  ["of a clone", "node bin/qa-pay.js", "/my tools/bin/qa-pay.js", "node '/my tools/bin/qa-pay.js'"],
])("from any folder, the program that is %s is started so", (_how, program, script, told) => {
  expect(programAnywhere(program, script)).toBe(told);
});

describe("messages", () => {
  const emulator = sharedEmulator({ frozen: true });
  const cli = sharedCli(emulator);
  const run = (...words: readonly string[]) => cli.run(words, { program: "npx qa-pay" });

  it.each([
    [
      "a success says what comes next",
      ["charges", "create", "--amount", "100"],
      /^Pay it .*: npx qa-pay sandbox pay ch_/m,
    ],
    ["wrong use shows an example", ["charges", "get"], /For example: npx qa-pay charges get/],
    ["wrong use names the help", ["charges", "get"], /`npx qa-pay charges get --help` says/],
    ["a refusal says where to look", ["charges", "get", "ch_none"], /`npx qa-pay payments list` lists/],
    [
      "a refusal before sending names a command",
      ["listen", "--forward-to", "http://127.0.0.1:9", "--events", "payed"],
      /`npx qa-pay webhooks events`/,
    ],
  ])("%s", async (_what, words, told) => {
    expect((await run(...words)).err).toMatch(told);
  });

  it("the help shows commands that can be run", async () => {
    const { out } = await run("charges", "create", "--help");
    expect(out).toContain("Usage: npx qa-pay charges create");
    expect(out).toContain("  $ npx qa-pay charges create");
    expect((await run("--help")).out).toContain("  $ npx qa-pay serve");
  });

  it("with --json the hint is worded so, and what the service answered stays as it is", async () => {
    const own = JSON.parse((await run("charges", "get", "--json")).err);
    expect(own.error.hint).toContain("For example: npx qa-pay charges get");
    const path = "/v1/webhooks/endpoints";
    const body = '{"url":"http://127.0.0.1:9","events":["charge.payed"]}';
    const { err } = await run("api", "POST", path, "--data", body, "--json");
    const answer = await emulator.call("POST", path, { raw: body });
    expect(JSON.parse(err).error).toEqual(answer.body.error);
  });

  it("a command that repeats a request can be run", async () => {
    await run("charges", "create", "--amount", "700");
    const { out } = await run("logs", "show", "1", "--cli");
    expect(out).toMatch(/^npx qa-pay /);
  });

  it("other words stay: the program's name alone, and texts of others", () => {
    const text = "no qa-pay emulator; another qa-pay server. qa-pay is ready. Description x qa-pay serve";
    expect(asStarted(text, "npx qa-pay")).toBe(text);
  });
});

it("every command in a text of ours stands where it is found", () => {
  const nouns = commandNouns.map(({ noun }) => noun).join("|");
  const written = new RegExp(`(.{0,2})qa-pay (?:${nouns})\\b`, "g");
  const files = readdirSync("src/programs/cli", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join("src/programs/cli", name));
  const lost = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
      .flatMap((line) => [...line.matchAll(written)])
      // In a page of HTML a command stands in an element.
      .filter(([, before = ""]) => !/["'`>]$|: $|\| $|\$ $|\$\($| {2}$/.test(before))
      .map(([found]) => `${file}: ${found}`),
  );
  expect(lost).toEqual([]);
  for (const { contract } of registry) {
    const { next = "" } = (contract as { cli?: { next?: string } }).cli ?? {};
    expect(asStarted(next, "X")).not.toMatch(new RegExp(`qa-pay (${nouns})\\b`));
  }
});
