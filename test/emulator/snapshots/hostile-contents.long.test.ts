import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectDatabase } from "../../../src/base/db/inspect.js";
import { faultOf } from "../../../src/emulator/snapshots/check.js";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { HOSTILE_ROWS, HOSTILE_SCHEMAS } from "../../support/hostile-contents.js";
import { tamper, writeSample } from "../../support/hostile-database.js";
import { shared } from "../../support/shared.js";
import { postRestore, putFile, snapshotFile } from "../../support/snapshots.js";
import { openFile } from "../../support/sqlite.js";

/** Files that somebody else has made: their schema is refused at an import, a restore and a start, their values at an import and a restore. */

const folder = shared(newFolder);
let sample: string;
let server: TestEmulator;
let number = 0;

beforeAll(async () => {
  sample = join(folder.path, "export");
  await writeSample(folder.path, sample);
  server = await startEmulator({ db: folder.db });
  mkdirSync(`${folder.db}.snapshots`);
});

afterAll(async () => {
  await server.close();
});

/** A copy of the sample that is changed. Returns its path. */
function hostile(sql: string): string {
  number += 1;
  const file = join(folder.path, `hostile-${number}.db`);
  copyFileSync(sample, file);
  tamper(file, sql);
  return file;
}

async function isAlive(): Promise<boolean> {
  return (await server.call("GET", "/v1/payments")).status === 200;
}

async function startOn(db: string): Promise<string> {
  try {
    const started = await startEmulator({ db, log: { warn: () => undefined, error: () => undefined } });
    await started.close();
    return "it started";
  } catch (error) {
    return (error as Error).name === "DatabaseError" ? (error as Error).message : `thrown: ${error}`;
  }
}

it("takes the sample itself at an import, a restore and a start", async () => {
  expect((await putFile(server, "good", readFileSync(sample) as Buffer<ArrayBuffer>)).status).toBe(201);
  expect((await postRestore(server, "good")).status).toBe(200);
  expect(await startOn(hostile("SELECT 1"))).toBe("it started");
});

/** The ways in which such a file comes to a server. Each throws away what it was given. */
const DOORS = {
  async import(file: string) {
    const { status, body } = await putFile(server, "bad", readFileSync(file) as Buffer<ArrayBuffer>);
    expect([status, body.error?.code]).toEqual([422, "unprocessable_entity"]);
  },
  async restore(file: string) {
    // Put there by hand, or by a clone.
    copyFileSync(file, snapshotFile(folder.db, "by-hand"));
    const { status, body } = await postRestore(server, "by-hand");
    expect([status, body.error?.code]).toEqual([422, "unprocessable_entity"]);
    expect((await server.call("GET", "/_sandbox/snapshots")).status).toBe(200);
  },
  async start(file: string) {
    expect(await startOn(file)).toMatch(/^Cannot use the database /);
  },
};

describe("a file with a schema that the product does not write", () => {
  it.each(Object.entries(HOSTILE_SCHEMAS))("is refused: %s", async (_case, sql) => {
    const file = hostile(sql);
    for (const enter of Object.values(DOORS)) await enter(file);
    expect(await isAlive()).toBe(true);
  });
});

// One check of rows stands behind both doors.
describe("a file with rows that the product does not write", () => {
  const cases = Object.entries(HOSTILE_ROWS);

  it.each(cases)("is not sound: %s", (_what, sql) => {
    const db = openFile(hostile(sql), true);
    expect(faultOf(db)).not.toBeNull();
    db.close();
  });

  it.each(cases.filter((_case, index) => index % 15 === 0))("is refused at both doors: %s", async (_what, sql) => {
    const file = hostile(sql);
    await DOORS.import(file);
    await DOORS.restore(file);
    expect(await isAlive()).toBe(true);
  });

  it("is used by a start, where nothing but what needs the row fails", async () => {
    const db = hostile("UPDATE events SET data = '{'");
    const started = await startEmulator({
      db,
      testKey: "qa_test_of-hostile-rows",
      log: { warn: () => undefined, error: () => undefined },
    });
    const status = async (path: string) => (await started.call("GET", path)).status;
    expect([await status("/_sandbox/events"), await status("/v1/payments")]).toEqual([500, 200]);
    await started.charge();
    await started.close();
  });

  it.each(["a clock that is no JSON", "a clock in the year 300000"])(
    "is refused by a start, which needs it: %s",
    async (name) => {
      expect(await startOn(hostile(HOSTILE_ROWS[name] ?? ""))).toBe(
        "Cannot use the database: its clock shows no time that can be read. Move it away, or choose another with --db.",
      );
    },
  );
});

it.each(Object.entries(HOSTILE_SCHEMAS))(
  "the inspection of a file with a schema of somebody else comes to an end: %s",
  (_case, sql) => {
    const file = hostile(sql);
    const found = () => inspectDatabase(file).damage ?? "nothing";
    const told = (() => {
      try {
        return found();
      } catch (error) {
        return String(error);
      }
    })();
    expect(told).toMatch(/^it (holds|has no) |^DatabaseError: Cannot use the database/);
  },
);
