import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newPlace, type Place, run, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";

/** The built `conform` against the built `serve`: fresh, and then used. */

let place: Place;
let server: Server;
beforeAll(async () => {
  place = newPlace();
  server = await serve(place, ["--retry-base", "100ms"]);
});
afterAll(async () => {
  await server.stop();
  place.remove();
});

it.each(["fresh", "used"])("a %s server is what the specification says", async () => {
  const { url, test_key: key, live_key: live } = server.ready;
  const host = ["--base-url", url, "--api-key", key];
  const words = ["conform", "--write", "--json", "--junit", "conform.xml", "--other-key", live];
  const { code, out, err } = await run(place, [...words, ...host]);
  const { checks } = JSON.parse(out) as Loose;
  expect(checks.filter(({ status }: Loose) => status === "failed")).toEqual([]);
  expect(checks.filter(({ status }: Loose) => status === "skipped").map(({ name }: Loose) => name)).toEqual([
    "rate-limit",
  ]);
  expect([code, err]).toEqual([0, ""]);
  expect(readFileSync(join(place.folder, "conform.xml"), "utf8")).toContain('failures="0"');
});
