import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/base/kernel/language.js";
import { readYesNo } from "../../../src/programs/cli/terminal/yes-no.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** The language of what commands show to people: who chooses it, and what is the same in each. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

const ENGLISH = "Nothing to show.\n";
const PORTUGUESE = "Nada a mostrar.\n";

const list = ["med", "list"];

async function told(env: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<string> {
  const { code, err } = await cli.run([...list, ...flags], { env });
  expect(code).toBe(0);
  return err;
}

describe("the language of a command", () => {
  it.each([
    ["nothing says one", {}, [], ENGLISH],
    ["the flag says pt-BR", {}, ["--lang", "pt-BR"], PORTUGUESE],
    ["the flag says pt", {}, ["--lang=pt"], PORTUGUESE],
    [
      "the flag says en and all variables Portuguese",
      { QA_PAY_LANG: "pt-BR", LANG: "pt_BR.UTF-8" },
      ["--lang", "en"],
      ENGLISH,
    ],
    ["the variable says pt", { QA_PAY_LANG: "pt", LANG: "en_US.UTF-8" }, [], PORTUGUESE],
    ["the variable is empty", { QA_PAY_LANG: "", LANG: "pt_BR.UTF-8" }, [], PORTUGUESE],
    ["LANG is that of Brazil", { LANG: "pt_BR.UTF-8" }, [], PORTUGUESE],
    ["LANG is that of Portugal", { LANG: "pt_PT@euro" }, [], PORTUGUESE],
    ["LC_MESSAGES is nearer than LANG", { LC_MESSAGES: "en_US.UTF-8", LANG: "pt_BR.UTF-8" }, [], ENGLISH],
    ["LC_ALL is nearer than both", { LC_ALL: "pt_BR", LC_MESSAGES: "en_US", LANG: "en_US" }, [], PORTUGUESE],
    ["an empty LC_ALL counts as not set", { LC_ALL: "", LANG: "pt_BR.UTF-8" }, [], PORTUGUESE],
    ["the system has another language", { LANG: "fr_FR.UTF-8" }, [], ENGLISH],
    ["the system has none", { LC_ALL: "C", LANG: "pt_BR.UTF-8" }, [], ENGLISH],
  ] as const)("when %s", async (_when, env, flags, shown) => {
    expect(await told(env, ...flags)).toBe(shown);
  });

  it.each([
    ["--lang", ["--lang", "fr"], {}],
    ["--lang", ["--lang="], {}],
    ["QA_PAY_LANG", [], { QA_PAY_LANG: "klingon" }],
  ] as const)("that %s does not know is refused with those that there are", async (where, flags, env) => {
    const { code, out, err } = await cli.run([...list, ...flags], { env });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(new RegExp(`^Error: ${where} takes ${LANGUAGES.join(", ")}, not `));
  });

  it("is that of its command line alone, when several run at once", async () => {
    const all = await Promise.all([told({}), told({}, "--lang", "pt"), told({}), told({}, "--lang", "pt")]);
    expect(all).toEqual([ENGLISH, PORTUGUESE, ENGLISH, PORTUGUESE]);
  });

  it("has no effect on words behind --, which belong to another program", async () => {
    const { code, err } = await cli.run(["exec", "--", "no-such-program", "--lang", "klingon"]);
    expect([code, err]).toEqual([expect.any(Number), expect.not.stringContaining("klingon")]);
  });

  it("is English for an error in JSON", async () => {
    const { code, err } = await cli.run(["charges", "get", "ch_1", "--json", "--lang", "pt", "--nonsense"]);
    expect([code, JSON.parse(err).error.message]).toEqual([2, "Unknown option '--nonsense'."]);
  });

  it("is English for --help", async () => {
    const [english, portuguese] = [await cli.run(["why", "--help"]), await cli.run(["why", "--help", "--lang", "pt"])];
    expect(portuguese).toEqual(english);
  });
});

describe("yes and no", () => {
  it.each([
    [true, ["y", "Y", "yes", "s", "S", "sim", " Sim "]],
    [false, ["", "n", "no", "N", "não", "nao"]],
    [null, ["si", "ja", "yess", "1", "não sei"]],
  ])("%s for these", (answer, texts) => {
    expect(texts.map(readYesNo)).toEqual(texts.map(() => answer));
  });
});

it("the day in a timeline, which has no year, is written as in the language", async () => {
  const { out: created } = await cli.run(["charges", "create", "--amount", "1990", "--json"]);
  const { id } = JSON.parse(created);
  const beginnings = async (language: string) => {
    const { out } = await cli.run(["sandbox", "timeline", id, "--lang", language]);
    const lines = out.split("\n").filter((line) => line !== "" && !line.startsWith("──"));
    return new Set(lines.map((line) => line.replace(/\d/g, "0").slice(0, 16)));
  };
  expect(await beginnings("en")).toEqual(new Set(["00-00 00:00:00  "]));
  expect(await beginnings("pt-BR")).toEqual(new Set(["00/00 00:00:00  "]));
});
