import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SECTIONS } from "../../../src/checks/conformance/check.js";
import { CHECKS } from "../../../src/checks/conformance/checks/index.js";
import { testCli } from "../../support/cli.js";
import { conform } from "../../support/conform.js";
import { type Loose, startEmulator } from "../../support/emulator.js";
import { startHost } from "../../support/running.js";
import { sharedEmulator } from "../../support/shared.js";

/** `conform` against the emulator itself: what it prints, and what it leaves. */

const cli = testCli();
const emulator = sharedEmulator({ retryBaseMs: 20 });
afterAll(async () => {
  cli.remove();
});

const at = (url: string, key: string) => ["--base-url", url, "--api-key", key];
const here = () => at(emulator.url, emulator.key);

async function requests(): Promise<readonly Loose[]> {
  return (await emulator.call("GET", "/_sandbox/requests?limit=100")).body.data;
}

describe("the emulator is what the specification says", () => {
  it("when it is new and is only read, and nothing but GET is sent", async () => {
    const { code, failed, warned, checks } = await conform(cli, emulator.url, emulator.key);
    expect([failed, warned, code]).toEqual([[], [], 0]);
    expect(checks).toHaveLength(CHECKS.length);
    expect(new Set((await requests()).map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  it("when it is written to", async () => {
    const result = await conform(cli, emulator.url, emulator.key, "--write", "--other-key", emulator.live);
    expect([result.failed, result.warned, result.code]).toEqual([[], [], 0]);
    expect(result.skipped).toEqual(["rate-limit"]);
  });

  it("when it is used and is only read", async () => {
    const { failed, skipped } = await conform(cli, emulator.url, emulator.live, "--other-key", emulator.key);
    expect(failed).toEqual([]);
    expect(skipped).toContain("payment-shape");
    const used = await conform(cli, emulator.url, emulator.key, "--other-key", emulator.live);
    expect(used.failed).toEqual([]);
    const reading = CHECKS.filter(({ needs = [] }) => !needs.includes("write")).map(({ name }) => name);
    expect(used.skipped.filter((name) => reading.includes(name))).toEqual(["rate-limit"]);
  });

  it("and keeps no endpoint and no waiting charge of the checks, and names what it keeps", async () => {
    const { body: endpoints } = await emulator.call("GET", "/v1/webhooks/endpoints");
    expect(endpoints.data).toEqual([]);
    const { body: waiting } = await emulator.call("GET", "/v1/payments?status=WAITING_PAYMENT");
    expect(waiting.data).toEqual([]);
    const { body: kept } = await emulator.call("GET", "/v1/payments?limit=100");
    for (const { customerName } of kept.data) expect(customerName).toMatch(/^qa-pay conform [0-9a-f]{8}$/);
  });

  it("when it serves the list of charges before its release", async () => {
    const preview = await startEmulator({ preview: new Set(["charge-list"]) });
    const { checks, failed } = await conform(cli, preview.url, preview.key, "--only", "charge-list");
    await preview.close();
    expect(failed).toEqual([]);
    expect(checks.map(({ detail }) => detail)).toEqual([expect.stringContaining("it is served, in the intended form")]);
  });

  it("when its clock stands still: what needs time is skipped, with the way out", async () => {
    await emulator.sandbox("/clock/freeze");
    const { failed, checks } = await conform(cli, emulator.url, emulator.key, "--write", "--only", "6.6,6.5,2.7");
    await emulator.sandbox("/clock/resume");
    expect(failed).toEqual([]);
    const { status, detail } = checks.find(({ name }) => name === "webhook-retry");
    expect(status).toBe("skipped");
    expect(detail).toContain("`qa-pay sandbox clock resume`");
  });

  it("when it limits requests: the run waits as long as Retry-After says", async () => {
    const limited = await startEmulator({ rateLimit: 40 });
    const paused: number[] = [];
    const pause = async (ms: number) => {
      paused.push(ms);
      await limited.sandbox("/clock/advance", { seconds: ms / 1_000 });
    };
    const { out, code } = await cli.run(["conform", "--json", ...at(limited.url, limited.key)], { pause });
    await limited.close();
    expect(code).toBe(0);
    expect(paused.length).toBeGreaterThan(0);
    const told = JSON.parse(out).checks.find(({ name }: Loose) => name === "rate-limit");
    expect(told.status).toBe("passed");
  });
});

describe("the catalogue", () => {
  it("names each check once, in a section that exists, with a sentence", () => {
    expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length);
    for (const { name, section, about } of CHECKS) {
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(Object.keys(SECTIONS)).toContain(section);
      expect(about).toMatch(/^[A-Z/][^\n]*\.$|^[a-z_A-Z]\S* [^\n]*\.$/);
    }
    expect([...new Set(CHECKS.map(({ section }) => section))].sort()).toEqual(Object.keys(SECTIONS).sort());
    const named = Object.values(SECTIONS).flatMap(({ checks }) => Object.keys(checks));
    expect(CHECKS.map(({ name }) => name).sort()).toEqual(named.sort());
  });

  it("is shown without a host, as text and as JSON", async () => {
    const shown = await cli.run(["conform", "--list", "--only", "med-pages,4.5"]);
    expect([shown.code, shown.err]).toEqual([0, ""]);
    expect(shown.out).toMatch(/^4\.5 Wallets\n {2}balance-single-currency\n {4}With/);
    expect(shown.out).toMatch(/\n4\.13 MED cases\n {2}med-pages\n/);
    const { checks } = JSON.parse((await cli.run(["conform", "--list", "--json"])).out);
    expect(checks).toHaveLength(CHECKS.length);
  });

  it("is in the guide, with every section", () => {
    const guide = readFileSync("docs/guides/conformance.md", "utf8");
    for (const { name } of CHECKS) expect(guide).toContain(`\`${name}\``);
    for (const [number, { title }] of Object.entries(SECTIONS)) expect(guide).toContain(`${number} ${title}`);
  });
});

describe("what is printed", () => {
  it("is grouped by section, fits 80 columns, and ends with the counts", async () => {
    const { code, out, err } = await cli.run(["conform", ...here()]);
    expect(code).toBe(0);
    expect(err).toMatch(/^Asking http:\S+, changing nothing: \d+ checks\.\n$/);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(out).toMatch(/^1 General conventions\n {2}✓ request-id-echo +the same id/);
    expect(out).toMatch(/\n\d+ passed, 0 failed, \d+ skipped\.\n$/);
    const sections = [...out.matchAll(/^(\d[\d.]*) [A-Z]/gm)].map(([, number = ""]) => number);
    expect(sections.indexOf("4.9")).toBeLessThan(sections.indexOf("4.10"));
  });

  it("begins with what is wrong: what was expected, what was seen, and a command that shows more", async () => {
    await emulator.call("POST", "/_sandbox/faults", {
      body: { match: { path: "/v1/wallets" }, effect: { status: 503 } },
    });
    const { code, out } = await cli.run(["conform", ...here()]);
    await emulator.call("DELETE", "/_sandbox/faults");
    expect(code).toBe(1);
    const [first = "", expected, seen, look = ""] = out.split("\n").slice(1);
    expect(out).toMatch(/^2\.3 Wallet entry\n/);
    expect([first, expected, seen]).toEqual([
      "  ✗ wallets-shape",
      "    Expected: GET /v1/wallets answers 200.",
      "    Seen:     it answered 503 service_unavailable.",
    ]);
    expect(look).toMatch(/^ {4}Look: {5}qa-pay logs show req_\S+ --base-url /);
    const [, ...words] = look.trim().replace("Look:", "").trim().split(" ");
    const shown = await cli.run([...words, "--api-key", emulator.key]);
    expect(shown.out).toContain("/v1/wallets");
    const quiet = await cli.run(["conform", "--quiet", "--only", "request-id-echo", ...here()]);
    expect([quiet.out, quiet.err]).toEqual(["1 passed, 0 failed, 0 skipped.\n", ""]);
  });

  it("is written as JUnit XML too", async () => {
    const words = ["conform", "--only", "2.2,charge-create", "--junit", "conform.xml", ...here()];
    expect((await cli.run(words)).code).toBe(0);
    const xml = readFileSync(join(cli.folder, "conform.xml"), "utf8");
    expect(xml).toContain('<testsuite name="qa-pay conform" tests="3" failures="0" errors="0" skipped="1" time="');
    expect(xml).toMatch(/<testcase classname="2\.2 Wallet balance" name="balance-sums" time="\d+\.\d{3}"\/>/);
    expect(xml).toMatch(/name="charge-create" time="[\d.]+"><skipped message="[^"]+--write"\/><\/testcase>/);
    const unwritable = await cli.run([...words.slice(0, 4), "/dev/null/conform.xml", ...here()]);
    expect(unwritable.code).toBe(2);
    expect(unwritable.err).toContain("/dev/null/conform.xml cannot be written");
  });
});

describe("is refused", () => {
  it("for a check that does not exist, with the name that was meant", async () => {
    const { code, err } = await cli.run(["conform", "--only", "med-page", ...here()]);
    expect([code, err]).toEqual([2, expect.stringContaining("There is no check med-page.")]);
    expect(err).toContain("med-pages");
  });

  it("with --write and a key that is no test key, unless --yes is set", async () => {
    const before = (await emulator.call("GET", "/v1/payments", { key: emulator.live })).body.total;
    const words = ["conform", "--write", "--only", "charge-create", "--json", ...at(emulator.url, emulator.live)];
    const { code, out, err } = await cli.run(words, { answers: [true] });
    expect([code, out]).toEqual([2, ""]);
    expect(JSON.parse(err).error.code).toBe("confirmation_required");
    expect((await emulator.call("GET", "/v1/payments", { key: emulator.live })).body.total).toBe(before);
    expect((await cli.run([...words, "--yes"])).code).toBe(0);
  });

  it("by a host that is not the service or does not know the key, with one error", async () => {
    const host = await startHost((_incoming, outgoing) => {
      outgoing.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
    });
    const file = join(cli.folder, "stranger.xml");
    const words = ["conform", "--junit", file, ...at(host.url, "qa_test_x")];
    const { code, out, err } = await cli.run(words);
    await host.close();
    expect([code, out]).toEqual([7, ""]);
    expect(err).toContain(`${host.url} is not the service: GET /v1/wallets/balance answered 404 text/html.`);
    expect(existsSync(file)).toBe(false);
    const gone = await cli.run(words);
    expect([gone.code, gone.out]).toEqual([7, ""]);
    expect(gone.err).toContain("Nobody answers");
    const stranger = await cli.run(["conform", ...at(emulator.url, "qa_test_unknown")]);
    expect([stranger.code, stranger.err]).toEqual([3, expect.stringContaining("does not know the key from --api-key")]);
  });
});

it("a run that is stopped removes what it created, and says how far it came", async () => {
  let stop = () => {};
  const running = cli.run(["conform", "--write", ...here()], {
    onStop: (callback) => {
      stop = () => callback("SIGINT");
    },
  });
  await emulator.charge();
  stop();
  const { code, err } = await running;
  expect(code).toBe(1);
  expect(err).toMatch(/Stopped after \d+ of \d+ checks\./);
  expect((await emulator.call("GET", "/v1/webhooks/endpoints")).body.data).toEqual([]);
});
