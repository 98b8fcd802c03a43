import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { liveLines } from "../../src/cli/commands/serve/live-lines.js";
import type { Io } from "../../src/cli/terminal/io.js";
import { palette } from "../../src/cli/terminal/output.js";
import { setChaos } from "../support/chaos.js";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { type Receiver, startReceiver } from "../support/receiver.js";
import { settle, subscribe } from "../support/webhooks.js";

/** `qa-pay sandbox chaos`, and the lines of `serve` about webhooks that chaos changed. */

let emulator: TestEmulator;
let receiver: Receiver;
let cli: TestCli;

beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  receiver = await startReceiver();
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
});
afterAll(async () => {
  await emulator.close();
  await receiver.close();
  cli.remove();
});
afterEach(() => emulator.sandbox("/reset"));

const chaos = (...flags: string[]) => cli.run(["sandbox", "chaos", ...flags]);

describe("sandbox chaos", () => {
  it("takes every setting as a flag and shows them all", async () => {
    const flags = [
      "--duplicate",
      "0.2",
      "--reorder",
      "1",
      "--delay-ms",
      "1500",
      "--corrupt-signature",
      "0.1",
      "--lose-med",
      "1",
    ];
    const { code, out, err } = await chaos(...flags);
    expect([code, err]).toEqual([0, ""]);
    expect(
      out
        .trimEnd()
        .split(/\n/)
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["Duplicate", "0.2"],
      ["Reorder", "1"],
      ["Delay ms", "1500"],
      ["Corrupt signature", "0.1"],
      ["Stale timestamp", "0"],
      ["Lose MED", "1"],
    ]);
  });

  it("shows the current settings when no flag is given", async () => {
    const changed = await setChaos(emulator, { stale_timestamp: 0.75 });
    const { code, out } = await chaos("--json");
    expect([code, JSON.parse(out)]).toEqual([0, changed]);
  });

  it.each([
    [["--duplicate", "1.5"], 5, "duplicate must be from 0 to 1"],
    [["--lose-med", "-1"], 5, "lose_med must be from 0 to 1"],
    [["--duplicate", "often"], 2, "--duplicate"],
    [["--drop", "1"], 2, "--drop"],
  ])("refuses %j with exit code %d", async (flags, code, said) => {
    const outcome = await chaos(...flags);
    expect([outcome.code, outcome.out]).toEqual([code, ""]);
    expect(outcome.err).toContain(said);
  });
});

describe("serve", () => {
  /** The lines that `serve` prints about webhooks while `act` runs. */
  async function said(json: boolean, act: () => Promise<unknown>): Promise<string[]> {
    const parts: string[] = [];
    const io = { out: (text: string) => void parts.push(text), env: {}, isTerminal: false } as unknown as Io;
    const lines = liveLines(io, await palette(io, false), { json });
    const stops = [emulator.onSending(lines.sending), emulator.onAttempt(lines.attempted)];
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
