import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newPlace, type Place, run, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";

/** The built `conform` against the built `serve`. */

let place: Place;
beforeAll(() => {
  place = newPlace();
});
afterAll(() => place.remove());

it("a server is what the specification says, fresh and then used", async () => {
  const server = await serve(place, ["--retry-base", "100ms"]);
  const { url, test_key: key, live_key: live } = server.ready;
  const words = ["conform", "--write", "--json", "--junit", "conform.xml", "--other-key", live];
  for (const state of ["fresh", "used"]) {
    const { code, out, err } = await run(place, [...words, "--base-url", url, "--api-key", key]);
    const checks: readonly Loose[] = JSON.parse(out).checks;
    const others = checks.filter(({ status }) => status !== "passed").map(({ name, status }) => [name, status]);
    expect([state, others, code, err]).toEqual([state, [["rate-limit", "skipped"]], 0, ""]);
    expect(readFileSync(join(place.folder, "conform.xml"), "utf8")).toContain('failures="0"');
  }
  await server.stop();
});
