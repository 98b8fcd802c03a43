import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freshCli } from "../../support/shared.js";

/** The bounds of `exec --artifacts` (docs/LIMITS.md). The rest: exec-artifacts.test.ts. */

const cli = freshCli();

const SCRIPT = `
const create = async (index) => {
  const headers = { apikey: process.env.QA_PAY_API_KEY, "content-type": "application/json", "idempotency-key": String(index) };
  const body = JSON.stringify({ amount: index, payment_method: "pix", metadata: { note: "x".repeat(24_000) } });
  const answer = await fetch(process.env.QA_PAY_BASE_URL + "/v1/charges", { method: "POST", headers, body });
  if (answer.status !== 201) throw new Error(await answer.text());
};
(async () => { for (let index = 1; index <= 1_001; index += 1) await create(index); })();
`;

it("the newest rows of a list and the timelines of the newest charges are written, and the command says so", async () => {
  writeFileSync(join(cli.folder, "script.cjs"), SCRIPT);
  const { code, err } = await cli.run(["exec", "--artifacts", "out", "--", process.execPath, "script.cjs"]);
  expect([code, err]).toEqual([
    0,
    "! events.jsonl has the newest 32 MB.\n! Of the test book, the newest 1000 charges have a timeline.\n",
  ]);
  const timelines = join(cli.folder, "out/timelines");
  expect(readdirSync(timelines)).toHaveLength(1_000);
  const first = readdirSync(timelines).sort()[0] ?? "";
  expect(readFileSync(join(timelines, first), "utf8")).toContain("created: R$ 0,02");
  const events = join(cli.folder, "out/events.jsonl");
  expect(statSync(events).size).toBeLessThanOrEqual(32 * 1_048_576);
  expect(readFileSync(events, "utf8").trimEnd().split("\n").at(-1)).toContain('"amount":1001');
});
