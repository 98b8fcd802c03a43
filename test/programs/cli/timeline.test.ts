import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Runtime } from "../../../src/base/kernel/runtime.js";
import { setChaos } from "../../support/chaos.js";
import { DOCUMENTS } from "../../support/charges.js";
import { type TestCli, testCli } from "../../support/cli.js";
import { freshKey, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { addFault, outcome } from "../../support/faults.js";
import { act, openCase } from "../../support/med.js";
import { advanceRefund, refund } from "../../support/refunds.js";
import { begin } from "../../support/running.js";
import { seededRuntime } from "../../support/seed.js";
import { freshReceiver } from "../../support/shared.js";
import { restore, save } from "../../support/snapshots.js";
import { advance } from "../../support/webhooks.js";

/** `sandbox timeline` draws the whole story of an object. The expected drawings are the files in `timelines/`. */

const START = Date.UTC(2026, 10, 21, 12, 0, 0);
const WIDTH = 80;

let emulator: TestEmulator;
const receiver = freshReceiver();
let cli: TestCli;

/** A runtime whose clock begins at the same instant in every run, and in which nothing takes time. */
function datedRuntime(): Runtime {
  const runtime = seededRuntime({ warn: console.warn, error: console.error });
  return { ...runtime, real: { ...runtime.real, epoch: () => START, readShownTime: () => START, monotonic: () => 0 } };
}

beforeEach(async () => {
  const settings = { fees: { PIX: { provider: { fixed: 10, bps: 0 }, platform: { fixed: 0, bps: 100 } } } };
  emulator = await startEmulator({
    frozen: true,
    runtime: datedRuntime(),
    ...settings,
    forwardTo: receiver.url,
  });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
});
afterEach(async () => {
  cli.remove();
  await emulator.close();
});

const pay = (id: string, body: object = {}) => emulator.sandbox(`/charges/${id}/pay`, body);

/** Replaces the values that differ between runs: ids become numbers in the order of their first use; ports, too. */
function withoutChance(text: string): string {
  const ids = new Map<string, string>();
  const name = (id: string) => {
    if (!ids.has(id)) ids.set(id, `00000000-0000-7000-8000-${String(ids.size + 1).padStart(12, "0")}`);
    return ids.get(id) ?? "";
  };
  return text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, name).replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:99999");
}

/** Resolves when everything that is due has been sent. */
const sent = () => advance(emulator, 0);

async function drawn(id: string): Promise<string> {
  const terminal = { answers: [], columns: WIDTH };
  const { code, out, err } = await cli.run(["sandbox", "timeline", id, "--utc", "--no-color"], terminal);
  expect([code, err]).toEqual([0, ""]);
  return withoutChance(out);
}

const STORIES: Readonly<Record<string, () => Promise<string>>> = {
  async "paid-at-the-third-attempt"() {
    receiver.respond = ({ type, headers }) => {
      const isEarly = type === "charge.paid" && receiver.received.filter((one) => one.type === type).length < 3;
      return isEarly ? { status: 500, body: `order of ${headers["user-agent"]} not found` } : { status: 204 };
    };
    const { id } = await emulator.charge();
    await advance(emulator, 300);
    await pay(id, { payer_name: "Maria Silva" });
    await advance(emulator, 60);
    return id;
  },
  async "wrong-payer"() {
    const { id } = await emulator.charge({ expected_payer_tax_id: DOCUMENTS.cpf, customer: { name: "Maria" } });
    await pay(id, { payer_document: DOCUMENTS.otherCpf, payer_name: "João" });
    return id;
  },
  async review() {
    const { id } = await emulator.charge({ expected_payer_tax_id: DOCUMENTS.cpf, customer: { name: "Maria" } });
    await pay(id, { payer_document: null });
    await advance(emulator, 600);
    await emulator.sandbox(`/charges/${id}/review`, { decision: "approve" });
    return id;
  },
  async "partial-refunds"() {
    const { id } = await emulator.charge();
    await pay(id);
    await refund(emulator, id.slice(3), { amount: 500, reason: "one item is sold out" });
    await advance(emulator, 60);
    const { id: failed } = await refund(emulator, id.slice(3), { amount: 200 });
    await advanceRefund(emulator, failed, "FAILED");
    await refund(emulator, id.slice(3), { amount: 700 });
    return id;
  },
  async "med-won"() {
    const { id } = await emulator.charge();
    await pay(id);
    const { id: caseId } = await openCase(emulator, { charge_id: id, reason: "never received" });
    await advance(emulator, 86_400);
    await act(emulator, caseId, "appeal");
    await act(emulator, caseId, "decide refunded_to_merchant");
    return id;
  },
  async "med-lost"() {
    const { id } = await emulator.charge({ metadata: { _sandbox: { med_after: 3_600 } } });
    await pay(id);
    await advance(emulator, 7_200);
    const { body } = await emulator.call("GET", "/v1/med/cases");
    await act(emulator, body.data[0].id, "accept");
    return body.data[0].id;
  },
  async expiry() {
    const { id } = await emulator.charge({ expires_in: 60 });
    await advance(emulator, 120);
    return id;
  },
  async "lost-answer-with-a-replay"() {
    await addFault(emulator, { drop: "after" }, { times: 1, match: { method: "POST", path: "/v1/charges" } });
    const given = { body: { amount: 1990, payment_method: "pix" }, headers: { "idempotency-key": freshKey() } };
    expect(await outcome(emulator.call("POST", "/v1/charges", given))).toBe("cut");
    const { body } = await emulator.call("POST", "/v1/charges", given);
    const other = await emulator.call("POST", "/v1/charges", { ...given, body: { ...given.body, amount: 2990 } });
    expect(other.status).toBe(409);
    const refused = await emulator.call("POST", `/v1/payments/${body.id.slice(3)}/refund`, {
      body: { idempotencyKey: freshKey() },
    });
    expect(refused.status).toBe(400);
    return body.id;
  },
  async chaos() {
    await setChaos(emulator, { corrupt_signature: 1 });
    const { id } = await emulator.charge();
    await sent();
    await setChaos(emulator, { corrupt_signature: 0, duplicate: 1 });
    await pay(id);
    return id;
  },
  async "payout-failed"() {
    const { id } = await emulator.sandbox("/payouts", { amount: 700 });
    await advance(emulator, 5);
    await emulator.call("POST", `/_sandbox/payouts/${id}/fail`, { body: { reason: "account closed" } });
    return id;
  },
  async "snapshot-restored"() {
    const { id } = await emulator.charge();
    await save(emulator, "before");
    await advance(emulator, 60);
    await pay(id);
    await restore(emulator, "before");
    const answered = await cli.run(["sandbox", "pay", id, "--payer-name", "Maria Silva"]);
    expect(answered.code).toBe(0);
    return id;
  },
};

it.each(Object.entries(STORIES))("the drawing of a story %s", async (name, tell) => {
  const id = await tell();
  await sent();
  const text = await drawn(id);
  await expect(text).toMatchFileSnapshot(`timelines/${name}.txt`);
  // A word that is longer than its line, such as an address, is never cut.
  const tooLong = text.split("\n").filter((line) => line.length > WIDTH && !/\S{50}/.test(line));
  expect(tooLong).toEqual([]);
});

describe("sandbox timeline", () => {
  it("takes every form of an id, and shows the history of the object that it names", async () => {
    const { id } = await emulator.charge();
    await pay(id);
    const { id: refundId } = await refund(emulator, id.slice(3), { amount: 100 });
    const kindsOf = async (subject: string) => {
      const { status, body } = await emulator.call("GET", `/_sandbox/timeline/${subject}`);
      expect(status).toBe(200);
      return [...new Set(body.items.map(({ kind }: { kind: string }) => kind))];
    };
    expect(await kindsOf(id.replace("ch_", "tx_"))).toEqual(await kindsOf(id.slice(3)));
    expect(await kindsOf(refundId)).toEqual(["request", "refund", "journal"]);
  });

  it.each(["ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa", "rf_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa", "rf_0190", "nothing"])(
    "does not know %s",
    async (id) => {
      const { status, body } = await emulator.call("GET", `/_sandbox/timeline/${id}`);
      expect([status, body.error.code]).toEqual([404, "not_found"]);
      // It takes ids of all these objects, so it must not say that an id is of the wrong kind.
      const known = "charge, payment, refund, payout or MED case";
      expect(body.error.message).toBe(`No such ${known} in this account and mode.`);
    },
  );

  it("does not show the history of an object of another book", async () => {
    const { id } = await emulator.charge();
    expect((await emulator.call("GET", `/_sandbox/timeline/${id}`, { key: emulator.live })).status).toBe(404);
  });

  it("goes on with --follow, one item a line with --json, until Ctrl-C", async () => {
    const { id } = await emulator.charge();
    await sent();
    const pauses: (() => void)[] = [];
    const pause = () => new Promise<void>((resolve) => void pauses.push(resolve));
    const screen: string[] = [];
    const running = await begin(cli, ["sandbox", "timeline", id, "--follow", "--json"], { pause, screen });
    await expect.poll(() => pauses.length).toBe(1);
    const before = screen.length;
    await pay(id);
    pauses[0]?.();
    await expect.poll(() => pauses.length).toBe(2);
    const fresh = screen.slice(before).map((line) => JSON.parse(line).kind);
    expect(fresh.slice(0, 3)).toEqual(["request", "transition", "journal"]);
    const end = running.stop();
    pauses[1]?.();
    expect((await end).code).toBe(0);
  });
});
