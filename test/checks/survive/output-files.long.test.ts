import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { freshReceiver, sharedCli } from "../../support/shared.js";
import { writeSmallShop } from "../../support/small-shop.js";

/** `survive --report` and `--save`: what a run leaves for others. */

const cli = sharedCli();
const receiver = freshReceiver();
/** The words that start the shop. */
let shop: readonly string[];
beforeAll(() => {
  shop = writeSmallShop(cli.folder);
});

const survive = (flags: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  cli.run(["survive", "--buy", "/buy", "--orders", "/orders", "--seed", "kit", ...flags, "--", ...shop], { env });
const read = (name: string) => readFileSync(join(cli.folder, name), "utf8");

it("writes a report, and keeps the charge of the first failure with the webhooks as the shop got them", async () => {
  const flags = ["--faults", "duplicate", "--schedules", "1", "--settle", "20ms"];
  const files = ["--report", "report.html", "--save", "it's.json"];
  const { code, err } = await survive([...flags, ...files], { WRONG: "shipping" });
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("The charge of fulfilled_twice in schedule 1 is in it's.json."),
  ]);
  expect(err).toContain("qa-pay incident test 'it'\\''s.json'` writes a test for it.");

  const html = read("report.html");
  expect(html).toContain("<h1>0 of 1 fault survived</h1>");
  expect(html).toMatch(/cases of <code>qa-pay webhooks test<\/code> were answered/);
  expect(html).toContain("went out 2 times");
  expect(html).toContain("the shop is open … …");
  expect(html).not.toMatch(/qa_test_\w/);

  expect(statSync(join(cli.folder, "it's.json")).mode & 0o077).toBe(0);
  const to = ["--forward-to", receiver.url, "--webhook-secret", "5".repeat(64)];
  const replayed = await cli.run(["incident", "replay", "it's.json", ...to]);
  expect(replayed.err).toContain("restarts of the shop");
  const paid = receiver.received.filter(({ body }: Loose) => body.type === "charge.paid");
  expect(paid.length).toBeGreaterThan(1);
  expect(new Set(paid.map(({ body }: Loose) => body.id)).size).toBe(1);
});

it("saves nothing of a shop that survived", async () => {
  const flags = ["--faults", "duplicate", "--schedules", "1", "--save", "none.json"];
  const { code, err } = await survive(flags);
  expect([code, err]).toEqual([0, expect.stringContaining("Nothing failed, so none.json was not written.")]);
  expect(existsSync(join(cli.folder, "none.json"))).toBe(false);
});

it.each(["--report", "--save"])(
  "refuses a file for %s that cannot be written, before the shop is started",
  async (flag) => {
    const { code, out, err } = await survive([flag, "/dev/null/file"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`Choose another file with ${flag}.`);
    expect(err).not.toContain("schedule");
  },
);
