import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliOptions, type TestCli, testCli } from "../support/cli.js";
import type { Loose } from "../support/emulator.js";
import { beginServe, type Serving } from "../support/running.js";

/** The file that `serve` writes, so that only the commands of its own project find the server. */

let cli: TestCli;
const running: Serving[] = [];
beforeEach(() => {
  cli = testCli();
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  cli.remove();
});

const at = (...names: string[]) => join(cli.folder, ...names);

/** A folder of a project. */
function project(name: string): string {
  mkdirSync(at(name), { recursive: true });
  return at(name);
}

async function serve(cwd: string, words: readonly string[] = [], options: CliOptions = {}): Promise<Serving> {
  const server = await beginServe(cli, words, { ...options, cwd });
  running.push(server);
  return server;
}

async function stop(server: Serving) {
  running.splice(running.indexOf(server), 1);
  return server.stop();
}

const serverFile = (folder: string) => join(folder, ".qa-pay", "server.json");
const written = (folder: string): Loose => JSON.parse(readFileSync(serverFile(folder), "utf8"));
const profiles = (): Loose => JSON.parse(readFileSync(at("config", "profiles.json"), "utf8")).profiles;

/** The banner of a start for people, which is then stopped. */
async function banner(cwd: string, words: readonly string[] = []): Promise<string> {
  let stopNow: () => void = () => undefined;
  const screen: string[] = [];
  screen.push = (text) => {
    if (text.includes("Ctrl-C stops.")) stopNow();
    return 0;
  };
  const onStop: CliOptions["onStop"] = (callback) => {
    stopNow = () => callback("SIGTERM");
  };
  const { code, out, err } = await cli.run(["serve", "--port", "0", ...words], { cwd, screen, onStop });
  expect([code, err]).toEqual([0, ""]);
  return out;
}

async function create(cwd: string): Promise<string> {
  const { code, out, err } = await cli.run(["charges", "create", "--amount", "1990", "--json"], { cwd });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out).id;
}

describe("two projects side by side", () => {
  it("each have their own server, which commands of the other project never reach", async () => {
    const [a, b] = [project("a"), project("b")];
    await serve(a);
    const id = await create(a);
    const [before, kept] = [readFileSync(serverFile(a)), profiles().local];
    await serve(b);
    expect([readFileSync(serverFile(a)), profiles().local]).toEqual([before, kept]);
    expect((await cli.run(["charges", "get", id], { cwd: b })).code).toBe(4);
    const own = await create(b);
    expect((await cli.run(["sandbox", "reset"], { cwd: b })).code).toBe(0);
    expect((await cli.run(["charges", "get", own], { cwd: b })).code).toBe(4);
    expect((await cli.run(["charges", "get", id], { cwd: a })).code).toBe(0);
    expect((await cli.run(["charges", "get", id], { cwd: project(join("a", "src", "deep")) })).code).toBe(0);
  });

  it("do not share a server: commands of a stopped project fail instead of using the other server", async () => {
    const [a, b] = [project("a"), project("b")];
    const first = await serve(a);
    await serve(b);
    await stop(first);
    const { code, err } = await cli.run(["wallets", "list"], { cwd: a });
    expect([code, err]).toEqual([7, expect.stringContaining("The server of this project is not running")]);
    expect((await cli.run(["wallets", "list"], { cwd: b })).code).toBe(0);
  });
});

describe("the file of the project", () => {
  it("has the server's address and keys, is readable by its owner only, and is ignored by Git", async () => {
    const folder = project("shop");
    const { ready } = await serve(folder, [], { now: () => Date.parse("2026-11-21T12:00:00Z") });
    expect(written(folder)).toStrictEqual({
      url: ready.url,
      test_key: ready.test_key,
      live_key: ready.live_key,
      signing_secret: ready.signing_secret,
      pid: 1,
      started_at: "2026-11-21T12:00:00.000Z",
    });
    expect(statSync(serverFile(folder)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, ".qa-pay", ".gitignore"), "utf8")).toBe("*\n");
    const names = readdirSync(join(folder, ".qa-pay")).filter((name) => !name.startsWith("qa-pay.db"));
    expect(names.sort()).toEqual([".gitignore", "server.json"]);
  });

  it("keeps an existing .gitignore", async () => {
    const folder = project(join("shop", ".qa-pay"));
    writeFileSync(join(folder, ".gitignore"), "qa-pay.db*\n");
    await serve(project("shop"));
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("qa-pay.db*\n");
  });

  it("keeps the keys when the server stops, so that the next start shows the test key again", async () => {
    const folder = project("shop");
    const first = await serve(folder);
    const { test_key, live_key, signing_secret } = first.ready;
    await stop(first);
    expect(written(folder)).toMatchObject({ test_key, live_key, signing_secret, pid: null });
    const second = await serve(folder);
    expect(second.ready).toMatchObject({ test_key, live_key: null, signing_secret });
    expect(written(folder)).toMatchObject({ url: second.ready.url, test_key, live_key, pid: 1 });
    await stop(second);
    const out = await banner(folder);
    expect(out).toContain(`Test key       ${test_key}\n`);
    expect(out).toContain(`Live key       made by an earlier start; it is in ${serverFile(folder)}\n`);
    expect(out).not.toContain(live_key);
    rmSync(serverFile(folder));
    rmSync(at("config"), { recursive: true });
    expect((await serve(folder)).ready.test_key).toBeNull();
  });

  it("drops a key that no longer works", async () => {
    const folder = project("shop");
    const first = await serve(folder);
    const owner = first.ready.users[0];
    const login = ["login", "--email", owner.email, "--password-stdin"];
    expect((await cli.run(login, { cwd: folder, input: owner.password })).code).toBe(0);
    const { data } = JSON.parse((await cli.run(["keys", "list", "--json"], { cwd: folder })).out);
    for (const { id } of data) await cli.run(["keys", "revoke", id, "--yes"], { cwd: folder });
    await stop(first);
    const second = await serve(folder);
    expect(second.ready.test_key).toBeNull();
    expect(written(folder)).toMatchObject({ test_key: null, live_key: null });
    const { code, err } = await cli.run(["wallets", "list"], { cwd: folder });
    expect([code, err]).toEqual([2, expect.stringContaining("start it with --test-key qa_test_…")]);
    // The login belongs to the project, so it still works after the new start.
    expect((await cli.run(["whoami"], { cwd: folder })).code).toBe(0);
    await stop(second);
    const third = await serve(folder, ["--test-key", "qa_test_of-our-own"]);
    expect(third.ready.test_key).toBe("qa_test_of-our-own");
    expect((await cli.run(["wallets", "list"], { cwd: folder })).code).toBe(0);
  });

  it("that is damaged is renamed with a warning, and never prevents a start", async () => {
    const folder = project("shop");
    mkdirSync(join(folder, ".qa-pay"));
    writeFileSync(serverFile(folder), '{"live_key":"qa_live_0123');
    const server = await serve(folder);
    const { err } = await stop(server);
    const aside = `${serverFile(folder)}.damaged`;
    expect(err).toBe(`Warning: ${serverFile(folder)} could not be read: it is no JSON, and is now ${aside}\n`);
    expect(readFileSync(aside, "utf8")).toBe('{"live_key":"qa_live_0123');
    expect(written(folder).test_key).toBe(server.ready.test_key);
  });

  it("that is a link is replaced, and the target of the link does not change", async () => {
    const folder = project("shop");
    mkdirSync(join(folder, ".qa-pay"));
    writeFileSync(at("precious"), "mine");
    symlinkSync(at("precious"), serverFile(folder));
    const { ready } = await serve(folder);
    expect(readFileSync(at("precious"), "utf8")).toBe("mine");
    expect(written(folder).test_key).toBe(ready.test_key);
  });

  it("that cannot be written causes a warning that says how to reach the server", async () => {
    const folder = project("shop");
    mkdirSync(join(serverFile(folder), "in-the-way"), { recursive: true });
    const server = await serve(folder);
    expect((await stop(server)).err).toMatch(/^Warning: \S+server\.json could not be written: EISDIR/);
    expect(readdirSync(join(folder, ".qa-pay")).filter((name) => name.startsWith("server.json"))).toHaveLength(1);
  });

  it("lets a second server on the same database name the address of the first one", async () => {
    const folder = project("shop");
    const { ready } = await serve(folder);
    const second = await cli.run(["serve", "--port", "0"], { cwd: folder });
    expect([second.code, second.out]).toEqual([1, ""]);
    expect(second.err).toMatch(
      /another qa-pay server is using it\. Stop that one, or choose another file with --db\.\n/,
    );
    expect(second.err).toContain(`That server listens at ${ready.url} (process 1).\n`);
    expect(written(folder).pid).toBe(1);
    const elsewhere = project("elsewhere");
    const words = ["serve", "--port", "0", "--db", join(folder, ".qa-pay", "qa-pay.db")];
    expect((await cli.run(words, { cwd: elsewhere })).err).toContain(`That server listens at ${ready.url}`);
  });
});

describe("a database that does not belong to a project", () => {
  it.each([":memory:", "other.db", join("data", "qa-pay.db")])(
    "%s has no such file; the profile local leads there",
    async (db) => {
      const folder = project("shop");
      await serve(folder, ["--db", db]);
      expect(existsSync(serverFile(folder))).toBe(false);
      await create(folder);
    },
  );

  it("is reached by the flags in the banner, when the profile local belongs to another server", async () => {
    const [a, b] = [project("a"), project("b")];
    const first = await serve(a);
    const out = await banner(b, ["--db", "other.db"]);
    const [, flags = ""] =
      /qa-pay charges create --amount 1990 (--base-url http:\S+ --api-key qa_test_\S+)\n/.exec(out) ?? [];
    expect(flags).not.toBe("");
    expect(profiles().local.base_url).toBe(first.ready.url);
    const again = await banner(b, ["--db", "other.db"]);
    expect(again).toContain("Test key       made by an earlier start; --write-env writes it into a file\n");
    expect(again).toContain("--api-key qa_test_…\n");
    const env = await banner(b, ["--db", "other.db", "--write-env", ".env"]);
    expect(env).toContain("Try  qa-pay charges create --amount 1990   in another terminal in this folder.");
  });
});

describe("the profile local", () => {
  const url = () => profiles().local?.base_url;

  it("is written by the first server, and stays with the database of that server", async () => {
    const [a, b] = [project("a"), project("b")];
    const first = await serve(a);
    const { test_key } = first.ready;
    expect(profiles().local).toEqual({ base_url: first.ready.url, api_key: test_key });
    await stop(first);
    const second = await serve(b);
    expect(url()).toBe(first.ready.url);
    const again = await serve(a);
    expect(profiles().local).toEqual({ base_url: again.ready.url, api_key: test_key });
    expect(again.ready.url).not.toBe(second.ready.url);
    // Outside of all projects, commands use this profile.
    expect((await cli.run(["wallets", "list"])).code).toBe(0);
  });

  it("is taken over from a stopped server in memory, and from a database that was removed", async () => {
    const first = await serve(project("a"), ["--db", ":memory:"]);
    await stop(first);
    const waiting = await serve(project("b"), ["--db", ":memory:"], { isRunning: () => true });
    expect(url()).toBe(first.ready.url);
    await stop(waiting);
    const second = await serve(project("b"), ["--db", "b.db"], { isRunning: () => false });
    expect(url()).toBe(second.ready.url);
    await stop(second);
    rmSync(at("b", "b.db"));
    const third = await serve(project("c"));
    expect(url()).toBe(third.ready.url);
  });

  it("that a person made is never overwritten", async () => {
    const words = ["--base-url", "https://pay.example", "--api-key", "qa_test_0123456789"];
    expect((await cli.run(["profiles", "add", "local", ...words])).code).toBe(0);
    const server = await serve(project("a"));
    expect(url()).toBe("https://pay.example");
    await stop(server);
    await cli.run(["profiles", "remove", "local"]);
    expect(url()).toBeUndefined();
    const next = await serve(project("a"));
    expect(url()).toBe(next.ready.url);
    await cli.run(["profiles", "add", "local", ...words, "--yes"]);
    await stop(next);
    await serve(project("a"));
    expect(url()).toBe("https://pay.example");
  });

  it("of an older version, which does not name its database, is recognized by its key", async () => {
    const server = await serve(project("a"));
    await stop(server);
    const file = at("config", "profiles.json");
    const { local_owner: _owner, ...older } = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify(older));
    await stop(await serve(project("b")));
    expect(url()).toBe(server.ready.url);
    expect((await serve(project("a"))).ready.url).toBe(url());
  });
});

describe("--write-env", () => {
  const env = (folder: string) => readFileSync(join(folder, ".env"), "utf8");
  const lines = ({ url, test_key, signing_secret }: Loose) =>
    `QA_PAY_BASE_URL=${url}\nQA_PAY_API_KEY=${test_key}\nQA_PAY_WEBHOOK_SECRET=${signing_secret}\n`;

  it("writes address, test key and webhook secret, and keeps other lines", async () => {
    const folder = project("shop");
    const first = await serve(folder, ["--write-env", ".env", "--db", ":memory:"]);
    expect(env(folder)).toBe(lines(first.ready));
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
    await stop(first);
    writeFileSync(
      join(folder, ".env"),
      "# ours\nexport QA_PAY_BASE_URL='http://old'\nSHOP=1\nQA_PAY_API_KEY = old\nLAST=$1",
    );
    const { ready } = await serve(folder, ["--write-env", ".env", "--db", "shop.db"]);
    const [url, key, secret] = lines(ready).trimEnd().split("\n");
    expect(env(folder)).toBe(`# ours\nexport ${url}\nSHOP=1\n${key}\nLAST=$1\n${secret}\n`);
    await create(folder);
  });

  it("writes the test key that an earlier start made", async () => {
    const folder = project("shop");
    const first = await serve(folder, ["--db", "shop.db"]);
    await stop(first);
    const second = await serve(folder, ["--db", "shop.db", "--write-env", ".env"]);
    expect(second.ready.test_key).toBeNull();
    expect(env(folder)).toBe(lines({ ...second.ready, test_key: first.ready.test_key }));
  });

  it("ends with 2 and changes nothing when no test key is known or the file cannot be written", async () => {
    const folder = project("shop");
    await stop(await serve(folder, ["--db", "shop.db"]));
    rmSync(at("config"), { recursive: true });
    writeFileSync(join(folder, ".env"), "A=1\n");
    const words = ["serve", "--port", "0", "--db", "shop.db", "--write-env"];
    const keyless = await cli.run([...words, ".env"], { cwd: folder });
    expect([keyless.code, keyless.out, env(folder)]).toEqual([2, "", "A=1\n"]);
    expect(keyless.err).toContain("--write-env needs the database's test key: give it with --test-key.");
    const nowhere = await cli.run([...words, ".", "--test-key", "qa_test_01234567"], { cwd: folder });
    expect([nowhere.code, nowhere.out]).toEqual([2, ""]);
    expect(nowhere.err).toContain("--write-env: . cannot be written");
    // Both attempts have released the database.
    await serve(folder, ["--db", "shop.db"]);
  });
});

it("--webhook-secret is the secret in the ready line, in the file and in env", async () => {
  const folder = project("shop");
  const chosen = "c0ffee00".repeat(8);
  const target = ["--forward-to", "http://127.0.0.1:9/"];
  const { ready } = await serve(folder, ["--webhook-secret", chosen, ...target]);
  expect([ready.signing_secret, ready.forward.secret, written(folder).signing_secret]).toEqual(Array(3).fill(chosen));
  expect((await cli.run(["env"], { cwd: folder })).out).toContain(`QA_PAY_WEBHOOK_SECRET=${chosen}\n`);
});

it("--quiet still prints the address, and the keys that are shown once", async () => {
  const folder = project("shop");
  const onStop: CliOptions["onStop"] = (callback) => void callback("SIGTERM");
  const { code, out } = await cli.run(["serve", "--port", "0", "--quiet"], { cwd: folder, onStop });
  expect(code).toBe(0);
  expect(out).toContain("is ready at http://127.0.0.1:");
  expect(out).toContain("Test key       qa_test_");
  for (const text of ["Try", "Stopping", "Public address"]) expect(out).not.toContain(text);
});

it("the public address stands beside the one on this machine, and the link of the console has it", async () => {
  const folder = project("shop");
  const onStop: CliOptions["onStop"] = (callback) => void callback("SIGTERM");
  const flags = ["--public-url", "https://pay.example.com/", "--console"];
  const { out } = await cli.run(["serve", "--port", "0", "--quiet", ...flags], { cwd: folder, onStop });
  expect(out).toContain("is ready at http://127.0.0.1:");
  expect(out).toMatch(/^ {2}Public address https:\/\/pay\.example\.com$/m);
  expect(out).toMatch(/^ {2}Console {8,}https:\/\/pay\.example\.com\/console\/open\?k=/m);
});
