import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { incidentText } from "../../../src/checks/incident/file.js";
import { asHanded } from "../../../src/checks/survive/failed-charge.js";
import type { Loose } from "../../support/emulator.js";
import { freshReceiver, sharedCli, sharedEmulator } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

/** A failure as an incident: its replay sends the webhooks as the shop got them. */

const emulator = sharedEmulator({ frozen: true });
const receiver = freshReceiver();
const cli = sharedCli(emulator);

it("is replayed in the order of then, with what came twice, and without what never came", async () => {
  await subscribe(emulator, receiver.url, ["charge.created", "charge.paid"]);
  const { id } = await emulator.charge();
  await emulator.sandbox(`/charges/${id}/pay`);
  await settle(emulator);
  expect((await cli.run(["incident", "save", id, "--output", "all.json"])).code).toBe(0);
  const all: Loose = JSON.parse(readFileSync(join(cli.folder, "all.json"), "utf8"));
  const delivery = (type: string): string => {
    const event = all.rows.events.find((one: Loose) => one.type === type);
    return all.rows.deliveries.find((one: Loose) => one.event_seq === event.seq).id;
  };
  const first = { delivery: delivery("charge.paid"), attempt: 1 };
  const created = { delivery: delivery("charge.created"), attempt: 1 };
  const unknown = { delivery: "of-another-charge", attempt: 1 };
  const handed = [first, unknown, created, first];
  writeFileSync(join(cli.folder, "failure.json"), incidentText({ ...all, rows: asHanded(all.rows, handed) }));
  receiver.received.length = 0;
  const to = ["--forward-to", receiver.url, "--webhook-secret", "5".repeat(64)];
  const { code, err } = await cli.run(["incident", "replay", "failure.json", ...to]);
  expect([code, err]).toEqual([0, expect.stringContaining("Sending")]);
  expect(receiver.received.map(({ body }: Loose) => body.type)).toEqual([
    "charge.paid",
    "charge.created",
    "charge.paid",
  ]);
});
