import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { junitXml, type ReportCase } from "../../../src/programs/cli/reports/junit.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";
import { closeReceivers, genuine, receiver, SECRET } from "../../support/webhook-receivers.js";

/** Reports of checking commands for build servers: a file of JUnit XML, and errors for GitHub Actions. */

const cli = sharedCli();
afterEach(closeReceivers);

const GITHUB = { GITHUB_ACTIONS: "true" };
const written = (name: string) => readFileSync(join(cli.folder, name), "utf8");
const timeless = (name: string) => written(name).replace(/ time="[^"]*"/g, "");
const program = (text: string) => ["--", process.execPath, "-e", text];

describe("exec --junit", () => {
  it("has the command and each condition as a test", async () => {
    const asserts = ["--assert", "no charge.paid", "--assert", "charge.paid delivered 2 times"];
    const { code, out } = await cli.run(["exec", "--junit", "exec.xml", ...asserts, "--", process.execPath, "-e", ""]);
    expect([code, out]).toEqual([1, ""]);
    const times = [...written("exec.xml").matchAll(/ time="(\d+\.\d{3})"/g)].map(([, seconds]) => Number(seconds));
    const [whole = 0, , command = 0, ...conditions] = times;
    expect(command).toBeGreaterThan(0);
    expect(conditions.map((seconds) => seconds > 0)).toEqual([true, true]);
    // Readers show the sum of the cases as the time of the suite.
    expect(Math.abs(conditions.reduce((sum, one) => sum + one, command) - whole)).toBeLessThan(0.003);
    expect(timeless("exec.xml").split("\n").slice(1)).toEqual([
      '<testsuites name="qa-pay exec" tests="3" failures="1" errors="0" skipped="0">',
      '  <testsuite name="qa-pay exec" tests="3" failures="1" errors="0" skipped="0">',
      `    <testcase classname="command" name="${process.execPath} -e ''"/>`,
      '    <testcase classname="assert" name="no charge.paid"><system-out>it was never sent</system-out></testcase>',
      '    <testcase classname="assert" name="charge.paid delivered 2 times">' +
        '<failure message="it was never sent">it was never sent</failure></testcase>',
      "  </testsuite>",
      "</testsuites>",
      "",
    ]);
  });

  it("has the exit code of a command that failed, also without conditions, and creates its folder", async () => {
    const ended = await cli.run(["exec", "--junit", "deep/er/failed.xml", ...program("process.exit(7)")]);
    const err = `✗ ${process.execPath} -e 'process.exit(7)': the command ended with 7\n`;
    expect(ended).toEqual({ code: 7, out: "", err });
    expect(written("deep/er/failed.xml")).toContain(
      '<failure message="the command ended with 7">the command ended with 7<',
    );
  });

  it("is refused before the command is run when the file cannot be written", async () => {
    mkdirSync(join(cli.folder, "folder"), { recursive: true });
    const script = program('require("node:fs").writeFileSync("ran", "")');
    writeFileSync(join(cli.folder, "file"), "");
    for (const file of ["file/deep/exec.xml", "folder", ""]) {
      const { code, err } = await cli.run(["exec", "--junit", file, ...script]);
      expect(code).toBe(2);
      expect(err).toContain(`Error: ${file || "''"} cannot be written: `);
      expect(err).toContain("Choose another file with --junit.");
    }
    expect(existsSync(join(cli.folder, "ran"))).toBe(false);
  });

  it("creates the folder of a report of its own refusal, which is a failure of the run too", async () => {
    const { code } = await cli.run(["exec", "--junit", "unmade/qa.xml", "--assert", "nonsense", ...program("")]);
    expect(code).toBe(2);
    expect(written("unmade/qa.xml")).toContain('tests="1" failures="1"');
  });

  it("has the beginning of a long command, and takes the place of an earlier report", async () => {
    writeFileSync(join(cli.folder, "long.xml"), "x".repeat(10_000));
    await cli.run(["exec", "--junit", "long.xml", ...program(`/* ${"x".repeat(1_000)} */`)]);
    expect(/name="([^"]*…)"\/>/.exec(timeless("long.xml"))?.[1]).toHaveLength(200);
    expect(written("long.xml")).toMatch(/^<\?xml[\s\S]*<\/testsuites>\n$/);
  });

  it("shows no secret and no steering character of an argument, nor does the error for GitHub Actions", async () => {
    const given: readonly (readonly [text: string, hidden: string])[] = [
      ["qa_live_tMpGqTD4lagAf7w3v_fIgZ5ffohy0aT8", "qa_live_"],
      ["Authorization: Bearer 0123456789abcdef0123", "0123456789abcdef"],
      ["--password hush-1", "hush-1"],
      ["http://user:hush-2@h.example", "hush-2"],
      ["a\u202eb", "\u202e"],
      ["a\u2066b", "\u2066"],
      ["a\u001b[31mb", "\u001b"],
    ];
    const script = `process.exit(3) // ${given.map(([text]) => text).join(" ")}`;
    const { code, err } = await cli.run(["exec", "--junit", "hidden.xml", ...program(script)], { env: GITHUB });
    expect([code, err]).toEqual([3, expect.stringContaining("::error title=")]);
    expect(written("hidden.xml")).toContain("process.exit(3)");
    for (const [, hidden] of given)
      expect([hidden, err.includes(hidden), written("hidden.xml").includes(hidden)]).toEqual([hidden, false, false]);
  });

  it("says that the file could not be written in the end, after what it has to say", async () => {
    const script = program('require("node:fs").mkdirSync("late.xml")');
    const { code, err } = await cli.run(["exec", "--junit", "late.xml", "--assert", "no charge.paid", ...script]);
    expect(code).toBe(1);
    expect(err).toMatch(/^✓ no charge\.paid: it was never sent\nError: late\.xml cannot be written: EISDIR/);
  });
});

describe("webhooks test --junit", () => {
  it("has each case as a test, with what to do about those that failed", async () => {
    const { url } = await receiver(() => 204);
    const only = "charge.paid,wrong-signature,same-event";
    const words = ["webhooks", "test", url, "--secret", SECRET, "--only", only, "--junit", "webhooks.xml", "--json"];
    const { code, out } = await cli.run(words);
    expect([code, JSON.parse(out).passed]).toEqual([1, false]);
    expect(written("webhooks.xml")).toMatch(/name="charge\.paid" time="0\.\d{3}"/);
    const xml = timeless("webhooks.xml");
    expect(xml).toContain('<testsuite name="qa-pay webhooks test" tests="3" failures="1" errors="0" skipped="0">');
    expect(xml).toContain('<testcase classname="webhooks" name="charge.paid"/>');
    expect(xml).toMatch(/name="same-event"><system-out>Sent: [\s\S]*cannot be seen from here/);
    expect(xml).toMatch(
      /name="wrong-signature"><failure message="expected 4xx, got 2 × 204, \d+ ms">Sent: [^<]*&#10;[^<]/,
    );
  });

  it("is not written when nothing is sent", async () => {
    const { url } = await receiver(genuine());
    const words = ["webhooks", "test", url, "--secret", SECRET, "--junit", "none.xml", "--dry-run"];
    expect((await cli.run(words)).code).toBe(0);
    expect(existsSync(join(cli.folder, "none.xml"))).toBe(false);
  });
});

describe("on GitHub Actions", () => {
  const emulator = sharedEmulator({ frozen: true });

  const errorsIn = (err: string) => err.split("\n").filter((line) => line.startsWith("::"));

  it("failures of exec are errors of the run, and what holds is none", async () => {
    const asserts = ["--assert", "every delivery 2xx", "--assert", "no charge.paid"];
    const { err } = await cli.run(["exec", ...asserts, ...program("process.exit(3)")], { env: GITHUB });
    expect(errorsIn(err)).toEqual([
      expect.stringMatching(/^::error title=qa-pay exec%3A \S+ -e 'process\.exit\(3\)'::the command ended with 3$/),
      "::error title=qa-pay exec%3A every delivery 2xx::nothing was sent",
    ]);
    expect(errorsIn((await cli.run(["exec", ...asserts, ...program("")])).err)).toEqual([]);
  });

  it("a command that failed is none of exec when nothing is reported, because exec writes nothing of its own then", async () => {
    const ended = await cli.run(["exec", ...program("process.exit(3)")], { env: GITHUB });
    expect(ended).toEqual({ code: 3, out: "", err: "" });
  });

  it("failures of webhooks test are errors of the run, on one line each", async () => {
    const { url } = await receiver(() => 204);
    const words = ["webhooks", "test", url, "--secret", SECRET, "--only", "wrong-signature,charge.paid"];
    const { out, err } = await cli.run(words, { env: GITHUB });
    expect(errorsIn(err)).toEqual([
      expect.stringMatching(
        /^::error title=qa-pay webhooks test%3A wrong-signature::Sent: .*Got: 2 × 204, \d+ ms\.%0A./,
      ),
    ]);
    expect(errorsIn(out)).toEqual([]);
  });

  it("failures of conform are errors of the run, and standard output is its JSON alone", async () => {
    await emulator.sandbox("/faults", { match: { path: "/v1/wallets" }, effect: { status: 503 } });
    const words = ["conform", "--json", "--base-url", emulator.url, "--api-key", emulator.key];
    const { code, out, err } = await cli.run([...words, "--only", "wallets-shape"], { env: GITHUB });
    await emulator.call("DELETE", "/_sandbox/faults");
    expect([code, JSON.parse(out).checks.length]).toEqual([1, 1]);
    expect(errorsIn(err)).toEqual([
      expect.stringMatching(/^::error title=qa-pay conform%3A wallets-shape::Expected: .* Seen: it answered 503 /),
    ]);
  });

  it("no text can begin a command of its own or end the title", async () => {
    const text = "process.exit(1) /* 100%\r\n::set-env name=A::b, c */";
    const { err } = await cli.run(["exec", "--junit", "hostile.xml", ...program(text)], { env: GITHUB });
    expect(err.split("\n")).toEqual([
      expect.stringMatching(/^✗ .*: the command ended with 1$/),
      expect.stringContaining("process.exit(1) /* 100%25\\r%0A%3A%3Aset-env name=A%3A%3Ab%2C c */'::the command"),
      "",
    ]);
  });
});

it("cases without a time of their own share the rest, and have none when there is no rest", () => {
  const one = { group: "a", name: "b", status: "passed", message: "", detail: "" } as const;
  const timesIn = (all: readonly ReportCase[], ms: number) =>
    [...junitXml("qa-pay x", all, ms).matchAll(/<testcase .* time="([^"]*)"/g)].map(([, time]) => time);
  expect(timesIn([{ ...one, ms: 250 }, one, one], 1_250)).toEqual(["0.250", "0.500", "0.500"]);
  expect(timesIn([{ ...one, ms: 2_000 }, one], 1_000)).toEqual(["2.000", "0.000"]);
  expect(timesIn([{ ...one, ms: 2_000 }], 3_000)).toEqual(["2.000"]);
});

it("JUnit XML has only characters that XML allows", () => {
  const one = { group: "a & b", name: '"<\u0000\ud800>', status: "failed", message: "1\n2", detail: "]]>" } as const;
  expect(junitXml("qa-pay x", [{ ...one, ms: 1_234 }], 0)).toContain(
    '<testcase classname="a &amp; b" name="&quot;&lt;\ufffd\ufffd&gt;" time="1.234"><failure message="1&#10;2">]]&gt;</failure></testcase>',
  );
});
