import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { newPlace } from "../support/binary.js";
import { breachesOf } from "../support/invariants.js";
import { shared } from "../support/shared.js";
import { columnOf, openFile } from "../support/sqlite.js";

const SEED = new URL("../../bench/seed.mjs", import.meta.url).pathname;

const place = shared(newPlace);

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [SEED, "--db", place.db, "--count", "800"], { env: place.env });
});

describe("a database that bench/seed.mjs makes", () => {
  it("keeps every rule of a database that the service wrote", () => {
    const db = openFile(place.db, true);
    expect(breachesOf(db)).toEqual([]);
    db.close();
  });

  it("has payments of every fate", () => {
    const db = openFile(place.db, true);
    const moves = columnOf(db, "SELECT DISTINCT noun || ' ' || move FROM history ORDER BY 1");
    expect(moves).toEqual([
      "refund complete",
      "refund create",
      "refund start",
      ...["approve", "cancel", "create", "expire", "fail", "hold", "refund", "return", "settle"].map(
        (name) => `transaction ${name}`,
      ),
    ]);
    db.close();
  });
});
