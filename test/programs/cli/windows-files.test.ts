import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Files as an editor on Windows saves them: with a byte order mark at the beginning, and CR LF at the ends of lines. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

function save(name: string, text: string): void {
  writeFileSync(join(cli.folder, name), `\ufeff${text.replaceAll("\n", "\r\n")}`);
}

it("the JSON of a flag is read", async () => {
  save("data.json", '{\n  "order": 42\n}\n');
  const { code, out } = await cli.run(["charges", "create", "--amount", "100", "--metadata", "@data.json", "--json"]);
  expect([code, JSON.parse(out).metadata]).toEqual([0, { order: 42 }]);
});

it("a fixture is read", async () => {
  save("paid.json", readFileSync("fixtures/charge-paid.json", "utf8"));
  expect(await cli.run(["fixtures", "run", "paid.json"])).toMatchObject({ code: 0, err: "" });
});

it("fees are read", async () => {
  save("fees.json", '{"PIX":{"platform":{"fixed":"none"}}}');
  const { err } = await cli.run(["serve", "--db", ":memory:", "--port", "0", "--fees", "@fees.json"]);
  expect(err).toContain("PIX.platform.fixed must be a whole number");
});

it("an incident is read, from a file and from standard input", async () => {
  const { id } = await emulator.charge();
  const { out } = await cli.run(["incident", "save", id]);
  save("incident.json", out);
  const input = readFileSync(join(cli.folder, "incident.json"), "utf8");
  expect(await cli.run(["incident", "replay", "incident.json"])).toMatchObject({ code: 0 });
  expect(await cli.run(["incident", "replay", "-"], { input })).toMatchObject({ code: 0 });
});

it("a .env names host and key", async () => {
  save(".env", "QA_PAY_BASE_URL=http://127.0.0.1:9\nQA_PAY_API_KEY=qa_test_of-dot-env\n");
  const env = { QA_PAY_BASE_URL: "", QA_PAY_API_KEY: "" };
  const { out } = await cli.run(["wallets", "list", "--dry-run", "--json"], { env });
  expect(JSON.parse(out)).toMatchObject({ url: "http://127.0.0.1:9/v1/wallets", headers: { apikey: "qa_test_o…" } });
});
