import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { projectServers } from "../../support/project-servers.js";

/** The file that `serve` writes, so that only the commands of its own project find the server. */

const all = projectServers();
const { at, create, project, serve, serverFile, stop, written } = all;

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
  const { code, out, err } = await all.cli.run(["serve", "--port", "0", ...words], { cwd, screen, onStop });
  expect([code, err]).toEqual([0, ""]);
  return out;
}

describe("two projects side by side", () => {
  it("each have their own server, which commands of the other project never reach", async () => {
    const [a, b] = [project("a"), project("b")];
    await serve(a);
    const id = await create(a);
    const before = readFileSync(serverFile(a));
    await serve(b);
    expect(readFileSync(serverFile(a))).toEqual(before);
    expect(existsSync(at("config", "profiles.json"))).toBe(false);
    expect((await all.cli.run(["charges", "get", id], { cwd: b })).code).toBe(4);
    const own = await create(b);
    expect((await all.cli.run(["sandbox", "reset"], { cwd: b })).code).toBe(0);
    expect((await all.cli.run(["charges", "get", own], { cwd: b })).code).toBe(4);
    expect((await all.cli.run(["charges", "get", id], { cwd: a })).code).toBe(0);
    expect((await all.cli.run(["charges", "get", id], { cwd: project(join("a", "src", "deep")) })).code).toBe(0);
  });

  it("do not share a server: commands of a stopped project fail instead of using the other server", async () => {
    const [a, b] = [project("a"), project("b")];
    const first = await serve(a);
    await serve(b);
    await stop(first);
    const { code, err } = await all.cli.run(["wallets", "list"], { cwd: a });
    expect([code, err]).toEqual([7, expect.stringContaining("The server of this project is not running")]);
    expect((await all.cli.run(["wallets", "list"], { cwd: b })).code).toBe(0);
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
      instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
      server_secret: expect.stringMatching(/^[0-9a-f-]{36}$/),
      database: join(".qa-pay", "qa-pay.db"),
      folder: realpathSync(folder),
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
    expect(out).toContain(`Live key       created by an earlier start; it is in ${serverFile(folder)}\n`);
    expect(out).not.toContain(live_key);
    rmSync(serverFile(folder));
    expect((await serve(folder)).ready.test_key).toBeNull();
  });

  it("drops a key that no longer works", async () => {
    const folder = project("shop");
    const first = await serve(folder);
    const owner = first.ready.users[0];
    const login = ["login", "--email", owner.email, "--password-stdin"];
    expect((await all.cli.run(login, { cwd: folder, input: owner.password })).code).toBe(0);
    const { data } = JSON.parse((await all.cli.run(["keys", "list", "--json"], { cwd: folder })).out);
    for (const { id } of data) await all.cli.run(["keys", "revoke", id, "--yes"], { cwd: folder });
    await stop(first);
    const second = await serve(folder);
    expect(second.ready.test_key).toBeNull();
    expect(written(folder)).toMatchObject({ test_key: null, live_key: null });
    const { code, err } = await all.cli.run(["wallets", "list"], { cwd: folder });
    expect([code, err]).toEqual([2, expect.stringContaining("start the server with --test-key qa_test_…")]);
    // The login belongs to the project, so it still works after the new start.
    expect((await all.cli.run(["whoami"], { cwd: folder })).code).toBe(0);
    await stop(second);
    const third = await serve(folder, ["--test-key", "qa_test_of-our-own"]);
    expect(third.ready.test_key).toBe("qa_test_of-our-own");
    expect((await all.cli.run(["wallets", "list"], { cwd: folder })).code).toBe(0);
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

  it("is not written into a folder that is a link, nor is a server that commands there reach", async () => {
    const [folder, other] = [project("shop"), project("other")];
    symlinkSync(other, join(folder, ".qa-pay"));
    const server = await serve(folder, ["--db", ":memory:"]);
    expect((await all.cli.run(["wallets", "list"], { cwd: folder })).code).toBe(2);
    expect((await stop(server)).err).toMatch(
      /^Warning: \S+server\.json could not be written: \S+ is a link, or no folder\n$/,
    );
    expect(readdirSync(other)).toEqual([]);
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
    const second = await all.cli.run(["serve", "--port", "0"], { cwd: folder });
    expect([second.code, second.out]).toEqual([1, ""]);
    expect(second.err).toMatch(
      /another qa-pay server is using it\. Stop that one, or choose another file with --db\.\n/,
    );
    expect(second.err).toContain(`That server listens at ${ready.url} (process 1).\n`);
    expect(written(folder).pid).toBe(1);
    const elsewhere = project("elsewhere");
    const words = ["serve", "--port", "0", "--db", join(folder, ".qa-pay", "qa-pay.db")];
    expect((await all.cli.run(words, { cwd: elsewhere })).err).toContain(`That server listens at ${ready.url}`);
  });
});

describe("any other database", () => {
  it.each([":memory:", "other.db", "constructor", join("data", "qa-pay.db")])(
    "%s is reached from the folder of its server too",
    async (db) => {
      const folder = project("shop");
      const { ready } = await serve(folder, ["--db", db]);
      expect(written(folder)).toMatchObject({ url: ready.url, database: db });
      await create(folder);
      await create(project(join("shop", "src")));
    },
  );

  it("in memory leaves no file behind, because its keys are worth nothing any more", async () => {
    const folder = project("shop");
    await stop(await serve(folder, ["--db", ":memory:"]));
    expect(readdirSync(join(folder, ".qa-pay"))).toEqual([".gitignore"]);
  });

  it("leaves the stored keys of the folder", async () => {
    const folder = project("shop");
    const first = await serve(folder);
    await stop(first);
    await stop(await serve(folder, ["--db", ":memory:"]));
    await stop(await serve(folder, ["--db", "other.db"]));
    await stop(await serve(folder, ["--db", ":memory:"]));
    const again = await serve(folder);
    expect(again.ready.test_key).toBe(first.ready.test_key);
    expect(written(folder).live_key).toBe(first.ready.live_key);
    expect(Object.keys(written(folder).other_keys)).toEqual(["other.db"]);
  });

  it("that belongs to another project has the keys of that project's file", async () => {
    const folder = project("shop");
    const first = await serve(folder);
    await stop(first);
    const elsewhere = project("elsewhere");
    const second = await serve(elsewhere, ["--db", join(folder, ".qa-pay", "qa-pay.db")]);
    expect(second.ready.test_key).toBe(first.ready.test_key);
    await create(elsewhere);
    expect((await all.cli.run(["wallets", "list"], { cwd: folder })).code).toBe(7);
  });

  it("shows the flags that reach it, where commands of the folder go elsewhere", async () => {
    const folder = project("shop");
    writeFileSync(join(folder, ".env"), "QA_PAY_BASE_URL=http://127.0.0.1:9\n", { mode: 0o600 });
    const out = await banner(folder, ["--db", "other.db"]);
    expect(out).toMatch(/qa-pay charges create --amount 1990 --base-url http:\S+ --api-key qa_test_\S+\n/);
    const again = await banner(folder, ["--db", "other.db"]);
    expect(again).toContain("Test key       created by an earlier start; --write-env writes it into a file\n");
    expect(again).toContain("--api-key qa_test_…\n");
    const env = await banner(folder, ["--db", "other.db", "--write-env", ".env"]);
    expect(env).toContain("Try  qa-pay charges create --amount 1990   in another terminal in this folder.");
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
    const { ready } = await serve(folder, ["--write-env", ".env", "--db", "shop.db", "--yes"]);
    const [url, key, secret] = lines(ready).trimEnd().split("\n");
    expect(env(folder)).toBe(`# ours\nexport ${url}\nSHOP=1\n${key}\nLAST=$1\n${secret}\n`);
    await create(folder);
  });

  it("replaces a variable behind the byte order mark of an editor on Windows", async () => {
    const folder = project("shop");
    writeFileSync(join(folder, ".env"), "\ufeffQA_PAY_BASE_URL=http://old\r\nSHOP=1\r\n", { mode: 0o600 });
    const server = await serve(folder, ["--write-env", ".env", "--db", ":memory:", "--yes"]);
    expect(env(folder)).toMatch(`\ufeffQA_PAY_BASE_URL=${server.ready.url}\r\nSHOP=1\r\nQA_PAY_API_KEY=`);
    expect(env(folder)).not.toContain("http://old");
    expect((await stop(server)).err).toBe("");
  });

  it("warns when others may read the file, and leaves that to its owner", async () => {
    const folder = project("shop");
    writeFileSync(join(folder, ".env"), "SHOP=1\n", { mode: 0o644 });
    const server = await serve(folder, ["--write-env", ".env", "--db", ":memory:"]);
    expect((await stop(server)).err).toBe(
      "Warning: others may read .env (mode 644), which holds secrets now: chmod 600 .env\n",
    );
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o644);
  });

  it("writes the test key that an earlier start created", async () => {
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
    rmSync(serverFile(folder));
    writeFileSync(join(folder, ".env"), "A=1\n");
    const words = ["serve", "--port", "0", "--db", "shop.db", "--write-env"];
    const keyless = await all.cli.run([...words, ".env"], { cwd: folder });
    expect([keyless.code, keyless.out, env(folder)]).toEqual([2, "", "A=1\n"]);
    expect(keyless.err).toContain("--write-env needs the database's test key: pass it with --test-key.");
    const nowhere = await all.cli.run([...words, ".", "--test-key", "qa_test_01234567"], { cwd: folder });
    expect([nowhere.code, nowhere.out]).toEqual([2, ""]);
    expect(nowhere.err).toContain("--write-env: . cannot be written");
    const missing = await all.cli.run([...words, "no/.env", "--test-key", "qa_test_01234567"], { cwd: folder });
    expect(missing.err).toBe(
      `Error: --write-env: no/.env cannot be written: there is no folder ${join(folder, "no")}.\n`,
    );
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const pipe = await all.cli.run([...words, "pipe", "--test-key", "qa_test_01234567"], { cwd: folder });
    expect([pipe.code, pipe.err]).toEqual([2, "Error: --write-env: pipe cannot be written: it is a named pipe.\n"]);
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
  expect((await all.cli.run(["env"], { cwd: folder })).out).toContain(`QA_PAY_WEBHOOK_SECRET=${chosen}\n`);
});

it("--quiet still prints the address, and the keys that are shown once", async () => {
  const folder = project("shop");
  const onStop: CliOptions["onStop"] = (callback) => void callback("SIGTERM");
  const { code, out } = await all.cli.run(["serve", "--port", "0", "--quiet"], { cwd: folder, onStop });
  expect(code).toBe(0);
  expect(out).toContain("is ready at http://127.0.0.1:");
  expect(out).toContain("Test key       qa_test_");
  for (const text of ["Try", "Stopping", "Public address"]) expect(out).not.toContain(text);
});

it("the public address stands beside the one on this machine, and the link of the console has it", async () => {
  const folder = project("shop");
  const onStop: CliOptions["onStop"] = (callback) => void callback("SIGTERM");
  const flags = ["--public-url", "https://pay.example.com/", "--console"];
  const { out } = await all.cli.run(["serve", "--port", "0", "--quiet", ...flags], { cwd: folder, onStop });
  expect(out).toContain("is ready at http://127.0.0.1:");
  expect(out).toMatch(/^ {2}Public address https:\/\/pay\.example\.com$/m);
  expect(out).toMatch(/^ {2}Console {8,}https:\/\/pay\.example\.com\/console\/open\?k=/m);
});

it("the forward endpoint keeps its id and secret over starts, and is INACTIVE while it has no target", async () => {
  const folder = project("shop");
  const forward = ["--forward-to", "http://127.0.0.1:9/", "--events", "charge.created"];
  const first = await serve(folder, forward);
  await stop(first);
  const without = await serve(folder);
  expect(without.ready.forward).toBeNull();
  const list = async () =>
    JSON.parse((await all.cli.run(["webhooks", "endpoints", "list", "--json"], { cwd: folder })).out).data;
  expect(await list()).toMatchObject([{ id: first.ready.forward.endpoint_id, status: "INACTIVE" }]);
  await stop(without);
  expect((await serve(folder, forward)).ready.forward).toEqual(first.ready.forward);
  expect(await list()).toMatchObject([{ id: first.ready.forward.endpoint_id, status: "ACTIVE" }]);
});
