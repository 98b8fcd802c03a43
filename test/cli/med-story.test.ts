import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import { type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";

/** A disputed payment, from the opening of its case to the end of its money, by commands alone. */

let emulator: TestEmulator;
let cli: TestCli;

beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
  writeFileSync(join(cli.folder, "delivery.pdf"), "%PDF-1.4 signed for on 12 November");
});
afterAll(async () => {
  await emulator.close();
  cli.remove();
});

/** Runs a command that must succeed. Returns its answer. */
async function command(...words: string[]): Promise<Loose> {
  const { code, out, err } = await cli.run([...words, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

async function balance(): Promise<{ available: number; retained: number }> {
  const { available, retained } = await command("wallets", "balance");
  return { available, retained };
}

/** A paid charge of R$ 30,00 whose payer contests it, with the balances before. */
async function contested() {
  const before = await balance();
  const charge = await command("charges", "create", "--amount", "3000");
  await command("sandbox", "pay", charge.id);
  const opened = await command("sandbox", "med", "open", "--charge-id", charge.id, "--method", "scam");
  expect(opened).toMatchObject({ status: "open", charge_id: charge.id, amount: 3000 });
  expect(await balance()).toEqual({ available: before.available, retained: before.retained + 3000 });
  expect((await command("charges", "get", charge.id)).status).toBe("disputed");
  return { before, charge: charge.id as string, id: opened.id as string };
}

async function appealed() {
  const story = await contested();
  const evidence = await command("med", "evidence", "add", story.id, "delivery.pdf");
  expect(evidence).toMatchObject({ file_name: "delivery.pdf", mime_type: "application/pdf" });
  expect((await command("med", "evidence", "list", story.id)).data.map(({ id }: Loose) => id)).toEqual([evidence.id]);
  const answered = await command("med", "appeal", story.id, "--reason", "Delivered and signed for");
  expect(answered).toMatchObject({ status: "appealed", evidence_count: 1 });
  return story;
}

describe("a contested charge, by commands", () => {
  it("has seven days to be answered unless another deadline is given, and no deadline with null", async () => {
    const deadlines: unknown[] = [];
    for (const flags of [[], ["--response-deadline", "null"], ["--response-deadline", "2100-01-01T00:00:00Z"]]) {
      const charge = await command("charges", "create", "--amount", "3000");
      await command("sandbox", "pay", charge.id);
      const { id } = await command("sandbox", "med", "open", "--charge-id", charge.id, ...flags);
      deadlines.push((await command("med", "get", id)).response_deadline);
    }
    const { now } = await command("sandbox", "clock", "show");
    const sevenDays = new Date(Date.parse(now) + 7 * 86_400_000).toISOString();
    expect(deadlines).toEqual([sevenDays, null, "2100-01-01T00:00:00.000Z"]);
  });

  it("is paid back to the merchant whose appeal is accepted", async () => {
    const { before, charge, id } = await appealed();
    const decided = await command("sandbox", "med", "decide", id, "--outcome", "refunded_to_merchant");
    expect(decided).toMatchObject({ status: "closed", money_outcome: "refunded_to_merchant" });
    expect(await balance()).toEqual({ available: before.available + 3000, retained: before.retained });
    expect(await command("charges", "get", charge)).toMatchObject({
      status: "paid",
      metadata: { med: { status: "closed", result: "disagreed" } },
    });
  });

  it("is lost for the merchant whose appeal is refused", async () => {
    const { before, charge, id } = await appealed();
    const decided = await command("sandbox", "med", "decide", id, "--outcome", "upheld");
    expect(decided).toMatchObject({ status: "rejected", money_outcome: "lost" });
    expect(await balance()).toEqual(before);
    expect((await command("charges", "get", charge)).status).toBe("disputed");
  });

  it("is paid back to the merchant when the payer withdraws", async () => {
    const { before, id } = await contested();
    const withdrawn = await command("sandbox", "med", "withdraw", id);
    expect(withdrawn).toMatchObject({ status: "closed", money_outcome: "refunded_to_merchant" });
    expect(await balance()).toEqual({ available: before.available + 3000, retained: before.retained });
  });

  it("is lost for the merchant who accepts the case", async () => {
    const { before, id } = await contested();
    expect(await command("med", "accept", id)).toMatchObject({ status: "accepted", money_outcome: "lost" });
    expect(await balance()).toEqual(before);
    const mails = await command("sandbox", "emails", "--case-id", id);
    expect(mails.data.map(({ kind }: Loose) => kind)).toEqual(["MED resolved", "MED opened"]);
  });
});
