import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../../src/programs/start/emulator.js";
import { statusOf } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { type Folder, newFolder } from "../../support/folder.js";
import { openCase } from "../../support/med.js";
import { sendHalf } from "../../support/raw-http.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { expectRefused } from "../../support/refusals.js";
import { closeAfterwards, fresh, shared } from "../../support/shared.js";
import { exportSnapshot, putFile, restore, save, snapshotFile } from "../../support/snapshots.js";
import { openUnguarded } from "../../support/sqlite.js";

/** Snapshots that are deleted, and that leave one server as a file and arrive at another. */

const QUIET = { warn() {}, error() {} };
const folder = fresh(newFolder);
const start = closeAfterwards((options: EmulatorOptions = {}) =>
  startEmulator({ frozen: true, log: QUIET, ...options }),
);

const remove = (emulator: TestEmulator, name: string) => emulator.call("DELETE", `/_sandbox/snapshots/${name}`);
const list = async (emulator: TestEmulator): Promise<Loose[]> => (await emulator.sandbox("/snapshots")).data;
const names = async (emulator: TestEmulator) => (await list(emulator)).map(({ name }) => name).sort();

const STORES: readonly [string, (place?: Folder) => EmulatorOptions][] = [
  ["a file", (place = folder) => ({ db: place.db })],
  ["memory", () => ({})],
];

/** Objects of every kind that a snapshot counts. */
async function fill(emulator: TestEmulator): Promise<Loose> {
  const body = { url: "http://127.0.0.1:9/", events: ["charge.paid"] };
  await emulator.call("POST", "/v1/webhooks/endpoints", { body });
  const charge = await emulator.charge();
  await emulator.sandbox(`/charges/${charge.id}/pay`);
  await refund(emulator, (await paidPayment(emulator)).id, { amount: 500 });
  await openCase(emulator);
  await emulator.sandbox("/payouts", { amount: 100 });
  return charge;
}

/** The data that an account sees by requests. */
async function seen(emulator: TestEmulator, key: string): Promise<Loose[]> {
  const paths = [
    ...["/v1/payments?limit=100", "/v1/payments/stats", "/v1/wallets", "/v1/med/cases", "/v1/webhooks/endpoints"],
    ...["/v1/webhooks/deliveries?limit=100", "/_sandbox/events?limit=100", "/_sandbox/clock"],
  ];
  const answers: Loose[] = [];
  for (const path of paths) answers.push((await emulator.call("GET", path, { key })).body);
  // Addresses of pages name the port of the server that answered, also in events.
  return JSON.parse(JSON.stringify(answers).replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://here"));
}

describe.each(STORES)("a snapshot of a database in %s", (_where, options) => {
  it("says what it holds and when, and not what came later", async () => {
    const emulator = await start(options());
    await fill(emulator);
    const { now } = await emulator.sandbox("/clock");
    const saved = await save(emulator, "full");
    expect(saved).toMatchObject({
      now,
      counts: { accounts: 1, charges: 3, refunds: 1, payouts: 1, med_cases: 1, deliveries: 3, emails: 1 },
    });
    expect(saved.counts.events).toBeGreaterThan(5);
    await emulator.charge();
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    expect(await list(emulator)).toEqual([saved]);
  });

  it("is deleted by its name, and nothing else is", async () => {
    const emulator = await start(options());
    const { id } = await emulator.charge();
    for (const name of ["one", "two"]) await save(emulator, name);
    const gone = await remove(emulator, "one");
    expect([gone.status, gone.body]).toEqual([204, null]);
    expect([await names(emulator), await statusOf(emulator, id)]).toEqual([["two"], "pending"]);
    expectRefused(await emulator.call("POST", "/_sandbox/snapshots/one/restore"), "not_found");
    expectRefused(await remove(emulator, "one"), "not_found");
    await save(emulator, "one");
    await restore(emulator, "two");
    expect(await names(emulator)).toEqual(["one", "two"]);
  });

  it("is not found under a name that nothing has, and under none that leads elsewhere", async () => {
    const emulator = await start(options());
    await save(emulator, "one");
    for (const name of ["nobody", "..%2Fqa", "%2e%2e%2fqa.db", "a%00b"]) {
      expectRefused(await remove(emulator, name), "not_found");
      expectRefused(await emulator.call("GET", `/_sandbox/snapshots/${name}/file`), "not_found");
    }
    expect(await names(emulator)).toEqual(["one"]);
  });

  it.each(STORES)("goes to an empty server with a database in %s, and is the same there", async (_there, other) => {
    const from = await start({ ...options(), testKey: "qa_test_exported-key" });
    const charge = await fill(from);
    const before = await seen(from, from.key);
    const saved = await save(from, "full");
    const file = await exportSnapshot(from, "full");
    await from.close();
    const to = await start({ ...other(), ...(other().db === undefined ? {} : { db: join(folder.path, "other.db") }) });
    const imported = await putFile(to, "moved", file);
    expect(imported.status).toBe(201);
    expect(imported.body).toMatchObject({ name: "moved", now: saved.now, counts: saved.counts });
    expect(await list(to)).toEqual([imported.body]);
    // Until it is restored, it changes nothing.
    expectRefused(await to.call("GET", `/v1/charges/${charge.id}`), "not_found");
    await restore(to, "moved");
    expect(await seen(to, "qa_test_exported-key")).toEqual(before);
    // The key of the server that it was imported into goes on working.
    expect((await to.call("GET", "/v1/wallets")).status).toBe(200);
    expect(
      Buffer.from(await exportSnapshot(to, "moved"))
        .subarray(0, 15)
        .toString(),
    ).toBe("SQLite format 3");
  });

  it("replaces an older one of its name, as a save does", async () => {
    const emulator = await start(options());
    await save(emulator, "name");
    const file = await exportSnapshot(emulator, "name");
    await emulator.charge();
    await save(emulator, "name");
    expect((await list(emulator))[0].counts.charges).toBe(1);
    expect((await putFile(emulator, "name", file)).status).toBe(201);
    expect((await list(emulator)).map(({ counts }) => counts.charges)).toEqual([0]);
  });
});

describe.each(STORES)("an import into a database in %s", (_where, options) => {
  const place = shared(newFolder);
  const emulator = shared(() => startEmulator({ frozen: true, log: QUIET, ...options(place) }));
  let good: Uint8Array<ArrayBuffer>;

  beforeAll(async () => {
    await fill(emulator);
    await save(emulator, "good");
    good = await exportSnapshot(emulator, "good");
  });

  /** The good file, changed by SQL. */
  function changed(sql: string): Uint8Array<ArrayBuffer> {
    const file = join(folder.path, "changed.db");
    writeFileSync(file, good);
    const db = openUnguarded(file);
    db.exec(sql);
    db.close();
    return new Uint8Array(readFileSync(file));
  }

  /** Nothing is left of a refused file, and the snapshots are as before. */
  async function expectUnchanged(): Promise<void> {
    expect(await names(emulator)).toEqual(["good"]);
    expect(good.length > 0 && Buffer.from(await exportSnapshot(emulator, "good")).equals(good)).toBe(true);
    const { database } = emulator;
    if (database !== ":memory:") expect(readdirSync(`${database}.snapshots`)).toEqual(["good.db"]);
  }

  it.each([
    ["no database", () => new TextEncoder().encode("{}") as Uint8Array<ArrayBuffer>, /is no snapshot/],
    ["nothing", () => new Uint8Array(), /is no snapshot/],
    ["half a database", () => good.slice(0, Math.floor(good.length / 8192) * 4096), /is damaged|cannot be read/],
    ["a database of another program", () => changed("PRAGMA application_id = 7"), /was not saved by qa-pay/],
    ["one of a newer version", () => changed("PRAGMA user_version = 99"), /newer version.*schema 99.*Update qa-pay/],
    ["one without a schema", () => changed("PRAGMA user_version = 0"), /holds no schema/],
    [
      "a trigger",
      () => changed("CREATE TRIGGER evil AFTER INSERT ON settings BEGIN DELETE FROM accounts; END"),
      /holds "trigger evil", which qa-pay does not create/,
    ],
    ["a table less", () => changed("DROP TABLE revoked_tokens"), /has no table revoked_tokens/],
    [
      "a column more",
      () => changed("ALTER TABLE payouts ADD COLUMN evil TEXT"),
      /holds "table payouts", which differs/,
    ],
    [
      "no account",
      () => changed("PRAGMA foreign_keys = OFF; DELETE FROM accounts"),
      /refer to rows that do not exist|no account/,
    ],
    ["no clock", () => changed("DELETE FROM settings WHERE name = 'clock'"), /no clock/],
  ])("is refused for a file with %s, and nothing is left behind", async (_what, file, message) => {
    const answer = await putFile(emulator, "bad", file());
    expectRefused(answer, "unprocessable_entity");
    expect(answer.body.error.message).toMatch(message);
    // Also in the place of one that is there.
    expectRefused(await putFile(emulator, "good", file()), "unprocessable_entity");
    await expectUnchanged();
  });

  it.each(["con", ".hidden", "a b", "a".repeat(65)])("is refused under the name %s", async (name) => {
    expectRefused(await putFile(emulator, encodeURIComponent(name), good), "invalid_request", "name");
    await expectUnchanged();
  });

  it("is refused under a name that differs by its case alone", async () => {
    expectRefused(await putFile(emulator, "GOOD", good), "invalid_request", "name");
    await expectUnchanged();
  });

  it("is refused for a body that calls itself something else", async () => {
    const headers = { "content-type": "application/json" };
    expectRefused(await putFile(emulator, "bad", good, { headers }), "invalid_request", "Content-Type");
    await expectUnchanged();
  });

  it("is refused without a key, from another page, and by another method", async () => {
    expectRefused(await putFile(emulator, "bad", good, { key: null }), "unauthorized");
    const headers = { origin: "https://elsewhere.test" };
    expectRefused(await putFile(emulator, "bad", good, { headers }), "origin_not_allowed");
    for (const method of ["POST", "PATCH", "DELETE"]) {
      expectRefused(await emulator.call(method, "/_sandbox/snapshots/good/file"), "not_found");
    }
    expectRefused(await emulator.call("GET", "/_sandbox/snapshots/good/file", { key: null }), "unauthorized");
    await expectUnchanged();
  });

  /** A PUT whose body is not sent as it should be; answers the status. */
  function put(headers: Record<string, string>, send: (sent: ReturnType<typeof request>) => void): Promise<number> {
    return new Promise((done) => {
      const sent = request(`${emulator.url}/_sandbox/snapshots/bad/file`, {
        method: "PUT",
        headers: { apikey: emulator.key, ...headers },
        agent: false,
      });
      sent.on("response", (answer) => {
        answer.resume();
        done(answer.statusCode ?? 0);
        sent.destroy();
      });
      sent.on("error", () => done(0));
      send(sent);
    });
  }

  it("is refused when the file says that it is larger than any may be, before it is sent", async () => {
    expect(await put({ "content-length": "1073741825" }, (sent) => sent.flushHeaders())).toBe(413);
    await expectUnchanged();
  });

  it("that breaks off leaves nothing behind", async () => {
    const broken = await put({ "content-length": String(good.length) }, (sent) => {
      sent.write(good.slice(0, 10_000), () => sent.destroy());
    });
    expect(broken).toBe(0);
    await expect.poll(() => names(emulator)).toEqual(["good"]);
    if (emulator.database === ":memory:") return;
    await expect.poll(() => readdirSync(`${emulator.database}.snapshots`)).toEqual(["good.db"]);
  });

  it("is refused while four others are under way, and taken when they are done", async () => {
    const half = (name: string) => {
      const headers = { apikey: emulator.key, "content-type": "application/octet-stream" };
      return sendHalf(`${emulator.url}/_sandbox/snapshots/${name}/file`, { method: "PUT", headers, body: good });
    };
    const four = ["one", "two", "three", "four"];
    // The upload that broke off may still count.
    const free = async () =>
      (await Promise.all(four.map((name) => putFile(emulator, name, good)))).map(({ status }) => status);
    await expect.poll(free).toEqual([201, 201, 201, 201]);
    for (const name of four) await remove(emulator, name);
    const underWay = await Promise.all(four.map(half));
    const fifth = await putFile(emulator, "five", good);
    expect([fifth.status, fifth.body.error]).toEqual([
      503,
      {
        type: "api_error",
        code: "service_unavailable",
        message: "4 snapshots are being imported already. Wait for one, then try again.",
      },
    ]);
    expect(await names(emulator)).toEqual(["good"]);
    const answers = await Promise.all(underWay.map(({ finish }) => finish()));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await putFile(emulator, "five", good)).status).toBe(201);
    expect(await names(emulator)).toEqual(["five", "four", "good", "one", "three", "two"]);
    for (const name of ["five", "four", "one", "three", "two"]) await remove(emulator, name);
  });

  it("takes a database file of a stopped server as well", async () => {
    const db = join(folder.path, "stopped.db");
    const stopped = await start({ db });
    await stopped.charge();
    await stopped.close();
    const file = new Uint8Array(readFileSync(db));
    const answer = await putFile(emulator, "stopped", file);
    expect([answer.status, answer.body.counts.charges]).toEqual([201, 1]);
    await remove(emulator, "stopped");
  });
});

describe("files of snapshots", () => {
  it.skipIf(process.platform === "win32")("are for the owner alone, and complete by themselves", async () => {
    const emulator = await start({ db: folder.db });
    await save(emulator, "one");
    await putFile(emulator, "two", await exportSnapshot(emulator, "one"));
    for (const name of ["one", "two"]) {
      const file = snapshotFile(folder.db, name);
      expect([(statSync(file).mode & 0o777).toString(8), existsSync(`${file}-wal`)]).toEqual(["600", false]);
    }
  });

  it("that a killed server was receiving are removed at the next start", async () => {
    const emulator = await start({ db: folder.db });
    await save(emulator, "one");
    await emulator.close();
    writeFileSync(join(`${folder.db}.snapshots`, ".received-1"), "half of it");
    await start({ db: folder.db });
    expect(readdirSync(`${folder.db}.snapshots`)).toEqual(["one.db"]);
  });

  it("are sent with their name and size, and not kept by a cache", async () => {
    const emulator = await start();
    await save(emulator, "one");
    const answer = await emulator.call("GET", "/_sandbox/snapshots/one/file");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": 'attachment; filename="one.db"',
      "content-length": expect.stringMatching(/^\d+$/),
      "cache-control": "no-store",
      "x-request-id": expect.stringMatching(/^req_/),
    });
  });

  it("that cannot be read are listed without contents", async () => {
    const emulator = await start({ db: folder.db });
    await save(emulator, "one");
    writeFileSync(snapshotFile(folder.db, "one"), "nothing of what was here");
    expect(await list(emulator)).toMatchObject([{ name: "one", now: null, counts: null }]);
  });
});
