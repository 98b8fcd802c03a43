import { describe, expect, it } from "vitest";
import { freshEmulator, ownEmulator } from "../../support/shared.js";

/** How commands of the user recognize a server that they started, and how they stop it. */

const INSTANCE = "0a0b0c0d-0000-4000-8000-000000000001";
const SECRET = "0f0e0d0c-0b0a-4908-8706-050403020100";

let stops = 0;
const emulator = freshEmulator(() => {
  stops = 0;
  const stop = () => {
    stops += 1;
  };
  return { owner: { instance: INSTANCE, secret: SECRET, stop } };
});

const stop = (authorization: string | null, more: Readonly<Record<string, string>> = {}) =>
  emulator.call("POST", "/_sandbox/server/stop", {
    key: null,
    headers: { ...(authorization === null ? {} : { authorization }), ...more },
  });

it("answers its instance id without a key, and nothing else", async () => {
  const { status, body } = await emulator.call("GET", "/_sandbox/server", { key: null });
  expect([status, body]).toEqual([200, { instance: INSTANCE }]);
});

describe("a stop", () => {
  it("needs the secret of the start", async () => {
    expect((await stop(`Bearer ${SECRET}`)).status).toBe(202);
    expect(stops).toBe(1);
  });

  it.each([
    ["with nothing", null],
    ["with an empty secret", "Bearer "],
    ["with the instance id, which everybody may know", `Bearer ${INSTANCE}`],
    ["with another secret", `Bearer ${SECRET.replace("0", "1")}`],
    ["with a secret that is too long", `Bearer ${SECRET}0`],
    ["with the secret alone", SECRET],
  ])("%s is refused", async (_how, given) => {
    const { status, body } = await stop(given);
    expect([status, body.error.code, stops]).toEqual([401, "unauthorized", 0]);
  });

  it("by a web page is refused", async () => {
    expect((await stop(`Bearer ${SECRET}`, { origin: "http://evil.test" })).status).toBe(403);
    expect(stops).toBe(0);
  });
});

it("a server that a program started has no such routes", async () => {
  const other = await ownEmulator();
  expect((await other.call("GET", "/_sandbox/server", { key: null })).status).toBe(404);
  expect((await other.call("POST", "/_sandbox/server/stop", { key: null })).status).toBe(404);
});
