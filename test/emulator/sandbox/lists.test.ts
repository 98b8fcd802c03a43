import { beforeEach, describe, expect, it } from "vitest";
import { issue, tokenOf } from "../../support/access.js";
import { DOCUMENTS } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { advanceRefund, paidPayment, refund, refundsOf } from "../../support/refunds.js";
import { sharedEmulator } from "../../support/shared.js";

/** The lists of refunds, payouts and accounts. The service itself has no such lists. */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const get = (path: string, key = emulator.key) => emulator.call("GET", `/_sandbox${path}`, { key });
const data = async (path: string, key = emulator.key): Promise<Loose[]> => (await get(path, key)).body.data;
const ids = async (path: string) => (await data(path)).map(({ id }) => id);

describe("the list of refunds", () => {
  it("has the refunds of all payments, newest first, as their payments show them", async () => {
    const one = (await paidPayment(emulator, { amount: 1_000 })).id;
    const other = (await paidPayment(emulator, { amount: 1_000 })).id;
    const made: string[] = [];
    for (const id of [one, other, one, other, one]) made.unshift((await refund(emulator, id, { amount: 10 })).id);
    expect(await ids("/refunds")).toEqual(made);
    expect(await data(`/refunds?charge=ch_${one}`)).toEqual(
      (await refundsOf(emulator, one)).map((own: Loose) => ({ ...own, customerName: null })),
    );
    expect(await ids(`/refunds?charge=tx_${other}&limit=1`)).toEqual([made[1]]);
    expect(await ids(`/refunds?charge=${other}`)).toEqual([made[1], made[3]]);
  });

  it("filters by status", async () => {
    const { id } = await paidPayment(emulator, { amount: 1_000 });
    const failed = (await refund(emulator, id, { amount: 10 })).id;
    const pending = (await refund(emulator, id, { amount: 10 })).id;
    await advanceRefund(emulator, failed, "FAILED");
    expect(await ids("/refunds?status=FAILED")).toEqual([failed]);
    expect(await ids("/refunds?status=PENDING")).toEqual([pending]);
    expect(await ids("/refunds?status=REFUNDED")).toEqual([]);
  });

  it("has money that went back without a request", async () => {
    const { id } = await emulator.charge({ expected_payer_tax_id: DOCUMENTS.cpf, customer: { name: "Maria" } });
    await emulator.sandbox(`/charges/${id}/pay`, { payer_document: DOCUMENTS.otherCpf });
    expect(await data("/refunds")).toMatchObject([{ status: "REFUNDED", reason: "payer_document_mismatch" }]);
  });
});

it("the list of payouts has every payout, newest first, in pages and by status", async () => {
  const made: Loose[] = [];
  for (const amount of [1, 2, 3, 4, 5]) made.unshift(await emulator.sandbox("/payouts", { amount }));
  expect(await data("/payouts")).toEqual(made);
  await emulator.sandbox(`/payouts/${made[1].id}/pay`, {});
  expect(await ids("/payouts?status=paid")).toEqual([made[1].id]);
  expect(await ids("/payouts?status=pending&limit=1")).toEqual([made[0].id]);
});

describe("the list of accounts", () => {
  it("has every account, newest first, with how many keys work", async () => {
    await issue(emulator, await tokenOf(emulator));
    const names = ["Second", "Third", "Fourth"];
    for (const name of names) await emulator.sandbox("/accounts", { name });
    const all = await data("/accounts");
    expect(all.slice(0, 3).map(({ name }) => name)).toEqual(names.toReversed());
    expect(all[0].modes).toEqual([
      { mode: "test", keys: 1 },
      { mode: "live", keys: 1 },
    ]);
    expect(all[3].modes[0].keys + all[3].modes[1].keys).toBeGreaterThanOrEqual(3);
  });

  it("shows no key, secret or password", async () => {
    const opened = await emulator.sandbox("/accounts", { name: "Second" });
    const text = JSON.stringify((await get("/accounts")).body);
    const secrets = [opened.test_key, opened.live_key, opened.signing_secret, opened.users[0].password, emulator.key];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(Object.keys((await data("/accounts"))[0])).toEqual(["id", "name", "modes", "created_at"]);
  });
});
