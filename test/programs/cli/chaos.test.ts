import { afterEach, describe, expect, it } from "vitest";
import { liveLines } from "../../../src/programs/cli/commands/serve/live-lines.js";
import type { Io } from "../../../src/programs/cli/terminal/io.js";
import { palette } from "../../../src/programs/cli/terminal/output.js";
import { setChaos } from "../../support/chaos.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

/** The lines of `serve` about webhooks that chaos changed. */

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();

afterEach(() => emulator.sandbox("/reset"));

describe("serve", () => {
  /** The lines that `serve` prints about webhooks while `act` runs. */
  async function said(json: boolean, act: () => Promise<unknown>): Promise<string[]> {
    const parts: string[] = [];
    const io = { out: (text: string) => void parts.push(text), env: {}, isTerminal: false } as unknown as Io;
    const lines = liveLines(io, await palette(io, false), { json, howToStop: "Ctrl-C stops." });
    const stops = [emulator.onSending(lines.onSending), emulator.onAttempt(lines.onAttempt)];
    await act();
    for (const stop of stops) stop();
    return parts.join("").trimEnd().split("\n");
  }

  async function chargeCreated(): Promise<void> {
    await emulator.charge();
    await settle(emulator);
  }

  it("prints what chaos did to a webhook, and a duplicate on a line of its own", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await setChaos(emulator, { duplicate: 1, stale_timestamp: 1 });
    receiver.replies.push({ status: 200 }, { status: 409, body: "had that" });
    expect(await said(false, chargeCreated)).toEqual([
      expect.stringMatching(/^--> charge\.created evt_/),
      expect.stringMatching(/^<-- 200 POST /),
      "    chaos: stale_timestamp",
      expect.stringMatching(/^--> charge\.created evt_/),
      expect.stringMatching(/^<-- 409 POST /),
      "    chaos: duplicate, stale_timestamp",
      "    had that",
    ]);
  });

  it("prints it in a line of JSON too, and only for webhooks that chaos changed", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    const plain = await said(true, chargeCreated);
    await setChaos(emulator, { duplicate: 1 });
    const [first, second, ...more] = (await said(true, chargeCreated)).map((line) => JSON.parse(line));
    expect(plain.map((line) => JSON.parse(line))).toEqual([expect.not.objectContaining({ chaos: expect.anything() })]);
    expect(first).not.toHaveProperty("chaos");
    expect(second).toMatchObject({ attempt: 1, status: "DELIVERED", status_code: 204, chaos: ["duplicate"] });
    expect(second.delivery_id).toBe(first.delivery_id);
    expect(more).toEqual([]);
  });
});
