import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../../src/base/db/migrations/index.js";
import type { OpenDatabase } from "../../../src/base/db/open.js";
import { type DatabasePlace, newDatabasePlace } from "../../support/database-place.js";
import { fresh } from "../../support/shared.js";

const pragma = ({ db }: OpenDatabase, name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0];

/** Which modes the files and folders of a database have. */

let folder: string;
let file: string;
let open: DatabasePlace["open"];
let refusal: DatabasePlace["refusal"];
let foreign: DatabasePlace["foreign"];
const place = fresh(newDatabasePlace);

beforeEach(() => {
  ({ folder, file, open, refusal, foreign } = place);
});

describe.skipIf(process.platform === "win32")("who may read it", () => {
  let umask: number;
  beforeEach(() => {
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
  });
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const sides = () => readdirSync(dirname(file)).sort();
  const modes = () => sides().map((name) => [name, mode(join(dirname(file), name))]);
  const all = ["qa.db", "qa.db-lock", "qa.db-lock-journal", "qa.db-shm", "qa.db-wal"];

  it("is the owner alone, for every file and folder that is created, whatever the umask is", () => {
    file = join(folder, "deep", "down", "qa.db");
    open(file).db.exec("INSERT INTO settings VALUES ('a', 'b')");
    expect(modes()).toEqual(all.map((name) => [name, "600"]));
    expect([mode(join(folder, "deep")), mode(join(folder, "deep", "down"))]).toEqual(["700", "700"]);
  });

  it("is the owner alone, even if others could before", () => {
    file = join(folder, ".qa-pay", "qa.db");
    const first = open(file);
    first.db.exec("INSERT INTO settings VALUES ('a', 'b')");
    // As a killed server leaves them.
    const left = all.map((name) => [name, readFileBeside(name)] as const);
    first.close();
    for (const [name, bytes] of left) writeFileSync(join(dirname(file), name), bytes);
    for (const [name] of left) chmodSync(join(dirname(file), name), 0o666);
    chmodSync(dirname(file), 0o777);
    const second = open(file);
    expect(second.db.prepare("SELECT value FROM settings").all()).toEqual([{ value: "b" }]);
    expect(modes()).toEqual(all.map((name) => [name, "600"]));
    expect(mode(dirname(file))).toBe("700");
  });

  it("stays as it was for a file of another program", () => {
    foreign("CREATE TABLE recipes (name TEXT)");
    chmodSync(file, 0o644);
    refusal(file);
    expect(mode(file)).toBe("644");
  });

  it("stays as it was for a folder that existed before", () => {
    chmodSync(folder, 0o755);
    open(file);
    expect(mode(folder)).toBe("755");
  });

  it.skipIf(process.geteuid?.() !== 0)(
    "stays as it is where the file belongs to another user, who let us write it",
    () => {
      open(file).close();
      rmSync(`${file}-lock`);
      chmodSync(file, 0o666);
      chmodSync(folder, 0o777);
      process.seteuid?.(65_534);
      try {
        expect(pragma(open(file), "user_version")).toBe(MIGRATIONS.length);
        expect([mode(file), mode(`${file}-lock`)]).toEqual(["666", "600"]);
      } finally {
        place.close();
        process.seteuid?.(0);
      }
    },
  );

  /** Copied by another program: to open and close a locked file here would give up its locks. */
  function readFileBeside(name: string): Buffer {
    return execFileSync("cat", [join(dirname(file), name)], { maxBuffer: 1 << 24 });
  }
});
