import { createServer } from "node:http";
import { describe, expect, expectTypeOf } from "vitest";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import type { Emulator } from "../../../src/index.js";
import { test } from "../../../src/vitest.js";
import { freshKey } from "../../support/emulator.js";

/** Takes part in the tests below: each of them must find an empty emulator, in every order. */
async function seeOnlyOne(emulator: Emulator): Promise<void> {
  expect((await emulator.client["payments.list"]()).total).toBe(0);
  await emulator.client["charges.create"]({
    body: { amount: 1990, payment_method: "pix" },
    idempotencyKey: freshKey(),
  });
  expect((await emulator.client["payments.list"]()).total).toBe(1);
}

const urls = new Set<string>();

describe("the fixture emulator", () => {
  for (const name of ["a first test", "a second test", "a third test"]) {
    test(`is the emulator of the worker, and is empty in ${name}`, async ({ emulator }) => {
      await seeOnlyOne(emulator);
      urls.add(emulator.url);
      expect(urls.size).toBe(1);
    });
  }

  test("has its types", ({ emulator }) => {
    expectTypeOf(emulator).toEqualTypeOf<Emulator>();
  });
});

const frozen = test.extend({
  emulatorOptions: [{ frozen: true, startAt: "2026-01-31T12:00:00Z" }, { scope: "worker" }],
});

const heard: string[] = [];
const withReceiver = test.extend({
  emulatorOptions: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from the pattern
    async ({}, use) => {
      const server = createServer((request, response) => {
        heard.push(String(request.headers["x-qa-event-type"]));
        response.end();
      });
      const port = await listenOnLoopback(server);
      await use({
        forwardTo: `http://127.0.0.1:${port}/`,
        events: ["charge.created"],
      });
      server.close();
    },
    { scope: "worker" },
  ],
});

describe("options of the fixture", () => {
  frozen("are those of createEmulator", async ({ emulator }) => {
    expect(await emulator.client["sandbox.clock.show"]()).toMatchObject({
      now: "2026-01-31T12:00:00.000Z",
      frozen: true,
    });
    await emulator.advance("1h");
  });

  frozen("hold after a reset, too", async ({ emulator }) => {
    expect(await emulator.client["sandbox.clock.show"]()).toMatchObject({
      now: "2026-01-31T12:00:00.000Z",
      frozen: true,
    });
  });

  withReceiver("can come from a fixture of one's own", async ({ emulator }) => {
    await seeOnlyOne(emulator);
    await emulator.settled();
    expect(heard).toEqual(["charge.created"]);
  });
});
