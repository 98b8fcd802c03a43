import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { asStarted, commandLine, programCommand } from "../../../src/programs/cli/terminal/program-command.js";
import { commandNouns } from "../../../src/programs/cli/tree/command-tree.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Commands in messages begin as the person began: copied and run, they work. */

const PATH = "/usr/local/bin:/usr/bin";

it.each([
  ["by npx in its project", "/shop/node_modules/.bin/qa-pay", "/shop", PATH, "npx qa-pay"],
  ["by npx below its project", "/shop/node_modules/.bin/qa-pay", "/shop/src/pay", PATH, "npx qa-pay"],
  ["by npm start in its project", "/shop/node_modules/qa-pay/bin/qa-pay.js", "/shop", PATH, "npx qa-pay"],
  ["by npx, which has fetched it", "/home/m/.npm/_npx/0c1d/node_modules/.bin/qa-pay", "/shop", PATH, "npx qa-pay"],
  ["by its name", "/usr/local/bin/qa-pay", "/shop", PATH, "qa-pay"],
  [
    "by its name on Windows",
    "C:\\npm\\node_modules\\qa-pay\\bin\\qa-pay.js",
    "D:\\shop",
    "C:\\Windows;C:\\npm\\",
    "qa-pay",
  ],
  ["by the shim of pnpm", "/p/global/5/node_modules/qa-pay/bin/qa-pay.js", "/shop", `${PATH}:/p`, "qa-pay"],
  ["by its name, of another project", "/x/node_modules/.bin/qa-pay", "/shop", `/x/node_modules/.bin:${PATH}`, "qa-pay"],
  ["by its path, of another project", "/x/node_modules/.bin/qa-pay", "/shop", PATH, "/x/node_modules/.bin/qa-pay"],
  ["from a folder that is gone", "/x/node_modules/.bin/qa-pay", null, PATH, "/x/node_modules/.bin/qa-pay"],
  [
    "as a file of another package",
    "/x/node_modules/qa-pay/bin/qa-pay.js",
    "/shop",
    PATH,
    "node /x/node_modules/qa-pay/bin/qa-pay.js",
  ],
  ["as one file", "/home/m/qa-pay", "/home/m", PATH, "./qa-pay"],
  ["as one file elsewhere", "/my tools/qa-pay", "/home/m", PATH, "'/my tools/qa-pay'"],
  ["in a clone", "/shop/bin/qa-pay.js", "/shop", PATH, "node bin/qa-pay.js"],
  ["in a clone whose folder is on PATH", "/shop/bin/qa-pay.js", "/shop", "/shop/bin", "node bin/qa-pay.js"],
  ["in a clone elsewhere", "/my tools/qa-pay/bin/qa-pay.js", "/shop", PATH, "node '/my tools/qa-pay/bin/qa-pay.js'"],
])("a program that was started %s is named so", (_how, script, cwd, path, named) => {
  expect(programCommand({ script, cwd, path })).toBe(named);
});

it.each([
  ["no key of a flag", {}, ""],
  ["a profile", { profile: "my prod" }, " --profile 'my prod'"],
  [
    "an address and a key",
    { baseUrl: "http://x", apiKey: "qa_test_secret" },
    ' --base-url http://x --api-key "$QA_PAY_API_KEY"',
  ],
  ["a key of standard input", { apiKey: "-" }, " --api-key -"],
  ["the key of the demo, which everybody knows", { apiKey: "qa_test_demo_shop" }, " --api-key qa_test_demo_shop"],
] as const)("a printed command leads to the same place with %s", (_what, flags, printed) => {
  expect(commandLine("npx qa-pay", ["why", "8003"], flags)).toBe(`npx qa-pay why 8003${printed}`);
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
