import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sharedCli } from "../support/shared.js";
import { samplesOf } from "./samples.js";

/** The README and the page about `serve` describe commands rightly. Their samples are run by test/binary/guides.test.ts. */

const cli = sharedCli();
const page = readFileSync("docs/guides/server.md", "utf8");
const SHARED = ["help", "no-color", "quiet", "verbose", "yes", "profile", "base-url", "api-key"];

test("every flag of `serve` in its table exists, and every flag that exists is in its table", async () => {
  const help = (await cli.run(["serve", "--help"])).out;
  const flags = (text: string) => new Set([...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag));
  const section = page.slice(page.indexOf("## Flags"), page.indexOf("## Durations"));
  const known = flags(help.slice(0, help.indexOf("Examples:")));
  for (const shared of SHARED) known.delete(`--${shared}`);
  expect([...flags(section)].sort()).toEqual([...known].sort());
});

test("the README's first commands are scripts of the package", () => {
  const [first] = samplesOf(readFileSync("README.md", "utf8"));
  const { scripts, bin } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(first?.text).toMatch(/^npm ci && npm start .*\nnpx qa-pay serve .*\nnpm ci && npm test .* npm run test:all /);
  expect(scripts.start).toBe("node bin/qa-pay.js serve");
  expect([scripts.test, scripts["test:all"]]).toEqual(["vitest run --project unit --project smoke", "vitest run"]);
  expect(scripts.prestart).toMatch(/&& tsup\b/);
  expect(Object.keys(bin)).toEqual(["qa-pay"]);
});
