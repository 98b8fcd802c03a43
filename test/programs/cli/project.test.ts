import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import { fresh, freshCli, ownEmulator } from "../../support/shared.js";
import { OWNER, PASSWORD, startCapture, writeServerFile } from "../../support/sources.js";

/** The emulator of a project: where commands find its file, when the file is refused, and how it is shown. */

const KEY = "qa_test_of-the-project";
const OTHER = "qa_test_of-another-project";

const cli = freshCli();
const capture = fresh(startCapture);

const at = (...names: string[]) => join(cli.folder, ...names);

function folder(...names: string[]): string {
  mkdirSync(at(...names), { recursive: true });
  return at(...names);
}

const read = (options: CliOptions = {}) => cli.run(["wallets", "list", "--json"], options);

/** The request that a command of this folder sends to the project's server, or the exit code without a request. */
async function sent(cwd: string): Promise<string | number> {
  const { code } = await read({ cwd });
  return capture.taken()[0] ?? code;
}

describe("the file of a project", () => {
  it("is found from the working folder upwards, the nearest first", async () => {
    const inner = folder("shop", "api", "src");
    writeServerFile(at("shop"), { url: capture.url, test_key: KEY });
    expect(await sent(at("shop"))).toBe(`GET /v1/wallets ${KEY}`);
    expect(await sent(inner)).toBe(`GET /v1/wallets ${KEY}`);
    writeServerFile(at("shop", "api"), { url: capture.url, test_key: OTHER });
    expect(await sent(inner)).toBe(`GET /v1/wallets ${OTHER}`);
    expect(await sent(at("shop"))).toBe(`GET /v1/wallets ${KEY}`);
    expect(await sent(folder("other"))).toBe(2);
  });

  it("is found in the home folder, and never above it", async () => {
    const inner = folder("home", "me", "shop");
    writeServerFile(at("home"), { url: capture.url, test_key: KEY });
    const home = at("home", "me");
    const words = ["wallets", "list", "--json"];
    expect((await cli.run(words, { cwd: inner, home })).code).toBe(2);
    expect((await cli.run(words, { cwd: at("home"), home })).code).toBe(0);
    writeServerFile(home, { url: capture.url, test_key: KEY });
    expect((await cli.run(words, { cwd: inner, home })).code).toBe(0);
    // The same when the home folder has another path through a link.
    rmSync(join(home, ".qa-pay"), { recursive: true });
    symlinkSync(home, at("link"));
    expect((await cli.run(words, { cwd: inner, home: at("link") })).code).toBe(2);
  });

  it.each([
    ["cut off", `{"url":"http://127.0.0.1:1","test_key":"${KEY}`, "it is no JSON"],
    ["empty", "", "it is no JSON"],
    ["null", "null", "it has no address of a server"],
    ["without an address", `{"test_key":"${KEY}","live_key":null,"signing_secret":"s","pid":1}`, "it has no"],
    [
      "with an address that is none",
      '{"url":"//h","test_key":null,"live_key":null,"signing_secret":"s","pid":1}',
      "it",
    ],
    ["with a number for a key", '{"url":"http://h","test_key":1,"live_key":null,"signing_secret":"s","pid":1}', "it"],
    ["with no process", '{"url":"http://h","test_key":null,"live_key":null,"signing_secret":"s","pid":-1}', "it has"],
  ])("that is %s is refused; the error says what to do and shows no part of the file", async (_what, text, why) => {
    const file = writeServerFile(cli.folder, {});
    writeFileSync(file, text);
    const { code, out, err } = await cli.run(["wallets", "list"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`Error: ${file} cannot be used: ${why}`);
    expect(err).toContain("start it with `qa-pay serve`, which writes a new file");
    expect(err).not.toContain(KEY);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it.each([
    [0o666, "change"],
    [0o602, "change"],
    [0o620, "change"],
    [0o644, "read"],
    [0o640, "read"],
  ])("of mode %o is refused: others may %s it", async (mode, what) => {
    const file = writeServerFile(cli.folder, { url: capture.url, test_key: KEY }, mode);
    const { code, err } = await cli.run(["wallets", "list"]);
    expect([code, capture.taken()]).toEqual([2, []]);
    expect(err).toContain(`others may ${what} it (mode ${mode.toString(8)}).`);
    expect(err).toContain(`chmod 600 ${file}`);
    chmodSync(file, 0o600);
    expect((await read()).code).toBe(0);
  });

  it("of another user, or that is a link or a folder, is refused", async () => {
    const file = writeServerFile(cli.folder, { url: capture.url, test_key: KEY });
    const foreign = await cli.run(["wallets", "list"], { uid: 4_711 });
    expect([foreign.code, foreign.err]).toEqual([2, expect.stringContaining("it belongs to another user.")]);
    writeFileSync(at("elsewhere.json"), readFileSync(file), { mode: 0o600 });
    rmSync(file);
    symlinkSync(at("elsewhere.json"), file);
    expect((await cli.run(["wallets", "list"])).err).toContain("it is a link.");
    rmSync(file);
    mkdirSync(file);
    expect((await cli.run(["wallets", "list"])).err).toContain("it is a folder.");
    expect(capture.taken()).toEqual([]);
  });

  it("in a folder that is a link to another project is refused", async () => {
    const other = folder("other");
    writeServerFile(other, { url: capture.url, test_key: KEY });
    symlinkSync(join(other, ".qa-pay"), at(".qa-pay"));
    const { code, err } = await cli.run(["wallets", "list"]);
    expect([code, err]).toEqual([2, expect.stringContaining("its folder is a symbolic link.")]);
    expect(capture.taken()).toEqual([]);
  });

  it("that cannot be used does not matter when flags name host and key", async () => {
    writeServerFile(cli.folder, {}, 0o666);
    expect((await cli.run(["wallets", "list", "--base-url", capture.url, "--api-key", KEY])).code).toBe(0);
    const env = { QA_PAY_BASE_URL: capture.url, QA_PAY_API_KEY: KEY };
    expect((await cli.run(["wallets", "list"], { env })).code).toBe(0);
  });
});

describe("a project whose server does not run", () => {
  it.each([
    ["has stopped", { pid: null }, {}],
    ["was killed", { pid: 77 }, { isRunning: (pid: number) => pid !== 77 }],
    ["has another instance id than who listens there now", { instance: "of another start" }, {}],
  ])("because it %s sends nothing, and every command says why", async (_how, content, options) => {
    const file = writeServerFile(cli.folder, { url: capture.url, test_key: KEY, ...content });
    for (const words of [
      ["wallets", "list"],
      ["sandbox", "reset"],
      ["api", "GET", "/v1/wallets"],
      ["console", "--no-open"],
      ["trigger", "charge.paid"],
    ]) {
      expect(await cli.run(words, options)).toEqual({
        code: 7,
        out: "",
        err:
          `Error: The server of this project is not running (${file}).\n` +
          "`qa-pay serve` starts it. --profile, or --base-url with --api-key, names another one.\n",
      });
    }
    expect((await cli.run(["doctor"], options)).out).toContain("the server of this project is not running");
    expect((await cli.run(["env"], options)).err).toContain("this server is not running");
    expect(capture.taken()).toEqual([]);
  });

  it("does not get its login either, where a flag names the address", async () => {
    const login = ["login", "--email", "a@b.test", "--password-stdin"];
    writeServerFile(cli.folder, { url: capture.url, test_key: KEY });
    expect((await cli.run(login, { input: PASSWORD })).code).toBe(0);
    expect((await cli.run(["keys", "list", "--json", "--base-url", capture.url])).code).toBe(0);
    capture.taken();
    writeServerFile(cli.folder, { url: capture.url, test_key: KEY, pid: null });
    expect((await cli.run(["keys", "list", "--base-url", capture.url])).code).toBe(3);
    expect(capture.taken()).toEqual([]);
  });

  it("still shows the request with --dry-run", async () => {
    writeServerFile(cli.folder, { url: capture.url, test_key: KEY, pid: null });
    const { code, out } = await cli.run(["wallets", "list", "--dry-run", "--json"]);
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ url: `${capture.url}/v1/wallets` })]);
    expect(capture.taken()).toEqual([]);
  });

  it("is reported by doctor", async () => {
    const file = writeServerFile(cli.folder, { url: capture.url, test_key: KEY, pid: null });
    const { code, out } = await cli.run(["doctor"]);
    expect(code).toBe(0);
    expect(out).toContain(
      `! server    the server of this project is not running (${file}); \`qa-pay serve\` starts it\n`,
    );
    expect(capture.taken()).toEqual([]);
  });
});

describe("the chosen server and the reason for the choice", () => {
  it("are printed by --verbose, with the beginning of the key", async () => {
    const file = writeServerFile(cli.folder, { url: capture.url, test_key: KEY });
    const { err } = await cli.run(["api", "GET", "/v1/wallets", "--verbose"]);
    const [host, key, request] = err.split("\n");
    expect([host, key, request]).toEqual([
      `Host: ${capture.url} (from ${file})`,
      `Key: qa_test_of-… (from ${file})`,
      `> GET ${capture.url}/v1/wallets`,
    ]);
    expect(err).not.toContain(KEY);
    const named = ["--base-url", capture.url, "--api-key", OTHER];
    expect((await cli.run(["wallets", "list", "--verbose", ...named])).err).toContain("(from --base-url)\n");
    const triggered = await cli.run(["trigger", "charge.paid", "--verbose", "--quiet"]);
    expect(triggered.err.match(/^> POST .*$/gm)).toEqual([
      `> POST ${capture.url}/v1/charges`,
      `> POST ${capture.url}/_sandbox/charges/ch_1/pay`,
    ]);
  });

  it("are printed by doctor, and by whoami with the end of the login in local time", async () => {
    const emulator = await ownEmulator({ owner: OWNER });
    const file = writeServerFile(cli.folder, { url: emulator.url, test_key: emulator.key });
    expect((await cli.run(["doctor"])).out).toContain(`at ${emulator.url} (from ${file}), test key\n`);
    const refused = await cli.run(["whoami"]);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining(`${emulator.url} (from ${file}).`)]);
    const [user] = emulator.users;
    const words = ["login", "--email", user?.email ?? "", "--password-stdin"];
    expect((await cli.run(words, { input: user?.password ?? "" })).code).toBe(0);
    const shown = await cli.run(["whoami"]);
    expect(shown.out).toContain(`\nFrom      ${file}\n`);
    expect(shown.out).toMatch(/\nUntil {5}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\S*\) on the clock of the service\n$/);
    expect((await cli.run(["whoami", "--utc"])).out).toMatch(/\nUntil {5}\S+ \d\d:\d\d:\d\dZ on the clock/);
    const told = JSON.parse((await cli.run(["whoami", "--json"])).out);
    expect(told).toMatchObject({ base_url: emulator.url, base_url_from: file });
  });

  it("are printed by profiles list, where the project overrides the current profile", async () => {
    const file = writeServerFile(cli.folder, { url: capture.url, test_key: KEY });
    await cli.run(["profiles", "add", "staging", "--base-url", "http://127.0.0.1:9", "--api-key", OTHER]);
    const { err } = await cli.run(["profiles", "use", "staging"]);
    expect(err).toContain(`But commands here go to ${capture.url} (from ${file}).\n`);
    const { err: listed } = await cli.run(["profiles", "list"]);
    expect(listed).toBe(`But commands here go to ${capture.url} (from ${file}).\n`);
    expect((await cli.run(["profiles", "list", "--json"])).err).toBe("");
    expect((await cli.run(["profiles", "use", "staging"], { cwd: "/" })).err).not.toContain("But");
  });
});
