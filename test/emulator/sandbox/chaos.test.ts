import { afterEach, describe, expect, it } from "vitest";
import { setChaos } from "../../support/chaos.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** The settings of webhook chaos: how they are read, changed and refused. */

const OFF = {
  duplicate: 0,
  reorder: 0,
  delay_ms: 0,
  corrupt_signature: 0,
  stale_timestamp: 0,
  lose_med: 0,
  unknown_fields: 0,
  unknown_values: 0,
};
const PATH = "/_sandbox/webhooks/chaos";

const emulator = sharedEmulator({ frozen: true });

afterEach(() => emulator.sandbox("/reset"));

const post = (body: unknown, key: string | null = emulator.key) => emulator.call("POST", PATH, { body, key });

describe("chaos settings", () => {
  it("are all off at the start", async () => {
    const answer = await post({});
    expect([answer.status, answer.body]).toEqual([200, OFF]);
  });

  it.each([[{}], [{ raw: "" }], [{ raw: "{}" }]])(
    "are read without changing any, with %o for a request",
    async (given) => {
      const changed = await setChaos(emulator, { duplicate: 0.2, delay_ms: 5 });
      const answer = await emulator.call("POST", PATH, given);
      expect([answer.status, answer.body]).toEqual([200, changed]);
    },
  );

  it("keep their value where a field is left out or null, and are turned off with 0", async () => {
    expect(await setChaos(emulator, { duplicate: 0.25, reorder: 1 })).toEqual({ ...OFF, duplicate: 0.25, reorder: 1 });
    expect(await setChaos(emulator, { reorder: null, stale_timestamp: 0.5, lose_med: 0.75 })).toEqual({
      ...OFF,
      duplicate: 0.25,
      reorder: 1,
      stale_timestamp: 0.5,
      lose_med: 0.75,
    });
    expect(await setChaos(emulator, { duplicate: 0, corrupt_signature: 1e-6 })).toEqual({
      ...OFF,
      reorder: 1,
      corrupt_signature: 1e-6,
      stale_timestamp: 0.5,
      lose_med: 0.75,
    });
  });

  it("ignore an unknown field, as every request body does", async () => {
    expect(await setChaos(emulator, { drop: 0.5 })).toEqual(OFF);
  });

  it("take a whole number of milliseconds up to an hour", async () => {
    for (const delay of [1, 3_600_000]) expect((await setChaos(emulator, { delay_ms: delay })).delay_ms).toBe(delay);
  });

  it("apply to the whole server: to both modes and to every account", async () => {
    const { test_key: foreign } = await emulator.sandbox("/accounts", { name: "Outra Loja" });
    const changed = (await post({ reorder: 0.5 }, emulator.live)).body;
    for (const key of [emulator.key, foreign]) expect((await post({}, key)).body).toEqual(changed);
  });

  it("are turned off by a reset", async () => {
    await setChaos(emulator, Object.fromEntries(Object.keys(OFF).map((name) => [name, 1])));
    await emulator.sandbox("/reset");
    expect(await setChaos(emulator)).toEqual(OFF);
  });
});

describe("a change of chaos is refused", () => {
  it("with the bounds of the setting", async () => {
    const share = expectRefused(await post({ duplicate: -0.01 }), "invalid_request", "duplicate");
    const delay = expectRefused(await post({ delay_ms: 3_600_001 }), "invalid_request", "delay_ms");
    expect([share.message, delay.message]).toEqual([
      "duplicate must be from 0 to 1",
      "delay_ms must be from 0 to 3600000 milliseconds",
    ]);
  });

  it("with one bad setting among good ones, and no setting changes", async () => {
    expectRefused(await post({ duplicate: 1, reorder: 2 }), "invalid_request", "reorder");
    expect(await setChaos(emulator)).toEqual(OFF);
  });
});
