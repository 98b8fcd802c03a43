import { execFileSync } from "node:child_process";
import { copyFileSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask, newPlace, run, type Server, serve } from "../support/binary.js";
import { newFolder } from "../support/folder.js";
import { HOSTILE_SCHEMAS } from "../support/hostile-contents.js";
import { tamper, writeSample } from "../support/hostile-database.js";
import { fresh, shared } from "../support/shared.js";
import { openFile } from "../support/sqlite.js";

/** Files of somebody else, and the installed command. */

const KEY = "qa_test_hostile-files";

const samples = shared(newFolder);
let sample: string;
const place = fresh(newPlace);
let server: Server | null = null;

beforeAll(async () => {
  sample = join(samples.path, "export");
  await writeSample(samples.path, sample);
});
afterEach(async () => {
  server?.signal("SIGKILL");
  await server?.ended;
  server = null;
});

describe.skipIf(process.platform === "win32")("a command in a folder whose .env is a pipe", () => {
  it("does not wait for what nobody writes into it", async () => {
    execFileSync("mkfifo", [join(place.folder, ".env")]);
    const { code, err } = await run(place, ["wallets", "list"]);
    expect([code, err]).toEqual([2, expect.stringContaining("it is a named pipe")]);
  });
});

describe("serve", () => {
  it("refuses a view that never ends at once", async () => {
    copyFileSync(sample, place.db);
    tamper(place.db, HOSTILE_SCHEMAS["a view that never ends"] ?? "");
    const { code, out, err } = await run(place, ["serve", "--port", "0", "--db", place.db, "--test-key", KEY]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^Error: Cannot use the database .*--db\.\n$/);
  });

  it("touches nothing behind a link in its folder", async () => {
    const tool = join(place.folder, "bin", "tool");
    mkdirSync(join(place.folder, "bin"));
    writeFileSync(tool, "#!/bin/sh\n", { mode: 0o755 });
    mkdirSync(join(place.folder, ".qa-pay"));
    symlinkSync("../bin", join(place.folder, ".qa-pay", "qa-pay.db.snapshots"));
    const { code, err } = await run(place, ["serve", "--port", "0"]);
    expect([code, lstatSync(tool).mode & 0o777]).toEqual([1, 0o755]);
    expect(err).toMatch(/qa-pay\.db\.snapshots: it is a link/);
  });

  it("lives when a row becomes another one while it runs, and says what failed", async () => {
    server = await serve(place, ["--test-key", KEY, "--forward-to", "http://127.0.0.1:9/webhooks"]);
    const db = openFile(place.db);
    db.exec("UPDATE endpoints SET url = 'not a url'");
    db.close();
    await ask(server, KEY, "POST", "/v1/charges", { amount: 100, payment_method: "pix" });
    await ask(server, KEY, "POST", "/_sandbox/clock/advance", { seconds: 0 });
    const { body } = await ask(server, KEY, "GET", "/v1/webhooks/deliveries");
    expect(body.data[0]).toMatchObject({ lastError: "the request could not be built: Invalid URL" });
    const { code } = await server.stop();
    expect(code).toBe(0);
  });
});
