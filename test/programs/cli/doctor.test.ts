import { hash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../../src/base/db/migrations/index.js";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import { doctor, schemaText } from "../../../src/programs/cli/commands/doctor.js";
import type { Io } from "../../../src/programs/cli/terminal/io.js";
import { testCli } from "../../support/cli.js";
import { doctorFindings } from "../../support/doctor.js";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";
import { startHost } from "../../support/running.js";
import { freshCli, sharedEmulator } from "../../support/shared.js";
import { openFile } from "../../support/sqlite.js";

/** `doctor` finds and names problems, says how to fix them, and changes nothing. */

/** No server listens at this address. */
const NOBODY = "http://127.0.0.1:9";
const DB = "qa.db";
const WRONG_BALANCE = "the balance of BRL \\w+ is not the sum of its entries";

const emulator = sharedEmulator();
const cli = freshCli(emulator);
/** Holds a database in which money has moved, and that no server uses any more. */
const kept = testCli();
beforeAll(async () => {
  await (await serving(join(kept.folder, DB))).close();
});
afterAll(() => kept.remove());

const at = (...names: string[]) => join(cli.folder, ...names);

const findings = (words: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  doctorFindings(cli, ["--db", DB, ...words], env);

/** Every file of the folder with its content. */
function contents(): Record<string, string> {
  const entries = readdirSync(cli.folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.map((file) => [file, hash("sha256", readFileSync(file))]));
}

/** A server with a database in which money has moved, and which has nothing more to write: a login waits for the users of a start. */
async function serving(db: string): Promise<TestEmulator> {
  const server = await startEmulator({ db, frozen: true });
  const { id } = await server.charge();
  await server.sandbox(`/charges/${id}/pay`);
  const [{ email = "", password = "" } = {}] = server.users;
  await server.call("POST", "/v1/auth/login", { key: null, body: { email, password } });
  return server;
}

const makeDatabase = () => cpSync(join(kept.folder, DB), at(DB));

/** Writes into the database directly, without the service. */
function meddle(...sql: string[]): void {
  const database = openFile(at(DB));
  for (const statement of sql) database.exec(statement);
  database.close();
}

describe("doctor without a finding", () => {
  it("says that each check passed, and ends with 0", async () => {
    makeDatabase();
    const found = await findings();
    expect(found.healthy).toBe(true);
    expect(found.order).toEqual(["node", "sqlite", "database", "ledger", "profile", "server", "clock"]);
    expect(found.order.map((name: string) => found[name].status)).toEqual(Array(7).fill("ok"));
    expect(found.node.detail).toBe(process.versions.node);
    expect(found.database.detail).toMatch(new RegExp(`^qa\\.db, \\d+ KiB, schema ${MIGRATIONS.length}$`));
    expect(found.server.detail).toMatch(
      new RegExp(`^qa-pay \\S+ at ${emulator.url} \\(from QA_PAY_BASE_URL\\), test key \\(from QA_PAY_API_KEY\\)$`),
    );
  });

  it("prints a line with a mark for each check, for a person", async () => {
    makeDatabase();
    const { code, out, err } = await cli.run(["doctor", "--db", DB]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^(✓ [a-z]+ +\S.*\n){7}$/);
  });

  it("marks notes and problems; the database is the one that serve would use", async () => {
    mkdirSync(at(".qa-pay"));
    writeFileSync(at(".qa-pay", "qa-pay.db"), "nonsense ".repeat(100));
    const { code, out } = await cli.run(["doctor", "--base-url", NOBODY]);
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ database {2}.*\/\.qa-pay\/qa-pay\.db/m);
    expect(out).toMatch(/^! server {4}/m);
  });
});

describe("a folder below that of a project", () => {
  const below = (...words: string[]) => cli.run(["doctor", ...words], { cwd: at("src") });

  beforeEach(() => {
    mkdirSync(at("src"));
    mkdirSync(at(".qa-pay"), { mode: 0o700 });
    cpSync(join(kept.folder, DB), at(".qa-pay", "qa-pay.db"));
    const server = { url: NOBODY, test_key: null, live_key: null, signing_secret: "s", pid: null, started_at: null };
    writeFileSync(at(".qa-pay", "server.json"), JSON.stringify(server), { mode: 0o600 });
  });

  it("has the database of the project", async () => {
    const { out } = await below();
    expect(out).toMatch(/^✓ database {2}\/\S+\/\.qa-pay\/qa-pay\.db, \d+ KiB, schema \d+$/m);
    expect(out).toMatch(/^✓ ledger /m);
    expect((await below("--db", "other.db")).out).toContain("other.db does not exist yet");
  });

  it("has the database that a new server there would create, when the file of the project cannot be used", async () => {
    writeFileSync(at(".qa-pay", "server.json"), "nonsense");
    const { out } = await below();
    expect(out).toContain(".qa-pay/qa-pay.db does not exist yet; `qa-pay serve` creates it");
  });
});

it.each([
  ["20.18.9", "fail"],
  ["18.20.0", "fail"],
  ["20.19.0", "ok"],
  ["100.1.0", "ok"],
])("node %s is %s", async (nodeVersion, status) => {
  let out = "";
  const env = { QA_PAY_CONFIG_DIR: cli.folder, QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key };
  const place = { env, cwd: cli.folder, home: cli.folder, platform: "linux", program: "qa-pay", isTerminal: false };
  const io = { ...place, nodeVersion, now: () => Date.now(), out: (text: string) => (out += text) };
  const code = await doctor(io as unknown as Io, { db: DB, json: true });
  const detail =
    status === "ok" ? nodeVersion : `${nodeVersion} is too old: install 20.19 or newer (https://nodejs.org)`;
  expect([code, JSON.parse(out).checks[0]]).toEqual([status === "ok" ? 0 : 1, { name: "node", status, detail }]);
});

describe("the database", () => {
  it("can be missing, and is not created", async () => {
    const { healthy, order, database } = await findings();
    expect([healthy, database.status]).toEqual([true, "ok"]);
    expect(database.detail).toBe("qa.db does not exist yet; `qa-pay serve` creates it");
    expect(order).not.toContain("ledger");
    expect(contents()).toEqual({});
  });

  it("can be empty, and has no ledger check then", async () => {
    writeFileSync(at(DB), "");
    const { healthy, order, database } = await findings();
    expect([healthy, database.detail]).toEqual([true, "qa.db, 0 KiB, empty; `qa-pay serve` fills it"]);
    expect(order).not.toContain("ledger");
  });

  it("of an older version is updated by serve only", () => {
    expect(schemaText(1, 2)).toBe("schema 1; the next `qa-pay serve` updates it to 2");
  });

  const [damaged, foreign] = [/is damaged/, /belongs to another program/];
  const write = (data: string | Uint8Array) => writeFileSync(at(DB), data);
  const wrong: readonly (readonly [string, RegExp, () => unknown])[] = [
    ["is no database at all", /is damaged or is no SQLite database/, () => write("Dear diary, ".repeat(900))],
    ["is noise behind its header", damaged, () => damage(100)],
    ["is damaged in the middle", damaged, () => damage(readFileSync(at(DB)).length >> 1)],
    ["is cut off", damaged, () => write(readFileSync(at(DB)).subarray(0, 20_000))],
    ["is of a newer version", /newer version of qa-pay \(schema 99/, () => meddle("PRAGMA user_version = 99")],
    ["is older than the first release", /development version/, () => meddle(`PRAGMA application_id = ${0x71617079}`)],
    ["is marked as another program's", foreign, () => meddle("PRAGMA application_id = 42")],
    ["has tables of another program", foreign, () => [rmSync(at(DB)), meddle("CREATE TABLE recipes (name TEXT)")]],
    ["has a lock with contents", /its lock .* is not empty/, () => writeFileSync(at(`${DB}-lock`), "a")],
    [
      "has a journal that names another file",
      /its journal .* names another file/,
      () => writeFileSync(at(`${DB}-journal`), Buffer.from("d9d505f920a163d7".repeat(64), "hex")),
    ],
    ["is a folder", /it is a folder/, () => [rmSync(at(DB)), mkdirSync(at(DB))]],
  ];

  it.each(wrong)("that %s is a finding with a way to fix it", async (_what, message, spoil) => {
    makeDatabase();
    spoil();
    const before = contents();
    const { healthy, order, database } = await findings();
    expect([healthy, database.status]).toEqual([false, "fail"]);
    expect(database.detail).toMatch(message);
    expect(database.detail).toMatch(/qa\.db.* --db/);
    expect(order).toEqual(["node", "sqlite", "database", "profile", "server", "clock"]);
    expect(contents()).toEqual(before);
  });

  const editEntry = `DROP TRIGGER ledger_entries_are_final; UPDATE ledger_entries SET amount = amount + 1 WHERE id = 1;
    CREATE TRIGGER ledger_entries_are_final BEFORE UPDATE ON ledger_entries BEGIN
  SELECT RAISE(ABORT, 'ledger entries are never edited');
END`;
  it.each([
    ["has a journal that does not sum to zero", "journal 1 does not sum to zero", editEntry],
    ["has a wrong balance", WRONG_BALANCE, "UPDATE ledger_balances SET balance = balance + 1 WHERE bucket = 'world'"],
    ["has a balance of nothing", WRONG_BALANCE, "INSERT INTO ledger_balances VALUES (1, 'BRL', 'review', 5)"],
    ["has lost a balance", WRONG_BALANCE, "DELETE FROM ledger_balances WHERE bucket = 'world'"],
  ])("whose ledger %s is a finding with a way to fix it", async (_what, message, sql) => {
    makeDatabase();
    meddle(sql);
    const { healthy, database, ledger } = await findings();
    expect([healthy, database.status, ledger.status]).toEqual([false, "ok", "fail"]);
    expect(ledger.detail).toMatch(new RegExp(`^${message}: .* --db$`));
  });

  it("of a running server is read in its current state, and the server keeps working with it", async () => {
    const server = await serving(at(DB));
    const before = contents();
    const found = await findings(["--base-url", server.url, "--api-key", server.key]);
    expect([found.healthy, found.ledger.status]).toEqual([true, "ok"]);
    for (const file of [at(DB), at(`${DB}-wal`)]) expect(contents()[file]).toBe(before[file]);
    await server.charge();
    await server.close();
  });

  it("that a crash left partly in its journal is read with that part, and the journal stays", async () => {
    const server = await serving(at(DB));
    mkdirSync(at("crashed"));
    for (const suffix of ["", "-wal", "-shm"]) cpSync(at(DB + suffix), at("crashed", DB + suffix));
    await server.close();
    const before = contents();
    const { healthy, database, ledger } = await findings(["--db", join("crashed", DB)]);
    expect([healthy, database.status, ledger.status]).toEqual([true, "ok", "ok"]);
    const files = ["", "-wal"].map((suffix) => at("crashed", DB + suffix));
    for (const file of files) expect(contents()[file]).toBe(before[file]);
  });

  it("is not changed, gets no new file beside it, and can be served again", async () => {
    makeDatabase();
    const before = contents();
    await findings();
    await cli.run(["doctor", "--db", DB]);
    expect(contents()).toEqual(before);
    expect(Object.keys(before)).toEqual([at(DB)]);
    await (await startEmulator({ db: at(DB) })).close();
  });
});

/** Overwrites all bytes after `from`, except the last page. */
function damage(from: number): void {
  const bytes = readFileSync(at(DB));
  writeFileSync(at(DB), bytes.fill(0x5a, from, bytes.length - 4_096));
}

describe("the server", () => {
  const strange = (status: number, body: string) =>
    startHost((_request, response) => void response.writeHead(status).end(body));

  /** A port on loopback whose server sends this greeting and closes the connection. */
  async function takenPort(greeting: string): Promise<{ port: number; server: Server }> {
    const server = createServer((socket) =>
      socket
        .on("error", () => undefined)
        .resume()
        .end(greeting),
    );
    const port = await listenOnLoopback(server);
    return { port, server };
  }

  it("that does not run is a note: its port is free to start one", async () => {
    const { port, server } = await takenPort("");
    await new Promise((resolve) => server.close(resolve));
    const { healthy, order, server: found } = await findings(["--base-url", `http://127.0.0.1:${port}`]);
    expect([healthy, found.status]).toEqual([true, "warn"]);
    expect(found.detail).toBe(
      `nobody answers at http://127.0.0.1:${port}; port ${port} is free: \`qa-pay serve --port ${port}\` starts one there`,
    );
    expect(order).not.toContain("clock");
  });

  it.each([
    ["hangs up", ""],
    ["speaks something else", "220 mail.test ESMTP\r\n"],
  ])("whose port is used by a program that %s is reported with a way to fix it", async (_what, greeting) => {
    const { port, server } = await takenPort(greeting);
    const { server: found } = await findings(["--base-url", `http://127.0.0.1:${port}`]);
    await new Promise((resolve) => server.close(resolve));
    expect(found.status).toBe("warn");
    expect(found.detail).toContain(`port ${port} is taken by another program: `);
    expect(found.detail).toContain("`qa-pay serve --port`");
  });

  it.each([
    [200, "<h1>Shop</h1>"],
    [200, '{"emulator":"other"}'],
    [200, 'page with "emulator":"qa-pay" in it'],
    [302, ""],
    [404, "{}"],
    [500, "oops"],
  ])("that answers %i with %j is not taken for an emulator", async (status, body) => {
    const host = await strange(status, body);
    const { healthy, server } = await findings(["--base-url", host.url]);
    await host.close();
    expect([healthy, server.status]).toEqual([true, "warn"]);
    expect(server.detail).toContain(`${host.url} answers and is no emulator: `);
    expect(server.detail).toContain("`qa-pay serve --port`");
  });

  it("on another machine that cannot be reached is reported without a hint about a local port", async () => {
    const { server } = await findings(["--base-url", "http://0.0.0.0:9"]);
    const detail = "nobody answers at http://0.0.0.0:9: is the address right, and is the network available?";
    expect(server).toEqual({ status: "warn", detail });
  });

  it("that does not know the key, or gets none, is a problem", async () => {
    const wrong = await findings(["--api-key", "qa_test_nobody-knows-me"]);
    const none = await findings([], { QA_PAY_API_KEY: "" });
    for (const { healthy, server } of [wrong, none]) {
      expect([healthy, server.status]).toEqual([false, "fail"]);
      expect(server.detail).toMatch(/pass .* with --api-key or QA_PAY_API_KEY$/);
    }
    expect(wrong.server.detail).toContain("does not know the key");
    expect(none.server.detail).toContain("needs a key");
  });

  it("is reported without the key", async () => {
    for (const words of [
      [],
      ["--json"],
      ["--api-key", emulator.live],
      ["--api-key", "qa_test_nobody-knows-me"],
      ["--base-url", NOBODY],
    ]) {
      const { out, err } = await cli.run(["doctor", ...words]);
      for (const key of [emulator.key, emulator.live, "nobody-knows-me"]) expect(out + err).not.toContain(key);
    }
  });
});

describe("the clock", () => {
  it("that is frozen is a note, with the command that resumes it", async () => {
    const frozen = await startEmulator({ frozen: true });
    const { now } = await frozen.sandbox("/clock");
    const { healthy, clock } = await findings(["--base-url", frozen.url, "--api-key", frozen.key]);
    await frozen.close();
    expect([healthy, clock.status]).toEqual([true, "warn"]);
    expect(clock.detail).toBe(`stands still at ${now}; \`qa-pay sandbox clock resume\` starts it again`);
  });

  it("that was moved is a note, with the distance", async () => {
    const moved = await startEmulator();
    await moved.sandbox("/clock/advance", { seconds: 86_400 });
    const words = ["--base-url", moved.url, "--api-key", moved.key];
    const { healthy, clock } = await findings(words);
    expect([healthy, clock.status]).toEqual([true, "warn"]);
    expect(clock.detail).toMatch(/^\S+Z, 86\d{3} s ahead of this machine; /);
    const behind = await cli.run(["doctor", "--db", DB, ...words], { now: () => Date.now() + 10 * 86_400_000 });
    await moved.close();
    expect(behind.out).toMatch(/^! clock .* 77\d{4} s behind this machine; /m);
  });
});
