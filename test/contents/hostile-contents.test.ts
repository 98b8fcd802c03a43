import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectDatabase } from "../../src/db/inspect.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { newFolder } from "../support/folder.js";
import { HOSTILE_ROWS, HOSTILE_SCHEMAS } from "../support/hostile-contents.js";
import { tamper, writeSample } from "../support/hostile-database.js";
import { shared } from "../support/shared.js";
import { postRestore, putFile, snapshotFile } from "../support/snapshots.js";

/** Files that somebody else has made: each is refused at an import, at a restore and at a start, and the server goes on. */

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

describe.each([
  ["rows", HOSTILE_ROWS],
  ["a schema", HOSTILE_SCHEMAS],
])("a file with %s that the product does not write", (_what, cases) => {
  it.each(Object.entries(cases))("is refused: %s", async (_case, sql) => {
    const file = hostile(sql);
    const bytes = readFileSync(file) as Buffer<ArrayBuffer>;
    const imported = await putFile(server, "bad", bytes);
    expect([imported.status, imported.body.error?.code]).toEqual([422, "unprocessable_entity"]);
    // Put there by hand, or by a clone.
    writeFileSync(snapshotFile(folder.db, "by-hand"), bytes);
    const restored = await postRestore(server, "by-hand");
    expect([restored.status, restored.body.error?.code]).toEqual([422, "unprocessable_entity"]);
    expect(await startOn(file)).toMatch(/^Cannot use the database /);
    expect(await isAlive()).toBe(true);
    expect((await server.call("GET", "/_sandbox/snapshots")).status).toBe(200);
  });
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
