import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleSession, openConsole } from "../support/console.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";

/** Operations as the page of the console calls them: below /console/api, with a session in place of an API key. */

let emulator: TestEmulator;
let page: ConsoleSession;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  page = await openConsole(emulator);
});
afterAll(() => emulator.close());

describe("an operation called by the console", () => {
  it("answers as it answers an API key of the first account's test book", async () => {
    const made = await page.charge();
    expect(made.status).toBe(201);
    const read = await page.call("GET", `/v1/charges/${made.body.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual((await emulator.call("GET", `/v1/charges/${made.body.id}`)).body);
  });
});
