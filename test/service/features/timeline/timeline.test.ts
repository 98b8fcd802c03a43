import { describe, expect, it } from "vitest";
import { setChaos } from "../../../support/chaos.js";
import type { Loose } from "../../../support/emulator.js";
import { openCase } from "../../../support/med.js";
import { payment } from "../../../support/payments.js";
import { paidPayment, refund } from "../../../support/refunds.js";
import { ownEmulator, ownFolder, sharedEmulator, sharedReceiver } from "../../../support/shared.js";
import { restore, save } from "../../../support/snapshots.js";
import { advance, settle, subscribe } from "../../../support/webhooks.js";
import { cardPayment, press } from "../../../web/checkout/pages.js";

/** The answer of an object's timeline. How it is drawn: test/programs/cli/timeline.test.ts. */

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();

const read = (id: string, from = emulator): Promise<Loose> => from.sandbox(`/timeline/${id}`);
const ofKind = ({ items }: Loose, kind: string): Loose[] => items.filter((item: Loose) => item.kind === kind);
const find = ({ items }: Loose, id: string | null): Loose => items.find((item: Loose) => item.id === id);

it.each([
  ["refund", async () => (await refund(emulator, (await paidPayment(emulator)).id)).id],
  ["payout", async () => (await emulator.sandbox("/payouts", { amount: 700 })).id],
  ["med_case", async () => (await openCase(emulator)).id],
])(
  "the timeline of a refund, a payout and a MED case begins with the request that created the %s, and is not found in the other mode",
  async (kind, make) => {
    const id: string = await make();
    const timeline = await read(id);
    expect(timeline.subject).toBe(id);
    const [request, first] = timeline.items;
    expect([request.kind, first.kind, first.data.move, first.parent]).toEqual(["request", kind, "create", request.id]);
    const foreign = await emulator.call("GET", `/_sandbox/timeline/${id}`, { key: emulator.live });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, "not_found"]);
  },
);

describe("an item", () => {
  /** Where the object of an item is answered, by the kind of the item. */
  const READ: Record<string, (id: string) => string> = {
    request: () => "",
    transition: (id) => (id.startsWith("ch_") ? `/v1/charges/${id}` : `/v1/payments/${id}`),
    refund: (id) => `/_sandbox/refunds/${id}`,
    payout: (id) => `/_sandbox/payouts/${id}`,
    med_case: (id) => `/v1/med/cases/${id}`,
    event: (id) => `/_sandbox/events/${id}`,
    delivery: (id) => `/_sandbox/webhooks/deliveries/${id}/resend`,
    email: (id) => `/_sandbox/emails/${id}`,
  };

  it("names its object by the id under which the service answers it", async () => {
    await subscribe(emulator, receiver.url, ["payment.completed"]);
    const { id, payment: of } = await (async () => {
      const paid = await paidPayment(emulator);
      await refund(emulator, paid.id, { amount: 100 });
      const opened = await openCase(emulator, { charge_id: `ch_${paid.id}` });
      return { id: opened.id, payment: paid.id };
    })();
    await settle(emulator);
    const payout = (await emulator.sandbox("/payouts", { amount: 700 })).id;
    const stories = [
      await read(of),
      await read(payout),
      await read(`tx_${(await payment(emulator, { paymentMethods: ["CREDIT_CARD"] })).id}`),
    ];
    const items: Loose[] = stories.flatMap(({ items: told }) => told);
    const kinds = new Set(items.map(({ kind }) => kind));
    expect([...Object.keys(READ), "journal", "attempt"].filter((kind) => !kinds.has(kind))).toEqual([]);
    const journals = (await emulator.sandbox("/ledger/journals?limit=100")).data.map((one: Loose) => one.id);
    for (const { kind, id: own, data, parent } of items) {
      if (kind === "clock") continue;
      if (kind === "journal") expect(journals).toContain(data.id);
      else if (kind === "attempt") expect(data.id).toBe(parent);
      else if (kind === "request")
        expect([own, data.id]).toEqual([own, data.logged ? expect.stringMatching(/^req_/) : null]);
      else {
        const path = READ[kind]?.(data.id) ?? "";
        const { status } = await emulator.call(kind === "delivery" ? "POST" : "GET", path);
        expect([kind, data.id, status]).toEqual([kind, data.id, kind === "delivery" ? 201 : 200]);
      }
    }
    expect(items.some(({ kind, data }) => kind === "med_case" && data.id === id)).toBe(true);
  });
});

it("the text of an item comes with its code, the code of its cause, and what stands in both", async () => {
  const { id } = await emulator.charge({ amount: 1_990 });
  await emulator.sandbox(`/charges/${id}/pay`, { payer_name: "Maria Silva" });
  const [created, paid] = ofKind(await read(id), "transition");
  expect(created).toMatchObject({ code: "transition.create", params: { amount: 1_990, currency: "BRL" } });
  expect(paid).toMatchObject({
    code: "transition.settle",
    params: { payer: "Maria Silva" },
    text: "paid (payer: Maria Silva)",
    cause_code: "request",
    cause_params: { number: expect.any(Number), route: "POST /_sandbox/charges/{id}/pay" },
  });
});

describe("the deliveries of a timeline", () => {
  it("are those of the payment's own webhookUrl", async () => {
    const { id } = await payment(emulator, { webhookUrl: `${receiver.url}/own` });
    await settle(emulator);
    const timeline = await read(id);
    const deliveries = ofKind(timeline, "delivery");
    expect(deliveries.map(({ data }) => [data.type, data.url])).toEqual([["payment.created", `${receiver.url}/own`]]);
    for (const { id: delivery, parent, data } of deliveries) {
      expect(parent).toBe(data.event);
      expect(find(timeline, `${delivery}#1`)).toMatchObject({ kind: "attempt", parent: delivery });
    }
  });

  it("come from the request of the resend when they were sent again, also to another URL", async () => {
    const { id } = await payment(emulator, { webhookUrl: `${receiver.url}/own` });
    await settle(emulator);
    const [first] = ofKind(await read(id), "delivery");
    const path = `/webhooks/deliveries/${first.id}/resend`;
    const { id: again } = await emulator.sandbox(path, { url: `${receiver.url}/other` });
    await settle(emulator);
    const timeline = await read(id);
    const resent = find(timeline, again);
    expect(resent).toMatchObject({ kind: "delivery", data: { url: `${receiver.url}/other`, event: first.data.event } });
    const request = find(timeline, resent.parent);
    expect([request.kind, request.text]).toEqual(["request", "POST /_sandbox/webhooks/deliveries/{id}/resend"]);
    expect(resent.cause).toBe(`request ${request.data.number} (POST /_sandbox/webhooks/deliveries/{id}/resend)`);
    expect(find(timeline, `${again}#1`).parent).toBe(again);
  });
});

describe("the causes of a timeline", () => {
  it("name the hosted card page that its payer used", async () => {
    const { id, url } = await cardPayment(emulator);
    await press(url, "approve");
    const approved = ofKind(await read(id), "transition").find(({ data }) => data.move === "approve");
    expect(approved.cause).toMatch(/^page \/card\/\{id\} \(request \d+\)$/);
    expect(approved.parent).toBe(`request-${/request (\d+)/.exec(approved.cause)?.[1]}`);
  });

  it("are changes of the clock, also a stop and a go in between", async () => {
    const own = await ownEmulator();
    const { id } = await own.charge();
    await own.sandbox("/clock/freeze");
    await own.sandbox("/clock/resume");
    await own.sandbox(`/charges/${id}/pay`);
    const timeline = await read(id, own);
    const moves = timeline.items.filter(({ kind }: Loose) => ["transition", "clock"].includes(kind));
    expect(moves.map(({ data }: Loose) => data.move)).toEqual(["create", "freeze", "resume", "settle"]);
  });
});

it("what is due in a timeline is that of the object alone, and the first 100", async () => {
  const own = await ownEmulator({ frozen: true });
  const { id: other } = await own.charge();
  for (let made = 0; made < 60; made += 1) {
    await subscribe(own, `${receiver.url}/${made}`, ["charge.created", "payment.created"]);
  }
  await setChaos(own, { delay_ms: 1_000 });
  const { id } = await own.charge();
  // Each delivery is held back when it is about to be sent.
  await settle(own);
  const { data, has_more } = await own.sandbox(`/clock/due?limit=100&subject=${id}`);
  expect([data.length, has_more]).toEqual([100, true]);
  expect((await read(id, own)).due).toEqual(data);
  expect((await read(other, own)).due).toEqual([
    expect.objectContaining({ kind: "transaction.expire", subject: other }),
  ]);
  await own.close();
});

describe("a timeline after a restore", () => {
  it("says of each restore since its beginning that the clock went back, and goes on from there", async () => {
    const { id } = await emulator.charge();
    await save(emulator, "before");
    await advance(emulator, 60);
    await restore(emulator, "before");
    await save(emulator, "between");
    await advance(emulator, 30);
    await restore(emulator, "between");
    await emulator.sandbox(`/charges/${id}/pay`);
    const timeline = await read(id);
    const moves = timeline.items.filter(({ kind }: Loose) => ["transition", "clock"].includes(kind));
    // Changes before a restore are undone with everything else.
    expect(moves.map(({ data }: Loose) => data.move)).toEqual(["create", "restore", "restore", "settle"]);
    const backs = ofKind(timeline, "clock").map(({ data }) => (Date.parse(data.from) - Date.parse(data.to)) / 1_000);
    expect(backs).toEqual([60, 30]);
  });

  it("has no request of a later start in the place of one of its own", async () => {
    const folder = ownFolder();
    let own = await ownEmulator({ frozen: true, db: folder.db, testKey: "qa_test_numbers-of-requests" });
    await own.charge();
    await own.charge();
    const { id } = await own.charge();
    await save(own, "three");
    await own.sandbox("/reset");
    await own.close();
    own = await ownEmulator({ frozen: true, db: folder.db, testKey: "qa_test_numbers-of-requests" });
    await restore(own, "three");
    const known = new Set((await read(id, own)).items.map(({ id: item }: Loose) => item));
    for (let time = 0; time < 10; time += 1) await own.call("GET", "/v1/wallets");
    const [request] = ofKind(await read(id, own), "request");
    expect(request).toMatchObject({ text: "POST /v1/charges", data: { logged: false } });
    const { id: paid } = await own.charge();
    const numbers = ofKind(await read(paid, own), "request").map((item) => item.id);
    expect(numbers.filter((number) => known.has(number))).toEqual([]);
  });
});
