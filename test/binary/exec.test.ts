import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newPlace, type Place, run } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { startReceiver } from "../support/receiver.js";

/** `exec` as a build runs it: processes, signals, standard streams and remaining files. */

const BIN = new URL("../../bin/qa-pay.js", import.meta.url).pathname;

let place: Place;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

interface Running {
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
  /** Resolves when standard output has this text. */
  says(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: Buffer;
  readonly err: Buffer;
}

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Uint8Array;
}

function start(words: readonly string[], { env = {}, input }: Given = {}): Running {
  const child = spawn(process.execPath, [BIN, "exec", ...words], {
    cwd: place.folder,
    env: { ...place.env, ...env },
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  // A program that does not read its input can end before the input arrives.
  child.stdin.on("error", () => undefined).end(input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out: Buffer.concat(out), err: Buffer.concat(err) }));
  });
  return {
    pid: child.pid ?? 0,
    signal: (name) => void child.kill(name),
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => Buffer.concat(out).includes(text) && resolve();
        child.stdout.on("data", look);
        look();
        void ended.then(({ code, err: said }) => reject(new Error(`ended with ${code}: ${said}`)));
      }),
    ended,
  };
}

const exec = (words: readonly string[], given?: Given): Promise<Ended> => start(words, given).ended;

/** Writes a script for exec to run, and answers the words that start it. */
function script(text: string): string[] {
  writeFileSync(join(place.folder, "script.cjs"), text);
  return ["--", process.execPath, "script.cjs"];
}

const TELL = `const fs = require("node:fs");
const tell = (value) => fs.writeFileSync("told.json", JSON.stringify(value));
`;

function told(): Loose {
  return JSON.parse(readFileSync(join(place.folder, "told.json"), "utf8"));
}

/** Whether a process with this id exists. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the exit code", () => {
  // More codes and signals: test/cli/exec.test.ts.
  it.each([
    ["process.exit(42)", 42],
    ["process.kill(process.pid, 'SIGTERM')", 143],
  ])("is that of the program: %s", async (text, code) => {
    const ended = await exec(script(text));
    expect([ended.code, ended.signal, ended.out.toString()]).toEqual([code, null, ""]);
  });
});

describe("a signal to qa-pay", () => {
  const waiting = `${TELL}
    for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => { tell("heard"); process.exit(9); });
    setInterval(() => {}, 60_000);
    process.stdout.write(process.pid + " " + process.env.QA_PAY_BASE_URL + " ready\\n");`;

  it.each(["SIGINT", "SIGTERM"] as const)("%s is passed to the program, and exec ends with it", async (name) => {
    const running = start(script(waiting));
    await running.says("ready");
    running.signal(name);
    const { code, signal, out, err } = await running.ended;
    expect([code, signal, err.toString()]).toEqual([9, null, ""]);
    expect(told()).toBe("heard");
    const [pid, url = ""] = out.toString().split(" ");
    expect([lives(Number(pid)), lives(running.pid)]).toEqual([false, false]);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("ends a program that ignores it, with 128 and the number of the signal", async () => {
    const running = start(script('setInterval(() => {}, 60_000); console.log("ready");'));
    await running.says("ready");
    running.signal("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 143, signal: null });
  });
});

describe("what remains after exec", () => {
  it("is nothing: no database, no profile, no process", async () => {
    const ended = await exec(script(`${TELL} tell([process.pid, process.ppid, process.env.QA_PAY_BASE_URL]);`));
    expect(ended.code).toBe(0);
    const [pid, parent, url] = told();
    expect([lives(pid), lives(parent)]).toEqual([false, false]);
    await expect(fetch(url)).rejects.toThrow();
    expect(readdirSync(place.folder).sort()).toEqual(["script.cjs", "told.json"]);
  });

  it("includes the profile of a running server, unchanged", async () => {
    const config = join(place.folder, "config");
    const profiles = '{"current":"mine","profiles":{"mine":{"base_url":"http://127.0.0.1:9","api_key":null}}}';
    writeFileSync(join(place.folder, "profiles.json"), profiles);
    await exec(["--", process.execPath, BIN, "charges", "create", "--amount", "100"], {
      env: { QA_PAY_CONFIG_DIR: place.folder },
    });
    expect(readFileSync(join(place.folder, "profiles.json"), "utf8")).toBe(profiles);
    expect([existsSync(config), existsSync(join(place.folder, ".qa-pay"))]).toEqual([false, false]);
  });
});

describe("standard streams", () => {
  /** More bytes than a pipe holds, with every possible value. */
  const bytes = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_none, byte) => byte)), randomBytes(300_000)]);
  const digest = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

  it.each([[[]], [["--seed", "small-shop"]]])("are passed on byte for byte: %j", async (flags) => {
    const { code, out, err } = await exec([...flags, "--", "cat"], { input: bytes });
    expect([code, digest(out), err.toString()]).toEqual([0, digest(bytes), ""]);
  });

  it("stay separate: standard error is not mixed with standard output", async () => {
    const text = `process.stdin.pipe(process.stderr); process.stdout.write(Buffer.from([0, 255, 13, 10]));`;
    const { code, out, err } = await exec(script(text), { input: bytes });
    expect([code, out.toString("hex"), digest(err)]).toEqual([0, "00ff0d0a", digest(bytes)]);
  });

  it("are closed when there is no more input", async () => {
    const text = `${TELL} const chunks = []; process.stdin.on("data", (chunk) => chunks.push(chunk));
      process.stdin.on("end", () => tell(chunks.length));`;
    expect((await exec(script(text))).code).toBe(0);
    expect(told()).toBe(0);
  });
});

describe("the environment", () => {
  it("has the address of the service, whatever the caller's has, and keeps the rest", async () => {
    const env = {
      QA_PAY_BASE_URL: "http://127.0.0.1:9",
      QA_PAY_API_KEY: "qa_live_of-somebody",
      QA_PAY_WEBHOOK_SECRET: "of somebody",
      QA_PAY_PROFILE: "nowhere",
      COLOUR: "red",
    };
    expect((await exec(script(`${TELL} tell(process.env);`), { env })).code).toBe(0);
    expect(told()).toMatchObject({
      QA_PAY_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
      QA_PAY_API_KEY: expect.stringMatching(/^qa_test_[\w-]{32}$/),
      QA_PAY_WEBHOOK_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
      COLOUR: "red",
      PATH: process.env.PATH,
    });
    expect(told()).not.toHaveProperty("QA_PAY_PROFILE");
  });

  it("is enough for qa-pay commands, even when a profile is chosen", async () => {
    const command = ["--", process.execPath, BIN, "charges", "create", "--amount", "1990", "--json"];
    const { code, out, err } = await exec(command, { env: { QA_PAY_PROFILE: "nowhere" } });
    expect([code, err.toString()]).toEqual([0, ""]);
    expect(JSON.parse(out.toString())).toMatchObject({ amount: 1990, status: "pending" });
  });

  it("has the signing secret of webhooks", async () => {
    const receiver = await startReceiver();
    const text = `const { execFileSync } = require("node:child_process");
      execFileSync(process.execPath, [${JSON.stringify(BIN)}, "trigger", "charge.created"]);
      require("node:fs").writeFileSync("told.json", JSON.stringify(process.env.QA_PAY_WEBHOOK_SECRET));`;
    const flags = ["--forward-to", receiver.url, "--events", "charge.created"];
    expect((await exec([...flags, "--assert", "charge.created delivered", ...script(text)])).code).toBe(0);
    const [delivery] = await receiver.waitFor(1);
    await receiver.close();
    const signature = String(delivery?.headers["x-qa-signature"]);
    const words = ["webhooks", "verify", "--secret", told(), "--signature", signature];
    expect((await run(place, words, { input: delivery?.raw ?? "" })).code).toBe(0);
  });
});

describe("the program", () => {
  it("gets its words unchanged, because no shell is used", async () => {
    const words = ["$HOME", "*", "; exit 3", "a b", "", '"', "--json", "--", "é\n"];
    const text = `${TELL} tell(process.argv.slice(2));`;
    expect((await exec([...script(text), ...words])).code).toBe(0);
    expect(told()).toEqual(words);
  });

  it("needs no two dashes before it when it has no flags", async () => {
    writeFileSync(join(place.folder, "script.cjs"), `${TELL} tell("run");`);
    expect((await exec([process.execPath, "script.cjs"])).code).toBe(0);
    expect(told()).toBe("run");
  });

  // Other programs that cannot be started: test/cli/exec.test.ts.
  it("that is not there ends with 2, and says what to do", async () => {
    const { code, out, err } = await exec(["--", "no-such-program"]);
    expect([code, out.toString()]).toEqual([2, ""]);
    expect(err.toString()).toMatch(/^Error: The program no-such-program was not found\.$/m);
    expect(err.toString()).toContain("for a pipe use sh -c");
    const asJson = await exec(["--json", "--", "no-such-program"]);
    expect([asJson.code, JSON.parse(asJson.err.toString()).error.code]).toEqual([2, "usage"]);
  });

  it.each([[[]], [["--"]], [["--frozen"]], [["--frozen", "--"]]])(
    "that is not named, %j, ends with 2",
    async (words) => {
      const { code, out, err } = await exec(words);
      expect([code, out.toString()]).toEqual([2, ""]);
      expect(err.toString()).toMatch(
        /^Error: <command> is missing: .*two dashes\.\nFor example: qa-pay exec -- npm test\n/,
      );
    },
  );

  it("has its own flags, which are not read as flags of exec", async () => {
    const { code, err } = await exec(["--", "no-such-program", "--json", "--output", "json"]);
    expect([code, err.toString()]).toEqual([
      2,
      expect.stringMatching(/^Error: The program no-such-program was not found/),
    ]);
  });
});

describe("an assertion", () => {
  const trigger = () => ["--", process.execPath, BIN, "trigger", "charge.paid"];

  it("that does not hold ends with 1 and a report on standard error", async () => {
    const receiver = await startReceiver();
    receiver.respond = ({ type }) => (type === "charge.paid" ? { status: 503 } : {});
    const asserts = ["--assert", "charge.created delivered", "--assert", "charge.paid delivered"];
    const { code, out, err } = await exec(["--forward-to", receiver.url, ...asserts, ...trigger()]);
    expect(code).toBe(1);
    expect(out.toString()).toMatch(/^✓ POST \/v1\/charges /);
    expect(err.toString()).toMatch(
      /^✓ charge\.created delivered: 1 of 1 time\n✗ charge\.paid delivered: .*\n {4}charge\.paid wd_\S+ PENDING after 1 attempt: .*503\n$/,
    );
    const quiet = await exec(["--quiet", "--forward-to", receiver.url, ...asserts, ...trigger()]);
    await receiver.close();
    expect(quiet.code).toBe(1);
    expect(quiet.err.toString()).toMatch(/^✗ charge\.paid delivered: /);
  });

  it("that holds is reported, unless --quiet is given", async () => {
    const held = ["--assert", "no charge.failed", ...trigger()];
    const { code, err } = await exec(held);
    expect([code, err.toString()]).toEqual([0, "✓ no charge.failed: it was never sent\n"]);
    const quiet = await exec(["--quiet", ...held]);
    expect([quiet.code, quiet.err.toString()]).toEqual([0, ""]);
  });

  it("does not hide the exit code of the program", async () => {
    const { code } = await exec(["--assert", "charge.paid delivered", ...script("process.exit(42)")]);
    expect(code).toBe(42);
  });
});
