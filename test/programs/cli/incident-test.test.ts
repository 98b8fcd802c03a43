import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/base/kernel/json.js";
import type { Loose } from "../../support/emulator.js";
import { eventfulCharge, OF_THE_PERSON } from "../../support/incident.js";
import { sharedCli, sharedEmulator, sharedReceiver } from "../../support/shared.js";

/** The test that `incident test` writes. The tests are run by their frameworks in test/binary/incident-test.test.ts. */

const emulator = sharedEmulator({ frozen: true });
const source = sharedReceiver();
const cli = sharedCli(emulator);
let id = "";
let file: Loose;

const at = (...names: string[]) => join(cli.folder, ...names);
const write = (...words: string[]) => cli.run(["incident", "test", ...words]);
const files = () => readdirSync(cli.folder, { recursive: true }).sort();

beforeAll(async () => {
  id = await eventfulCharge(emulator, source);
  const { code } = await cli.run(["incident", "save", id, "--output", "incident.json", "--keep-personal-data"]);
  expect(code).toBe(0);
  file = JSON.parse(readFileSync(at("incident.json"), "utf8"));
});

/** Writes a file whose digest is right, as somebody who knows the format could. */
function forged(name: string, { digest: _old, ...content }: Loose): void {
  const digest = `sha256:${createHash("sha256").update(canonicalJson(content)).digest("hex")}`;
  writeFileSync(at(name), JSON.stringify({ ...content, digest }));
}

describe("the written test", () => {
  it.each([
    ["vitest", "incident.test.mjs", 'join(import.meta.dirname, "incident.json")'],
    ["pytest", "test_incident.py", 'Path(__file__).parent / "incident.json"'],
    ["phpunit", "IncidentTest.php", "__DIR__ . '/' . 'incident.json'"],
  ])(
    "for %s stands beside the file, names it and the charge, and has nothing of a person",
    async (name, made, place) => {
      const told = await write("incident.json", "--framework", name, "--forward-to", "http://localhost:8000/hooks");
      expect(told).toEqual({
        code: 0,
        out: `${at(made)}\n`,
        err: expect.stringContaining("replace YOURS in the test"),
      });
      const text = readFileSync(at(made), "utf8");
      for (const part of [place, id, "http://localhost:8000/hooks", "YOURS: say what your order must be"])
        expect(text).toContain(part);
      expect(text).not.toContain("{{");
      for (const one of [...OF_THE_PERSON, emulator.key]) expect([one, text.includes(one)]).toEqual([one, false]);
    },
  );

  it("is of the framework that the ending of --output says, and finds the file from there", async () => {
    mkdirSync(at("tests"));
    const told = await write("incident.json", "--output", "tests/test_evening.py", "--json");
    expect(JSON.parse(told.out)).toEqual({
      file: at("tests", "test_evening.py"),
      framework: "pytest",
      incident: at("incident.json"),
    });
    expect(readFileSync(at("tests", "test_evening.py"), "utf8")).toContain('parent / "../incident.json"');
  });

  it("has names that its language allows, and texts that stay texts", async () => {
    const name = `2026 it's "bad".json`;
    writeFileSync(at(name), readFileSync(at("incident.json")));
    const printed = await write(name, "--framework", "phpunit", "--output", "-");
    expect(printed.out).toContain("final class Incident2026ItSBadTest extends TestCase");
    expect(printed.out).toContain(String.raw`'2026 it\'s "bad".json'`);
    const python = await write(name, "--framework", "pytest", "--output", "-");
    expect(python.out).toContain(String.raw`"2026 it's \"bad\".json"`);
  });

  it.each([
    "x{{class}}.json",
    "{{receiver}}.json",
    "'{{class}}'.json",
    "{{class}};process.exit(3);{{id}}.json",
    "'.system(chr(105)).'.json",
    "$& $1 `$0`.json",
    "line\nbreak.json",
  ])("takes the name of a file as it is: %j", async (name) => {
    writeFileSync(at(name), readFileSync(at("incident.json")));
    const text = async (framework: string) =>
      (await write(name, "--framework", framework, "--output", "-", "--forward-to", "http://h.example/{{id}}")).out;
    for (const framework of ["vitest", "pytest"]) {
      expect(await text(framework)).toContain(JSON.stringify(name));
      expect(await text(framework)).toContain('"http://h.example/{{id}}"');
    }
    expect(await text("phpunit")).toContain(`'${name.replace(/[\\']/g, "\\$&")}'`);
  });
});

describe("nothing is written", () => {
  it.each<[string, number, string, readonly string[]]>([
    ["for an unknown framework", 2, "--framework", ["incident.json", "--framework", "jest"]],
    [
      "for a file that is not there",
      2,
      "The file nowhere.json cannot be read: there is no such file.",
      ["nowhere.json"],
    ],
    ["for standard input", 2, "name a file", ["-"]],
    ["for a receiver that is no URL", 2, "complete URL", ["incident.json", "--forward-to", "localhost:3000"]],
    ["for a name that is no class", 2, "not named like a class", ["incident.json", "--output", "my-test.php"]],
    [
      "in a folder that is not there",
      2,
      "cannot be written: there is no folder",
      ["incident.json", "--output", "no/test_it.py"],
    ],
  ])("%s", async (_what, code, says, words) => {
    const before = files();
    const told = await write(...words);
    expect([told.code, told.out, told.err]).toEqual([code, "", expect.stringContaining(says)]);
    expect(files()).toEqual(before);
  });

  it("over a file that is already there: the team has edited it", async () => {
    writeFileSync(at("test_ours.py"), "ours");
    const told = await write("incident.json", "--output", "test_ours.py");
    expect([told.code, told.err]).toEqual([2, expect.stringContaining("test_ours.py is already there")]);
    expect(readFileSync(at("test_ours.py"), "utf8")).toBe("ours");
  });

  it.each<[string, (one: Loose) => Loose]>([
    ["a subject with code in it", (one) => ({ ...one, subject: `${id}\nimport os` })],
    ["deliveries that are none", (one) => ({ ...one, rows: { ...one.rows, delivery_attempts: [{ chaos: 1 }] } })],
  ])("for a file that was forged: %s", async (_what, change) => {
    forged("forged.json", change(file));
    const told = await write("forged.json");
    expect([5, 2]).toContain(told.code);
    expect(existsSync(at("forged.test.mjs"))).toBe(false);
  });

  it("for a file that was changed", async () => {
    writeFileSync(at("changed.json"), JSON.stringify({ ...file, subject: "ch_other" }));
    const told = await write("changed.json");
    expect([told.code, told.err, existsSync(at("changed.test.mjs"))]).toEqual([
      5,
      expect.stringContaining("was changed"),
      false,
    ]);
  });

  it("for an incident without webhooks", async () => {
    forged("silent.json", { ...file, rows: { ...file.rows, delivery_attempts: [] } });
    const told = await write("silent.json");
    expect([told.code, told.err, existsSync(at("silent.test.mjs"))]).toEqual([
      2,
      expect.stringContaining("nothing to test"),
      false,
    ]);
  });
});
