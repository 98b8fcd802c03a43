import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { shared, sharedReceiver } from "../../support/shared.js";
import { advance, deliveries, settle, subscribe } from "../../support/webhooks.js";

const folder = shared(newFolder);
const receiver = sharedReceiver();
let emulator: TestEmulator | null = null;

afterEach(async () => {
  await emulator?.close();
  receiver.respond = null;
  receiver.received.length = 0;
});

async function start(name: string): Promise<TestEmulator> {
  emulator = await startEmulator({ db: join(folder.path, name), testKey: "qa_test_restarts-here", frozen: true });
  return emulator;
}

/** Stops the server while its only attempt is on its way; `meanwhile` happens just before. */
async function stopMidway(on: TestEmulator, meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
  let answer: () => void = () => undefined;
  const arrived = new Promise<void>((arrive) => {
    receiver.respond = () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 200 });
        arrive();
      });
  });
  await on.charge();
  await arrived;
  await meanwhile();
  await on.close();
  receiver.respond = null;
  answer();
}

describe("after a restart", () => {
  it("it is held back when its endpoint went INACTIVE meanwhile", async () => {
    const first = await start("inactive.db");
    const { id } = await subscribe(first, receiver.url, ["charge.created"]);
    const path = `/v1/webhooks/endpoints/${id}`;
    await stopMidway(first, () => first.call("PATCH", path, { body: { status: "INACTIVE" } }));
    const second = await start("inactive.db");
    await advance(second, 3_600);
    expect(receiver.received).toHaveLength(1);
    await second.call("PATCH", path, { body: { status: "ACTIVE" } });
    await settle(second);
    expect(await deliveries(second)).toMatchObject([{ status: "DELIVERED", attempts: 1 }]);
  });
});
