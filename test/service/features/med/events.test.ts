import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventsOf } from "../../../support/charges.js";
import { type Action, act, emails, medOf, openCase, postCase, readCase } from "../../../support/med.js";
import { paidPayment } from "../../../support/refunds.js";
import { ownReceiver, sharedEmulator, sharedReceiver } from "../../../support/shared.js";
import { settle, subscribe } from "../../../support/webhooks.js";

/**
 * What integrators are told of a case, and what they are not (docs/service/med.md#events-and-e-mails,
 * docs/service/webhooks.md#envelopes).
 */

const emulator = sharedEmulator({ frozen: true });
const quiet = sharedEmulator({ frozen: true, medOutcomeNotices: false });
const receiver = sharedReceiver();
const MED = ["med_case.created", "med_case.updated", "med.resolved"];

beforeEach(async () => {
  await emulator.sandbox("/reset");
  await quiet.sandbox("/reset");
});
afterEach(async () => {
  await settle(emulator);
  receiver.received.length = 0;
  receiver.replies.length = 0;
  receiver.respond = null;
});

describe("at a receiver", () => {
  it("arrive only where they are subscribed, in their own mode", async () => {
    await subscribe(emulator, receiver.url, ["med.resolved"]);
    await subscribe(emulator, receiver.url, MED, emulator.live);
    const { id } = await openCase(emulator);
    await act(emulator, id, "withdraw");
    await settle(emulator);
    expect(receiver.received.map(({ type }) => type)).toEqual(["med.resolved"]);
  });

  it("arrive also when the payment has an address of its own, which gets the legacy ones", async () => {
    const own = await ownReceiver();
    await subscribe(emulator, receiver.url, [...MED, "payment.failed"]);
    const { id } = await paidPayment(emulator, { webhookUrl: own.url });
    await settle(emulator);
    own.received.length = 0;
    await openCase(emulator, { charge_id: id });
    await settle(emulator);
    expect(receiver.received.map(({ type }) => type)).toEqual(["med_case.created"]);
    expect(own.received.map(({ type }) => type).sort()).toEqual(["payment.failed", "payment.status_changed"]);
  });
});

it.each([
  [["accept"], []],
  [["withdraw"], []],
  [["appeal", "decide upheld"], ["med_case.updated"]],
  [["request-evidence", "decide refunded_to_merchant"], ["med_case.updated"]],
] as [Action[], string[]][])(
  "with outcome notices switched off no event and no e-mail reports how %j ends",
  async (actions, names) => {
    const { id, charge_id } = await openCase(quiet);
    for (const action of actions) await act(quiet, id, action);
    expect(await eventsOf(quiet, id)).toEqual(["med_case.created", ...names]);
    expect((await emails(quiet)).map(({ kind }) => kind)).toEqual(["MED opened"]);
    // The case itself, its charge and the transaction's own events tell all the same.
    expect((await readCase(quiet, id)).money_outcome).not.toBeNull();
    expect((await medOf(quiet, charge_id)).status).toMatch(/^(closed|canceled)$/);
    const won = (await readCase(quiet, id)).money_outcome === "refunded_to_merchant";
    expect((await eventsOf(quiet, charge_id)).filter((type) => type === "payment.status_changed")).toHaveLength(
      won ? 3 : 2,
    );
  },
);

it("a case that was refused has no event", async () => {
  const { id } = await emulator.charge();
  await postCase(emulator, { charge_id: id });
  expect(await eventsOf(emulator, id)).toEqual(["charge.created", "payment.created"]);
  expect(await emails(emulator)).toEqual([]);
});
