import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bearer, tokenOf } from "../../support/access.js";
import { setChaos } from "../../support/chaos.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { addFault, createHeldRuntime, faultRules, type HeldRuntime, LATENCY } from "../../support/faults.js";
import { newFolder } from "../../support/folder.js";
import { fresh } from "../../support/shared.js";
import { contentsOf, postRestore, save } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";

/** A change that cannot be written must change nothing, neither in the database nor in the memory of the server. */

const folder = fresh(newFolder);
let runtime: HeldRuntime;
let emulator: TestEmulator;
let reported: string[];
let causes: unknown[];

beforeEach(async () => {
  reported = [];
  causes = [];
  function error(message: string, cause?: unknown): void {
    reported.push(message);
    causes.push(cause);
  }
  const log = { warn: console.warn, error };
  runtime = { ...createHeldRuntime(), log };
  emulator = await startEmulator({ db: folder.db, frozen: true, runtime, rateLimit: 50 });
  // The users of the start are stored after this, so that they do not write during a test.
  await tokenOf(emulator);
});
afterEach(async () => {
  await emulator.close();
});

/** Changes the database file as another program would. */
function beside(sql: string): void {
  const db = openFile(folder.db);
  db.exec(sql);
  db.close();
}

/** Makes the COMMIT of every transaction with this statement fail, by a row that breaks a foreign key. */
function failCommits(of: string, when = "TRUE"): void {
  beside(`
    CREATE TABLE owners (id INTEGER PRIMARY KEY);
    CREATE TABLE lost (id INTEGER REFERENCES owners (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER fail_commit AFTER ${of} WHEN ${when} BEGIN INSERT INTO lost VALUES (1); END;`);
}

const mend = () => beside("DROP TRIGGER fail_commit; DROP TABLE lost; DROP TABLE owners");

const post = (path: string, body?: unknown) =>
  emulator.call("POST", `/_sandbox${path}`, body === undefined ? {} : { body });
const clock = () => emulator.sandbox("/clock");
const status = async (id: string) => (await emulator.call("GET", `/v1/charges/${id}`)).body.status;

/** Sends a request that must fail for the reason that the test prepared. */
async function expectFailure(path: string, body?: unknown): Promise<void> {
  const answer = await post(path, body);
  expect([answer.status, answer.body.error.code]).toEqual([500, "internal_error"]);
  expect(reported.splice(0)).toEqual([expect.stringMatching(/^request req_\S+ failed$/)]);
}

it("a reset that cannot be written changes nothing: money, time, fault rules, chaos, request log, quotas and waiting requests stay", async () => {
  const charge = await emulator.charge();
  await emulator.sandbox(`/charges/${charge.id}/pay`, {});
  await emulator.sandbox("/clock/advance", { seconds: 86_400 });
  await addFault(emulator, { status: 503 }, { match: { path: "/v1/wallets" }, times: 3 });
  await addFault(emulator, { latency_ms: LATENCY }, { match: { path: "/v1/payments" } });
  await emulator.call("GET", "/v1/wallets");
  const chaos = await setChaos(emulator, { duplicate: 0.25 });
  const slow = emulator.call("GET", "/v1/payments");
  await runtime.waitForBegin(1);
  const state = async () => ({
    clock: await clock(),
    rules: await faultRules(emulator),
    chaos: await setChaos(emulator, {}),
    requests: await emulator.sandbox("/requests"),
    events: (await emulator.call("GET", "/_sandbox/events")).body.data.length,
  });
  const before = await state();
  const left = async () =>
    Number((await emulator.call("GET", `/v1/charges/${charge.id}`)).headers.get("x-ratelimit-remaining-minute"));
  const quota = await left();

  // A reset writes the clock last, when every table is empty, also the one that this trigger looks at.
  failCommits("INSERT ON settings");
  await expectFailure("/reset");
  mend();

  expect(await left()).toBe(quota - 1);
  const { requests, ...rest } = await state();
  const { requests: requestsBefore, ...restBefore } = before;
  expect(rest).toEqual(restBefore);
  expect(rest.chaos).toEqual(chaos);
  expect(requests.data.slice(2)).toEqual(requestsBefore.data);
  expect(await status(charge.id)).toBe("paid");
  expect(runtime.countHeld()).toBe(1);
  runtime.pass();
  expect((await slow).status).toBe(200);

  expect((await post("/reset")).status).toBe(204);
  expect([await faultRules(emulator), (await emulator.sandbox("/requests")).data]).toEqual([[], []]);
  expect((await clock()).now < before.clock.now).toBe(true);
});

describe("a change of time that cannot be written", () => {
  it.each(["/clock/freeze", "/clock/resume"])("by %s leaves the clock as it was", async (path) => {
    if (path === "/clock/freeze") await emulator.sandbox("/clock/resume");
    const before = await clock();
    failCommits("INSERT ON settings");
    await expectFailure(path);
    const after = await clock();
    expect(after.frozen).toBe(path === "/clock/freeze" ? false : before.frozen);
    if (after.frozen) expect(after.now).toBe(before.now);
    mend();
    expect((await post(path)).body.frozen).toBe(path === "/clock/freeze");
  });

  it("by an advance leaves the clock where it was, and nothing that was due later has happened", async () => {
    const charge = await emulator.charge({ expires_in: 3_600 });
    const before = await clock();
    failCommits("INSERT ON settings");
    await expectFailure("/clock/advance", { seconds: 7_200 });
    expect([await clock(), await status(charge.id)]).toEqual([before, "pending"]);
    mend();
    await emulator.sandbox("/clock/advance", { seconds: 7_200 });
    expect(await status(charge.id)).toBe("expired");
  });

  it("by an advance of a running clock lets the clock run on from its old time", async () => {
    await emulator.sandbox("/clock/resume");
    const before = await clock();
    failCommits("INSERT ON settings");
    await expectFailure("/clock/advance", { seconds: 7_200 });
    const after = await clock();
    expect(after.frozen).toBe(false);
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeLessThan(60_000);
    mend();
  });

  it("in the middle leaves the clock at the last step that was written, also after a restart", async () => {
    const charge = await emulator.charge({ expires_in: 3_600 });
    const expiry = Date.parse(charge.created_at) + 3_600_000;
    failCommits("INSERT ON settings", `new.name = 'clock' AND json_extract(new.value, '$.frozenAt') > ${expiry}`);
    await expectFailure("/clock/advance", { seconds: 7_200 });
    const stood = { now: new Date(expiry).toISOString(), frozen: true, speed: 1 };
    expect([await clock(), await status(charge.id)]).toEqual([stood, "expired"]);
    mend();
    await emulator.close();
    emulator = await startEmulator({ db: folder.db, runtime, testKey: emulator.key });
    expect(await clock()).toEqual(stood);
  });
});

it("a restore that cannot be written changes neither the time nor charges nor the tokens of users", async () => {
  await save(emulator, "early");
  await emulator.sandbox("/clock/advance", { seconds: 86_400 });
  const charge = await emulator.charge();
  const token = await tokenOf(emulator);
  const before = [await clock(), contentsOf(folder.db).rows.transactions];
  // On a full disk SQLite itself rolls back the whole transaction, as it does here.
  const fail = "SELECT RAISE(ROLLBACK, 'database or disk is full')";
  beside(`CREATE TRIGGER fail AFTER INSERT ON settings WHEN new.name = 'clock' BEGIN ${fail}; END`);
  const { status: refused, body } = await postRestore(emulator, "early");
  expect([refused, body.error.message]).toEqual([500, "There is no room left on the disk. Nothing was changed."]);
  beside("DROP TRIGGER fail");
  expect([await clock(), contentsOf(folder.db).rows.transactions]).toEqual(before);
  expect(await status(charge.id)).toBe("pending");
  expect((await emulator.call("GET", "/v1/api-keys", bearer(token))).status).toBe(200);
  expect((await postRestore(emulator, "early")).status).toBe(200);
  expect((await emulator.call("GET", `/v1/charges/${charge.id}`)).status).toBe(404);
});

it("an account does not exist when its users cannot be written, and can be created once they can", async () => {
  const stored = () => {
    const { accounts, books, api_keys: keys, users } = contentsOf(folder.db).rows;
    return [accounts, books, keys, users].map((rows) => rows?.length);
  };
  const before = stored();
  failCommits("INSERT ON users");
  await expectFailure("/accounts", { name: "Outra Loja" });
  expect(stored()).toEqual(before);
  mend();
  const { status: made, body } = await post("/accounts", { name: "Outra Loja" });
  expect(made).toBe(201);
  expect((await emulator.call("GET", "/v1/wallets", { key: body.test_key })).status).toBe(200);
});

it("writes that are committed together and fail because of a change of time do not see that change when they are repeated", async () => {
  const before = await clock();
  failCommits("INSERT ON settings");
  const charges = Array.from({ length: 5 }, () => emulator.charge().catch(() => null));
  const [moved] = await Promise.all([post("/clock/advance", { seconds: 3_600 }), ...charges]);
  expect(moved.status).toBe(500);
  mend();
  const { created_at: at } = await emulator.charge();
  expect([at, await clock()]).toEqual([before.now, before]);
  const known: Loose[] = (await emulator.call("GET", "/v1/payments")).body.data;
  expect(new Set(known.map(({ createdAt }) => createdAt))).toEqual(new Set([before.now]));
});

describe("a database whose file is no longer at its path", () => {
  const given = { headers: { "idempotency-key": "gone-0001" }, body: { amount: 1990, payment_method: "pix" } };

  it.each([
    ["its file was moved", () => renameSync(folder.db, `${folder.db}.moved`)],
    ["its folder was", () => renameSync(folder.path, `${folder.path}.moved`)],
    [
      "another file took its place",
      () => [renameSync(folder.db, `${folder.db}.moved`), copyFileSync(`${folder.db}.moved`, folder.db)],
    ],
  ])("refuses changes and says why once %s, and takes changes again when the file is back", async (_what, happen) => {
    const charge = await emulator.charge();
    happen();
    const refused = await emulator.call("POST", "/v1/charges", given);
    expect([refused.status, refused.body.error.code]).toEqual([500, "internal_error"]);
    expect(reported).toEqual([expect.stringMatching(/^request req_\S+ failed$/)]);
    expect(causes).toMatchObject([
      { message: expect.stringMatching(/was removed, moved or replaced .* put the file back/) },
    ]);
    // Reading still works.
    expect(await status(charge.id)).toBe("pending");

    if (existsSync(`${folder.path}.moved`)) renameSync(`${folder.path}.moved`, folder.path);
    else renameSync(`${folder.db}.moved`, folder.db);
    expect((await emulator.call("POST", "/v1/charges", given)).status).toBe(201);
    expect(contentsOf(folder.db).rows.transactions).toHaveLength(2);
  });

  it("does not stop the server from ending, and is logged then", async () => {
    rmSync(folder.path, { recursive: true });
    await emulator.close();
    expect(reported).toEqual(["nothing could be written at the end"]);
  });
});
