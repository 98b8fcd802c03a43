import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openArtifactFolder } from "../../../src/programs/cli/commands/exec/artifact-folder.js";
import { writeArtifacts } from "../../../src/programs/cli/commands/exec/artifacts.js";
import { processIo } from "../../../src/programs/cli/terminal/io.js";
import { createClient } from "../../../src/programs/library/create-client.js";
import { createEmulator } from "../../../src/programs/start/emulator.js";
import type { Loose } from "../../support/emulator.js";
import { artifactsOf, NAMES, PRELUDE } from "../../support/exec-artifacts.js";
import { begin } from "../../support/running.js";
import { freshCli, freshReceiver } from "../../support/shared.js";

/** `exec --artifacts`: what the service knew, in files, and what is said about them after a failure. */

const cli = freshCli();
const receiver = freshReceiver();

const { exec, inOut, read, rows } = artifactsOf(cli);
/** The first line after a program that failed. */
const endedWith = (code: number) => `✗ ${process.execPath} script.cjs: the command ended with ${code}\n`;
const forward = () => ["--forward-to", receiver.url, "--events", "charge.created,charge.paid"];

const LIVE = "qa_live_a-key-for-the-build";

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the files", () => {
  it("have the requests, events, attempts with answers and timelines of both books, each list oldest first", async () => {
    receiver.respond = ({ type }) => (type === "charge.paid" ? { status: 500, body: "no order 7" } : {});
    const script = `const one = await newCharge(); await pay(one.id); await newCharge({ amount: 0 });
      await newCharge({}, ${JSON.stringify(LIVE)});`;
    const ended = await exec(script, ...forward(), "--live-key", LIVE, "--assert", "charge.created delivered");
    expect(ended).toEqual({ code: 0, out: "", err: "✓ charge.created delivered: 1 time\n" });
    expect(readdirSync(inOut("")).sort()).toEqual(NAMES);
    const requests = rows("requests.jsonl").map(({ mode, method, path, status }) => [mode, method, path, status]);
    expect(requests).toEqual([
      ["test", "POST", "/v1/charges", 201],
      ["test", "POST", "/v1/charges", 400],
      ["live", "POST", "/v1/charges", 201],
    ]);
    expect(rows("events.jsonl").map(({ mode, type }) => `${mode} ${type}`)).toEqual(
      expect.arrayContaining(["test charge.created", "test charge.paid", "live charge.created"]),
    );
    const [created, paid] = rows("deliveries.jsonl");
    expect([created.eventType, created.status, created.attempts_log[0].response.status]).toEqual([
      "charge.created",
      "DELIVERED",
      204,
    ]);
    expect(paid.attempts_log).toMatchObject([
      { number: 1, request: { url: receiver.url }, response: { status: 500, body: "no order 7" } },
    ]);
    const timelines = readdirSync(inOut("timelines"));
    expect(timelines).toEqual([
      expect.stringMatching(/^ch_[0-9a-f-]{36}\.txt$/),
      expect.stringMatching(/^ch_.*\.txt$/),
    ]);
    const own = timelines.find((name) => name.startsWith(paid.subject)) ?? "";
    expect(read(`timelines/${own}`)).toMatch(
      /created: R\$ 19,90[\s\S]* paid [\s\S]*attempt 1: [^\n]*500[\s\S]*── now .*Z ──/,
    );
  });

  it("are written whatever the exit code, also without any charge", async () => {
    const ended = await exec("process.exit(7);");
    const text = "The service got no request. Its address is in QA_PAY_BASE_URL.\n";
    expect(ended).toEqual({ code: 7, out: "", err: endedWith(7) + text });
    expect(readdirSync(inOut("")).sort()).toEqual(NAMES.slice(0, 4));
    expect(["requests.jsonl", "deliveries.jsonl", "events.jsonl"].map(read)).toEqual(["", "", ""]);
  });

  it("are written when a signal ends the command", async () => {
    const script = `${PRELUDE} process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 60_000);
      newCharge().then(() => fetch(${JSON.stringify(receiver.url)}, { method: "POST", body: "1" }));`;
    writeFileSync(join(cli.folder, "script.cjs"), script);
    const running = await begin(cli, ["exec", "--artifacts", "out", "--", process.execPath, "script.cjs"]);
    await receiver.waitFor(1);
    expect((await running.stop()).code).toBe(9);
    expect(rows("requests.jsonl")).toHaveLength(1);
  });

  it("are written when a signal comes after the command, while webhooks are waited for, and the exit code is that of the signal", async () => {
    receiver.respond = () => ({ instead: "silence" });
    const script = `${PRELUDE} require("node:fs").writeFileSync("pid", String(process.pid)); newCharge();`;
    writeFileSync(join(cli.folder, "script.cjs"), script);
    const words = ["exec", "--artifacts", "out", ...forward(), "--assert", "charge.created delivered"];
    const running = await begin(cli, [...words, "--", process.execPath, "script.cjs"]);
    await receiver.waitFor(1);
    const pid = Number(readFileSync(join(cli.folder, "pid"), "utf8"));
    await expect.poll(() => isThere(pid)).toBe(false);
    const { code, err } = await running.stop();
    expect([code, err]).toEqual([
      143,
      expect.stringContaining("✗ charge.created delivered: sent 1 time, never delivered"),
    ]);
    expect(err).toContain("! emulator.db is missing: a signal has cut the work short.\n");
    expect(rows("requests.jsonl").map(({ status }) => status)).toEqual([201]);
    expect(rows("deliveries.jsonl")).toMatchObject([{ status: "PROCESSING", attempts_log: [] }]);
  });

  it("are nothing on standard output, and nothing is said of them when all is well", async () => {
    expect(await exec("await newCharge();")).toEqual({ code: 0, out: "", err: "" });
    expect(rows("requests.jsonl")).toHaveLength(1);
  });
});

it("beyond their bounds, lists have the newest rows, and the newest charges have timelines", async () => {
  const emulator = await createEmulator({ db: ":memory:" });
  try {
    const client = createClient({ baseUrl: emulator.url, apiKey: emulator.testKey ?? "" });
    const ids: string[] = [];
    for (const amount of [101, 102, 103]) {
      const input = { body: { amount, payment_method: "pix" as const }, idempotencyKey: `order-${amount}` };
      ids.push((await client["charges.create"](input)).id);
    }
    const io = { ...processIo(), cwd: cli.folder };
    const { signal: stop } = new AbortController();
    const bounds = { listMegabytes: 0.002, timelines: 2 };
    const written = await writeArtifacts(io, emulator, await openArtifactFolder(io, "out"), { stop, bounds });
    const cut = ["requests", "events"].map((name) => `${name}.jsonl has the newest 0.002 MB.`);
    expect(written.lacks).toEqual(
      [...cut, "Of the test book, the newest 2 charges have a timeline."].map((text) => ({ text, isFault: false })),
    );
    expect(rows("requests.jsonl").map(({ request_body: body }) => body.amount)).toEqual([103]);
    expect(readdirSync(inOut("timelines")).sort()).toEqual(ids.slice(1).map((id) => `${id}.txt`));
    expect(written.newest).toBe(ids[2]);
  } finally {
    await emulator.close();
  }
});

describe("the database", () => {
  it("is one that serve opens and that a snapshot is made of: as it was, with its clock standing, and it sends nothing", async () => {
    receiver.respond = () => ({ status: 500 });
    await exec("await pay((await newCharge()).id); await newCharge();", ...forward(), "--assert", "no charge.failed");
    const before = receiver.received.length;
    const key = "qa_test_to-look-at-it";
    const emulator = await createEmulator({ db: inOut("emulator.db"), testKey: key, port: 0 });
    const read = async (path: string): Promise<Loose> =>
      (await fetch(emulator.url + path, { headers: { apikey: key } })).json();
    try {
      expect((await read("/_sandbox/clock")).frozen).toBe(true);
      expect(await read("/_sandbox/ledger/check")).toMatchObject({ ok: true, problems: [] });
      expect((await read("/_sandbox/payments")).data.map(({ status }: Loose) => status)).toEqual([
        "WAITING_PAYMENT",
        "PAID",
      ]);
      const [delivery] = (await read("/_sandbox/webhooks/deliveries")).data;
      expect((await read(`/_sandbox/webhooks/deliveries/${delivery.id}`)).attempts_log[0].response.status).toBe(500);
      const why = await read(`/_sandbox/why/${delivery.id}`);
      expect([why.code, why.text]).toEqual([
        "receiver_error",
        "The receiver failed: it answered 500. Look in its log for this webhook. The endpoint is switched off. Its pending deliveries are sent when it is switched on again.",
      ]);
      const advanced = await fetch(`${emulator.url}/_sandbox/clock/advance`, {
        method: "POST",
        headers: { apikey: key, "content-type": "application/json" },
        body: '{"seconds":86400}',
      });
      expect([advanced.status, receiver.received.length]).toEqual([200, before]);
      const target = ["--base-url", emulator.url, "--api-key", key];
      const imported = await cli.run([
        "sandbox",
        "snapshots",
        "import",
        "of-ci",
        "out/emulator.db",
        ...target,
        "--json",
      ]);
      expect([imported.code, JSON.parse(imported.out).counts.charges]).toEqual([0, 2]);
    } finally {
      await emulator.close();
    }
  });
});

describe("after a failure", () => {
  const PAGE = `<!doctype html><title>500</title><style>p{}</style><h1>Whoops</h1><p>${"no order ".repeat(90)}</p>`;

  it("a condition that does not hold names the receiver's answer, shortened, and the timeline to open", async () => {
    receiver.respond = () => ({ status: 500, body: PAGE });
    const { code, err } = await exec(
      "await pay((await newCharge()).id);",
      ...forward(),
      "--assert",
      "charge.paid delivered",
    );
    expect(code).toBe(1);
    const [verdict, delivery = "", why, open = "", ...rest] = err.split("\n");
    expect(verdict).toBe("✗ charge.paid delivered: sent 1 time, never delivered");
    expect(delivery).toMatch(/^ {4}charge\.paid wd_\S+ PENDING after 1 attempt: .*500: a page of HTML \(500: Whoops/);
    expect(delivery.length).toBeLessThan(350);
    expect(why).toBe("Why: The receiver failed: it answered 500. Look in its log for this webhook.");
    const [, file = "", id] =
      /^Open (out\/timelines\/ch_\S+\.txt): the history of the charge of (wd_\S+)\.$/.exec(open) ?? [];
    expect(delivery).toContain(` ${id} `);
    expect(readFileSync(join(cli.folder, file), "utf8")).toContain("500");
    expect(rest).toEqual([""]);
  });

  it("a command that failed names the answers that the receiver gave, also without conditions", async () => {
    receiver.respond = () => ({ status: 404, body: PAGE });
    const waits = `for (;;) if ((await call("GET", "/v1/webhooks/deliveries")).data.every(({ attempts }) => attempts > 0)) break;`;
    const { code, err } = await exec(`await newCharge(); ${waits} process.exit(3);`, ...forward());
    expect(code).toBe(3);
    const [first, ...others] = err.split("\n");
    expect(`${first}\n`).toBe(endedWith(3));
    expect(others.join("\n")).toMatch(
      /^Not accepted:\n {2}charge\.created wd_\S+ PENDING after 1 attempt: .*404: a page of HTML .*\nWhy: No receiver takes webhooks at this address: it answered 404\. .*\nOpen out\/timelines\/ch_\S+\.txt: the history of the charge of wd_\S+\.\n$/,
    );
  });

  it("a delivery that failed and a request that was refused name a file each", async () => {
    receiver.respond = () => ({ status: 500, body: PAGE });
    const calls = 'await newCharge(); await call("POST", "/v1/charges/unknown/pay");';
    const { err } = await exec(calls, ...forward(), "--assert", "charge.created delivered");
    expect(err).toMatch(
      /Open out\/timelines\/ch_\S+: the history of the charge of wd_\S+\.\nOpen out\/requests\.jsonl: 1 refused request, the last one POST \/v1\/charges\/unknown\/pay with 404 /,
    );
  });

  it("without a failed delivery it names the requests that were refused, else the newest charge", async () => {
    const refused = await exec("await newCharge(); await newCharge({ amount: 0 }); process.exit(1);");
    expect(refused.err).toBe(
      `${endedWith(1)}Open out/requests.jsonl: 1 refused request, the last one POST /v1/charges with 400 invalid_amount.\n`,
    );
    const unpaid = await exec("await newCharge();", "--assert", "charge.paid delivered");
    expect(unpaid.err).toMatch(
      /^✗ charge\.paid delivered: it was never sent\nWhy: Nobody has paid it yet\. It can be paid until .*Z\.\nOpen out\/timelines\/ch_\S+\.txt: the history of the newest charge\.\n$/,
    );
  });

  it("without the flag a condition that does not hold names the flag", async () => {
    const { err } = await cli.run(["exec", "--assert", "charge.paid delivered", "--", process.execPath, "-e", ""]);
    expect(err).toBe(
      "✗ charge.paid delivered: it was never sent\n`--artifacts <folder>` keeps requests, deliveries, timelines and the database of a run.\n",
    );
  });

  it("the report for the build server and the errors on GitHub Actions name the file too", async () => {
    writeFileSync(join(cli.folder, "script.cjs"), `${PRELUDE} newCharge();`);
    const words = ["exec", "--artifacts", "out", "--junit", "qa.xml", "--assert", "charge.paid delivered"];
    const { err } = await cli.run([...words, "--", process.execPath, "script.cjs"], {
      env: { GITHUB_ACTIONS: "true" },
    });
    const open = /Open out\/timelines\/ch_\S+: the history of the newest charge\./;
    expect(err.split("\n").find((line) => line.startsWith("::error "))).toMatch(open);
    expect(readFileSync(join(cli.folder, "qa.xml"), "utf8")).toMatch(open);
  });

  it("--json has the same for a program", async () => {
    const { err } = await exec("await newCharge(); process.exit(3);", "--json");
    expect(JSON.parse(err)).toEqual({
      assertions: [],
      artifacts: { folder: "out", lacks: [], say: [expect.stringMatching(/^Open out\/timelines\/ch_/)] },
    });
  });
});

describe("the folder", () => {
  const script = "require('node:fs').writeFileSync('ran', '');";
  const wasRun = () => existsSync(join(cli.folder, "ran"));

  it("loses what an earlier run has written, and nothing else", async () => {
    const theirs = ["notes.txt", "timelines/mine.txt"];
    const ours = ["events.jsonl", "emulator.db", `timelines/ch_${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}.txt`];
    mkdirSync(inOut("timelines"), { recursive: true });
    for (const name of [...theirs, ...ours]) writeFileSync(inOut(name), "old");
    await exec("");
    expect(theirs.map(read)).toEqual(["old", "old"]);
    expect(readdirSync(inOut("timelines"))).toEqual(["mine.txt"]);
    expect(read("events.jsonl")).toBe("");
  });

  it.each([
    ["a program that is not there", 127, ["--", "no-such-program"], true],
    ["a file that is no program", 126, ["--", "./script.cjs"], true],
    ["a fixture that the service refuses", 5, ["--seed", "bad.json", "--", "true"], true],
    ["a condition that cannot be read", 2, ["--assert", "charge.paid never", "--", "true"], false],
    ["a fixture that is not there", 2, ["--seed", "no.json", "--", "true"], false],
    ["a setting that cannot be", 2, ["--settlement-hold", "soon", "--", "true"], false],
  ] as const)(
    "has nothing of an earlier run after %s, and neither has the report: %i",
    async (_, code, words, runs) => {
      const refused = { name: "one", request: "POST /v1/charges", body: { amount: 0, payment_method: "pix" } };
      writeFileSync(join(cli.folder, "bad.json"), JSON.stringify({ steps: [refused] }));
      await exec("await newCharge();", "--junit", "qa.xml");
      const files = readdirSync(inOut("")).map((name) => inOut(name));
      expect(files).toHaveLength(NAMES.length);
      const env = { GITHUB_ACTIONS: "true" };
      const ended = await cli.run(["exec", "--artifacts", "out", "--junit", "qa.xml", ...words], { env });
      expect(ended.code).toBe(code);
      // Where the service was there, so are its files; without any charge there is no timeline.
      expect(readdirSync(inOut("")).filter((name) => name !== "timelines")).toEqual(runs ? NAMES.slice(0, 4) : []);
      if (runs) expect(rows("requests.jsonl").filter(({ status }) => status < 300)).toEqual([]);
      if (existsSync(inOut("timelines"))) expect(readdirSync(inOut("timelines"))).toEqual([]);
      const message = /^Error: (.*)$/m.exec(ended.err)?.[1] ?? "";
      expect(message).not.toBe("");
      const error = ended.err.split("\n").find((line) => line.startsWith("::error title=qa-pay exec%3A ")) ?? "";
      expect(error.replaceAll("%0A", "\n")).toContain(message.slice(0, 40));
      const report = readFileSync(join(cli.folder, "qa.xml"), "utf8");
      expect(report).toContain('tests="1" failures="1"');
      expect(report).toContain(message.slice(0, 12));
    },
  );

  it("is refused before the command is run when it is a file, or below one, or has no name", async () => {
    writeFileSync(join(cli.folder, "file"), "kept");
    for (const [name, why] of [
      ["file", "it is no folder"],
      ["file/out", "is no folder"],
      ["", "it has no name"],
    ] as const) {
      const { code, err } = await cli.run(["exec", "--artifacts", name, "--", process.execPath, "-e", script]);
      expect([code, err]).toEqual([2, expect.stringContaining(why)]);
      expect(err).toContain("Choose another folder with --artifacts.");
    }
    expect([wasRun(), readFileSync(join(cli.folder, "file"), "utf8")]).toEqual([false, "kept"]);
  });

  it("may be a link of one's own, and is refused as a link of another user or to nowhere", async () => {
    mkdirSync(join(cli.folder, "real"));
    symlinkSync("real", join(cli.folder, "out"));
    await exec("");
    expect(readdirSync(join(cli.folder, "real")).sort()).toEqual(NAMES.slice(0, 4));
    const words = ["exec", "--artifacts", "out", "--", process.execPath, "-e", script];
    const stranger = await cli.run(words, { uid: (process.getuid?.() ?? 0) + 1 });
    expect([stranger.code, stranger.err]).toEqual([2, expect.stringContaining("it is a link of another user")]);
    rmSync(join(cli.folder, "real"), { recursive: true });
    const nowhere = await cli.run(words);
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("it is a link that leads nowhere")]);
    expect(wasRun()).toBe(false);
  });

  it("has links in it that are replaced, and never followed", async () => {
    mkdirSync(join(cli.folder, "out"));
    mkdirSync(join(cli.folder, "elsewhere"));
    writeFileSync(join(cli.folder, "precious"), "kept");
    symlinkSync("../precious", inOut("requests.jsonl"));
    symlinkSync("../elsewhere", inOut("timelines"));
    await exec("await newCharge(); require('node:fs').symlinkSync('../precious', 'out/events.jsonl');");
    expect(readFileSync(join(cli.folder, "precious"), "utf8")).toBe("kept");
    expect(readdirSync(join(cli.folder, "elsewhere"))).toEqual([]);
    expect(
      ["requests.jsonl", "events.jsonl", "timelines"].map((name) => lstatSync(inOut(name)).isSymbolicLink()),
    ).toEqual([false, false, false]);
  });

  it.skipIf(process.platform !== "linux")("that nobody can create is reported, and the command ends", async () => {
    const { code, err } = await cli.run([
      "exec",
      "--artifacts",
      "/proc/out",
      "--junit",
      "qa.xml",
      "--",
      process.execPath,
      "-e",
      "",
    ]);
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining("ENOENT")]);
    expect(code).toBeGreaterThan(0);
  });

  it("that cannot be written in the end is reported, and fails a command that did not fail itself", async () => {
    const { code, err } = await exec("require('node:fs').writeFileSync('out', '');");
    expect(code).toBe(1);
    expect(err).toMatch(/^! emulator\.db is missing: .*\n! requests\.jsonl is missing: /);
    rmSync(join(cli.folder, "out"));
    expect((await exec("require('node:fs').writeFileSync('out', ''); process.exit(4);")).code).toBe(4);
  });
});
