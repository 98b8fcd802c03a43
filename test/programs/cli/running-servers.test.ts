import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import { projectServers } from "../../support/project-servers.js";
import type { Serving } from "../../support/running.js";

/** The servers of a user: several of one folder, and a folder that has none. */

const all = projectServers();
const { at, create, project, serve, serverFile, stop, written } = all;

describe("two servers of one folder", () => {
  it("the newest is the one that commands reach, and it says so", async () => {
    const folder = project("shop");
    const first = await serve(folder);
    const second = await serve(folder, ["--db", ":memory:"]);
    const list = await all.cli.run(["wallets", "list", "--verbose"], { cwd: folder });
    expect(list.err).toContain(`Host: ${second.ready.url} (from ${serverFile(folder)})`);
    const warning = `commands in this folder now go to this server; the one at ${first.ready.url} (process 1) still runs`;
    // The first one ends and leaves the file to the second one.
    const { earlier, ...before } = written(folder);
    expect(earlier).toMatchObject([{ url: first.ready.url }]);
    await stop(first);
    expect(written(folder)).toEqual(before);
    await create(folder);
    expect((await stop(second)).err).toBe(`Warning: ${warning}\n`);
    expect(written(folder)).toMatchObject({ pid: null, other_keys: { [join(".qa-pay", "qa-pay.db")]: {} } });
  });

  it.each([
    ["both in memory", [":memory:", ":memory:"]],
    ["the first with a file", ["a.db", ":memory:"]],
    ["the second with a file", [":memory:", "b.db"]],
    ["three, of which the newest two end", ["a.db", ":memory:", "c.db"]],
  ])("the one that is left is found when the newest ends: %s", async (_what, databases) => {
    const folder = project("shop");
    const servers: Serving[] = [];
    for (const db of databases) servers.push(await serve(folder, ["--db", db]));
    const [first, ...later] = servers;
    for (const one of later.reverse()) await stop(one);
    const list = await all.cli.run(["wallets", "list", "--verbose"], { cwd: folder });
    expect([list.code, list.err]).toEqual([0, expect.stringContaining(`Host: ${first?.ready.url} (from `)]);
    await create(folder);
    expect(written(folder)).toMatchObject({ url: first?.ready.url, test_key: first?.ready.test_key, pid: 1 });
    expect((await all.cli.run(["env"], { cwd: folder })).out).toContain(first?.ready.test_key);
  });

  it("the one that is left is found when the newest was killed, and another process has its id", async () => {
    const folder = project("shop");
    const first = await serve(folder, ["--db", ":memory:"]);
    const second = await serve(folder, ["--db", ":memory:"]);
    const found = async (isRunning: (pid: number) => boolean) =>
      (await all.cli.run(["wallets", "list", "--verbose"], { cwd: folder, isRunning })).err;
    const content = written(folder);
    await stop(second);
    // The file as a killed server leaves it. Its process id has another process, or none.
    for (const pid of [1, 77]) {
      writeFileSync(serverFile(folder), JSON.stringify({ ...content, pid }), { mode: 0o600 });
      expect(await found((id) => id !== 77)).toContain(`Host: ${first.ready.url} (from `);
    }
    const third = await serve(folder, ["--db", ":memory:"]);
    expect(await found(() => true)).toContain(`Host: ${third.ready.url} (from `);
    await stop(third);
    expect(await found(() => true)).toContain(`Host: ${first.ready.url} (from `);
  });

  it("a server that has ended is not mentioned", async () => {
    const folder = project("shop");
    await stop(await serve(folder));
    expect((await stop(await serve(folder))).err).toBe("");
  });
});

describe("a server.json counts in its own folder alone", () => {
  const asked = async (cwd: string) => {
    const { code, err } = await all.cli.run(["charges", "create", "--amount", "500", "--json"], { cwd });
    return code === 0 ? 0 : [code, JSON.parse(err).error.code];
  };

  it("so a copy of the folder has no server, and neither has one that was moved", async () => {
    const folder = project("shop");
    const { ready } = await serve(folder, ["--db", ":memory:"]);
    cpSync(folder, at("copy"), { recursive: true });
    expect(await asked(at("copy"))).toEqual([2, "no_server"]);
    expect((await all.cli.run(["stop"], { cwd: at("copy") })).code).toBe(2);
    expect((await all.cli.run(["wallets", "list"], { cwd: at("copy") })).err).toContain(
      `\n  ${ready.url}  ${folder}\n`,
    );
    expect(await asked(folder)).toBe(0);
    // Its own server does not report that it replaces that of the first folder, and its file does not say so.
    const second = await serve(at("copy"), ["--db", ":memory:"]);
    expect(await asked(at("copy"))).toBe(0);
    expect(written(at("copy"))).toMatchObject({ url: second.ready.url, folder: at("copy") });
    expect(written(at("copy")).earlier).toBeUndefined();
    expect((await stop(second)).err).toBe("");
    renameSync(folder, at("moved"));
    expect(await asked(at("moved"))).toEqual([2, "no_server"]);
    renameSync(at("moved"), folder);
    expect(await asked(folder)).toBe(0);
  });

  it("however the folder is reached", async () => {
    const folder = project("shop");
    await serve(folder, ["--db", ":memory:"]);
    symlinkSync(folder, at("link"));
    expect(await asked(at("link"))).toBe(0);
    const second = await serve(at("link"), ["--db", ":memory:"]);
    expect(await asked(folder)).toBe(0);
    expect(written(folder).url).toBe(second.ready.url);
  });

  it("and the keys in a copy of it are those of the copied database", async () => {
    const folder = project("shop");
    const first = await serve(folder);
    await stop(first);
    cpSync(folder, at("copy"), { recursive: true });
    expect((await serve(at("copy"))).ready.test_key).toBe(first.ready.test_key);
  });
});

describe("a folder without a server", () => {
  const wallets = (options: CliOptions = {}) => all.cli.run(["wallets", "list"], options);
  const NONE =
    "Error: This folder has no server, and no flag, variable, .env or profile names one.\n" +
    "Start one here with `qa-pay serve`, or name one with --profile, or with --base-url and --api-key.\n";

  it("reaches nobody, and names the servers of the user that run", async () => {
    const [a, b] = [project("a"), project("b")];
    const [first, second] = [await serve(a), await serve(b, ["--db", ":memory:"])];
    const { code, out, err } = await wallets({ cwd: project("c") });
    expect([code, out]).toEqual([2, ""]);
    expect(err.startsWith(`${NONE}Servers of this user that are running:\n`)).toBe(true);
    expect(err.slice(NONE.length).trimEnd().split("\n").slice(1).sort()).toEqual(
      [`  ${first.ready.url}  ${a}`, `  ${second.ready.url}  ${b}`].sort(),
    );
    const { error } = JSON.parse((await all.cli.run(["sandbox", "reset", "--yes", "--json"], { cwd: at("c") })).err);
    expect(error).toMatchObject({ type: "invalid_request_error", code: "no_server" });
    expect(error.hint).toContain(a);
    await stop(first);
    const { err: later } = await wallets({ cwd: at("c") });
    expect(later).toContain(`\n  ${second.ready.url}  ${b}\n`);
    expect(later).not.toContain(first.ready.url);
  });

  it("names no server that was killed, and the next start forgets it", async () => {
    const isRunning = () => false;
    await serve(project("a"));
    expect(await wallets({ cwd: project("c"), isRunning })).toEqual({ code: 2, out: "", err: NONE });
    const list = () => readdirSync(at("config", "servers"));
    const [before] = list();
    await serve(project("b"), [], { isRunning });
    expect(list()).toHaveLength(1);
    expect(list()).not.toContain(before);
  });

  it("names no server of another instance id, and reads no file that others may have written", async () => {
    await serve(project("a"));
    const folder = at("config", "servers");
    const [name = ""] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const content = JSON.parse(readFileSync(join(folder, name), "utf8"));
    expect(Object.keys(content).sort()).toEqual(["database", "folder", "instance", "pid", "secret", "url"]);
    const change = (text: string) => writeFileSync(join(folder, name), text);
    for (const text of ["", "null", "{}", JSON.stringify({ ...content, instance: "another" })]) {
      change(text);
      expect((await wallets({ cwd: project("c") })).err).toBe(NONE);
    }
    change(JSON.stringify(content));
    expect((await wallets({ cwd: at("c") })).err).toContain(content.url);
    chmodSync(join(folder, name), 0o644);
    expect((await wallets({ cwd: at("c") })).err).toBe(NONE);
  });

  it("is reported by doctor as a warning", async () => {
    const { code, out } = await all.cli.run(["doctor"], { cwd: project("c") });
    expect(code).toBe(0);
    expect(out).toContain("! server    This folder has no server, and no flag, variable, .env or profile names one.");
    expect(out).toContain("✓ profile   none; `qa-pay profiles add` creates one\n");
  });

  it("of a server that cannot be listed is still served", async () => {
    writeFileSync(at("config"), "in the way");
    const folder = project("a");
    const server = await serve(folder);
    await create(folder);
    expect((await stop(server)).err).toBe("");
  });

  it("whose configuration cannot be anywhere is still served, and a profile is refused at once", async () => {
    // The recursive option of mkdir never returns below /proc.
    const env = { QA_PAY_CONFIG_DIR: "/proc/qa-x/y" };
    const folder = project("a");
    expect((await stop(await serve(folder, [], { env }))).err).toBe("");
    const add = ["profiles", "add", "shop", "--base-url", "http://127.0.0.1:9", "--api-key", "qa_test_0123456789"];
    const { code, err } = await all.cli.run(add, { env });
    expect([code, err]).toEqual([2, expect.stringMatching(/^Error: \/proc\/qa-x\/y\/profiles.json cannot be used: /)]);
  });
});
