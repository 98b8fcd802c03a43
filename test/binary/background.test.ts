import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { processIo } from "../../src/programs/cli/terminal/io.js";
import { ask, type Launched, launch, newPlace, QA_PAY, run } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { PATIENCE } from "../support/patience.js";
import { fresh } from "../support/shared.js";

/** Servers that nobody watches at a terminal: in the background, and under npm. */

/** The command as a script of npm starts it. */
const COMMAND = QA_PAY.map((word) => `'${word}'`).join(" ");

const place = fresh(newPlace);
/** The processes of this test. A server in the background is no child of this process. */
const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, as it should.
    }
  }
});

const at = (...names: string[]) => join(place.folder, ...names);
const log = () => readFileSync(at(".qa-pay", "serve.log"), "utf8");

const { isRunning } = processIo();

async function detach(...words: readonly string[]): Promise<Loose> {
  const { code, out, err } = await run(place, ["serve", "--detach", "--json", "--port", "0", ...words]);
  expect([code, err]).toEqual([0, ""]);
  const ready = JSON.parse(out);
  started.push(ready.pid);
  return ready;
}

describe("serve --detach", () => {
  it("returns when the server answers, prints what serve prints, and logs what it says later", async () => {
    const ready = await detach("--forward-to", "http://127.0.0.1:9/", "--events", "charge.created");
    expect(Object.keys(ready)).toContain("console_url");
    expect(JSON.parse(readFileSync(at(".qa-pay", "server.json"), "utf8")).pid).toBe(ready.pid);
    expect(log()).toBe("");
    expect(statSync(at(".qa-pay", "serve.log")).mode & 0o777).toBe(0o600);
    await ask(ready, ready.test_key, "POST", "/v1/charges", { amount: 500, payment_method: "pix" });
    await expect.poll(log, PATIENCE).toContain('{"event":"delivery","type":"charge.created"');
    expect(log()).not.toContain(ready.test_key);
    expect((await run(place, ["stop"])).code).toBe(0);
    expect(log().trimEnd().split("\n").at(-1)).toBe('{"event":"stopping"}');
  });

  it("says to a person how the server is stopped, and prints no password and no live key in CI", async () => {
    const { code, out } = await run(place, ["serve", "--detach", "--port", "0"], { env: { CI: "true" } });
    const kept = JSON.parse(readFileSync(at(".qa-pay", "server.json"), "utf8"));
    started.push(kept.pid);
    expect([code, out.includes(kept.test_key), out.includes(kept.live_key)]).toEqual([0, true, false]);
    expect(out).toMatch(/qa-pay is ready at http:/);
    expect(out).toMatch(/ {2}Console +http:\S+\/console\/open\?k=/);
    expect(out).toMatch(/in another terminal in this folder\. `node \S+qa-pay\.js stop` stops it\.\n/);
    expect(out).toMatch(/ {2}Live key +not printed, because CI is set; it is in \S+server\.json\n/);
    for (const role of ["Owner", "Admin", "Member"])
      expect(out).toMatch(new RegExp(` {2}${role} +\\S+@qa-pay\\.test {2}not printed, because CI is set\n`));
  });

  it("ends with the message and the exit code of a server that cannot start", async () => {
    const { url } = await detach();
    const taken = await run(place, ["serve", "--detach", "--port", new URL(url).port, "--db", ":memory:"]);
    expect(taken).toMatchObject({ code: 1, out: "" });
    expect(taken.err).toMatch(/^Error: Port \d+ is in use\./);
    const wrong = await run(place, ["serve", "--detach", "--port", "x"]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--port takes a whole number")]);
  });

  it("writes its log not into another file by a link", async () => {
    mkdirSync(at(".qa-pay"));
    writeFileSync(at("precious"), "mine", { mode: 0o640 });
    symlinkSync(at("precious"), at(".qa-pay", "serve.log"));
    const { code, out, err } = await run(place, ["serve", "--detach", "--port", "0"]);
    expect([code, out, readFileSync(at("precious"), "utf8")]).toEqual([2, "", "mine"]);
    expect(statSync(at("precious")).mode & 0o777).toBe(0o640);
    expect(err).toContain("serve.log cannot be written: it is a link.");
  });
});

describe("serve --stop-with", () => {
  it("stops when the process has ended, also by a signal that it cannot catch", async () => {
    const suite = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
    started.push(suite.pid ?? 0);
    const { pid } = await detach("--stop-with", String(suite.pid));
    expect(isRunning(pid)).toBe(true);
    suite.kill("SIGKILL");
    await expect.poll(() => isRunning(pid), PATIENCE).toBe(false);
    expect(log()).toContain('{"event":"stopping"}');
  });

  it("is refused for what is no process, and nothing is started", async () => {
    const ended = spawn(process.execPath, ["-e", ""]);
    await once(ended, "close");
    for (const [given, why] of [
      ["x", 'takes the id of a process, such as 4711, and not "x"'],
      ["0", "takes the id of a process"],
      [String(ended.pid), "no process with this id runs"],
    ] as const) {
      const { code, out, err } = await run(place, ["serve", "--port", "0", "--stop-with", given]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(why);
    }
    expect(existsSync(at(".qa-pay", "server.json"))).toBe(false);
    expect(existsSync(at(".qa-pay", "qa-pay.db"))).toBe(false);
  });
});

describe("stop", () => {
  it("ends the newest server of the folder, from a folder below too, and names those of other folders", async () => {
    const first = await detach();
    // A second server in the folder says so on standard error.
    const second = await run(place, ["serve", "--detach", "--json", "--port", "0", "--db", ":memory:"]);
    const { url, pid } = JSON.parse(second.out);
    started.push(pid);
    mkdirSync(at("src"));
    const { code, out } = await run({ ...place, folder: at("src") }, ["stop"]);
    expect([code, out]).toEqual([0, `✓ stopped ${url} (process ${pid})\n`]);
    expect(isRunning(pid)).toBe(false);

    mkdirSync(at("home"));
    const elsewhere = { ...place, folder: at("home"), env: { ...place.env, HOME: at("home") } };
    const refused = await run(elsewhere, ["stop"]);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err.replace(/node \S+qa-pay\.js/, "qa-pay")).toBe(
      "Error: This folder has no server.\n`qa-pay stop` ends the server of the folder that it is called in.\n" +
        `Servers of this user that are running:\n  ${first.url}  ${place.folder}\n`,
    );

    const json = await run(place, ["stop", "--json"]);
    expect(JSON.parse(json.out)).toEqual({ url: first.url, pid: first.pid });
    const none = await run(place, ["stop"]);
    expect([none.code, none.out]).toEqual([2, ""]);
    expect(none.err).toMatch(
      /^Error: The server of this project is not running .*\nNo server of this user is running\.\n$/,
    );
  });

  it("sends nothing to a process that took the id of a killed server, and does not end it", async () => {
    const { pid } = await detach();
    process.kill(pid, "SIGKILL");
    const file = at(".qa-pay", "server.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), pid: process.pid }));
    expect((await run(place, ["stop"])).code).toBe(2);
  });
});

describe("under npm", () => {
  /** `npm run` of a script, which npm starts through a shell. Its output closes when the last process of the script has ended. */
  function npm(script: string): Launched {
    writeFileSync(at("package.json"), JSON.stringify({ name: "shop", version: "1.0.0", scripts: { script } }));
    const env = { npm_config_update_notifier: "false", npm_config_cache: at("npm") };
    const launched = launch(place, ["npm", "run", "--silent", "script"], { env });
    started.push(launched.pid);
    return launched;
  }

  it("a server ends cleanly when npm is ended", async () => {
    const { pid, ended, says } = npm(`${COMMAND} serve --port 0 --json`);
    const ready = JSON.parse(await says(/.*"ready".*\n/));
    started.push(ready.pid);
    process.kill(pid, "SIGTERM");
    const { out } = await ended;
    expect(out).toContain('{"event":"stopping"}\n');
    await expect.poll(() => isRunning(ready.pid), PATIENCE).toBe(false);
    expect(JSON.parse(readFileSync(at(".qa-pay", "server.json"), "utf8")).pid).toBeNull();
  });

  it("exec ends with its command when npm is ended", async () => {
    writeFileSync(at("shop.cjs"), `console.log("shop " + process.pid); setInterval(() => undefined, 1_000);`);
    const { pid, ended, says } = npm(`${COMMAND} exec -- '${process.execPath}' shop.cjs`);
    const shop = Number((await says(/shop \d+\n/)).split(" ")[1]);
    started.push(shop);
    process.kill(pid, "SIGTERM");
    await ended;
    expect(isRunning(shop)).toBe(false);
  });

  it("a server in the background outlives npm", async () => {
    const { ended } = npm(`${COMMAND} serve --detach --port 0 --json`);
    const { code, out } = await ended;
    expect(code).toBe(0);
    const ready = JSON.parse(out);
    started.push(ready.pid);
    expect((await ask(ready, ready.test_key, "GET", "/_sandbox")).status).toBe(200);
    expect((await run(place, ["stop"])).code).toBe(0);
  });
});
