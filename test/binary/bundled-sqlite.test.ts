import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, newPlace, run, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { fresh } from "../support/shared.js";

/** The SQLite that comes with the package, as the built command uses it where there is no other. */

const DRIVER = "@photostructure/sqlite";
const KEY = "qa_test_bundled-driver";

const place = fresh(newPlace);
let cache: string;
const running: Server[] = [];

beforeEach(() => {
  cache = join(place.folder, "cache", "qa-pay");
  Object.assign(place.env, { QA_PAY_SQLITE_DRIVER: DRIVER, XDG_CACHE_HOME: join(place.folder, "cache") });
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.signal("SIGKILL");
    await server.ended;
  }
});

async function start(): Promise<Server> {
  const server = await serve(place, ["--test-key", KEY]);
  running.push(server);
  return server;
}

const charge = (server: Server, amount: number) =>
  ask(server, KEY, "POST", "/v1/charges", { amount, payment_method: "pix" });

describe("a server with the bundled SQLite", () => {
  it("keeps what it has answered when it is killed, and lets nobody else use its file", async () => {
    const first = await start();
    const { body: settings }: Loose = await ask(first, KEY, "GET", "/_sandbox/settings");
    expect(settings.database.driver).toBe(DRIVER);
    const { body: kept } = await charge(first, 1_234);
    const second = await run(place, ["serve", "--port", "0", "--db", place.db]);
    expect([second.code, second.err]).toEqual([1, expect.stringContaining("another qa-pay server is using it")]);
    first.signal("SIGKILL");
    await first.ended;
    const third = await start();
    const { body: found } = await ask(third, KEY, "GET", `/v1/charges/${kept.id}`);
    expect(found.amount).toBe(1_234);
    expect((await third.stop()).code).toBe(0);
    // A connection that was closed properly leaves none of its side files.
    const beside = readdirSync(place.folder).filter((name) => name.startsWith("qa-pay.db"));
    expect(beside.sort()).toEqual(["qa-pay.db", "qa-pay.db-lock"]);
  });
});

it("the package has a binary for each platform, and a start writes none into the folders of the user", async () => {
  expect((await run(place, ["doctor"])).out).toContain(`✓ sqlite    ${DRIVER}\n`);
  expect(existsSync(cache)).toBe(false);
  const names = readdirSync("dist/sqlite", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".node"),
  );
  const named = (platform: string, library = "glibc") => join(platform, `@photostructure+sqlite.${library}.node`);
  const one = ["darwin-arm64", "darwin-x64", "win32-arm64", "win32-x64"].map((platform) => named(platform));
  const two = ["linux-arm64", "linux-x64"].flatMap((platform) => [named(platform), named(platform, "musl")]);
  expect(names.sort()).toEqual([...one, ...two].sort());
});
