import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { realWaiting } from "../../../src/base/platform/real-runtime.js";
import { createClient, ServiceError, ServiceTimeoutError } from "../../../src/index.js";
import { scriptedClient } from "../../support/client.js";
import { type Host, startHost } from "../../support/running.js";

/** Calls that end before there is an answer: by the caller's signal, and by the time limit. */

const apiKey = "qa_test_12345678";
const limited = { status: 429, headers: { "retry-after": "20" } };

let host: Host;
let asked: (() => void)[];
beforeEach(async () => {
  asked = [];
  host = await startHost(() => {
    for (const tell of asked) tell();
  });
});
afterEach(() => host.close());

/** Resolves when the host has got a request, which it never answers. */
const request = () => new Promise<void>((resolve) => asked.push(resolve));

async function reasonOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "it did not fail",
    (thrown: unknown) => thrown,
  );
}

/** A fetch that takes no notice of its signal. */
const deaf: typeof fetch = (input) => fetch(input);

describe("a call whose signal is aborted", () => {
  it.each([
    ["node:http", {}],
    ["a fetch of the caller", { fetch }],
    ["a fetch that ignores its signal", { fetch: deaf }],
  ])("rejects with the reason while the request is under way, through %s", async (_name, options) => {
    const client = createClient({ baseUrl: host.url, apiKey, ...options });
    const stop = new AbortController();
    const reason = new Error("the user went away");
    const arrived = request();
    const call = reasonOf(client["wallets.balance"]({ signal: stop.signal }));
    await arrived;
    stop.abort(reason);
    expect(await call).toBe(reason);
  });

  it("sends nothing when the signal was aborted before", async () => {
    const { client, sent } = scriptedClient([{ status: 200 }]);
    const error = await reasonOf(client["wallets.balance"]({ signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ name: "AbortError" });
    expect(sent).toEqual([]);
  });

  it("rejects while it waits for the next try", async () => {
    const stop = new AbortController();
    // The real pause would take 20 seconds.
    const client = createClient({ baseUrl: host.url, apiKey, fetch: async () => new Response("{}", limited) });
    const call = reasonOf(client["wallets.balance"]({ signal: stop.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await call).toMatchObject({ name: "AbortError" });
  });

  it("ends the pages of a list", async () => {
    const page = { status: 200, body: { data: [{ id: "a" }, { id: "b" }], has_more: true, next_cursor: "b" } };
    const { client, sent } = scriptedClient([page]);
    const stop = new AbortController();
    const seen: string[] = [];
    const reading = async () => {
      for await (const { id } of client.pages("sandbox.events", { signal: stop.signal })) {
        seen.push(id);
        if (seen.length === 2) stop.abort();
      }
    };
    expect(await reasonOf(reading())).toMatchObject({ name: "AbortError" });
    expect([seen, sent.length]).toEqual([["a", "b"], 1]);
  });

  it("leaves no listener at a signal that is used for many calls", async () => {
    const stop = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = stop.signal;
    stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(stop.signal, args);
    };
    stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(stop.signal, args);
    };
    const { client } = scriptedClient([{ status: 200 }]);
    await client["wallets.balance"]({ signal: stop.signal });
    await realWaiting.pause(0, stop.signal);
    expect(listeners).toBe(0);
  });
});

describe("a call without an answer in time", () => {
  it.each([
    ["node:http", {}],
    ["a fetch of the caller", { fetch }],
    ["a fetch that ignores its signal", { fetch: deaf }],
  ])("rejects with an error of its own type, through %s", async (_name, options) => {
    const client = createClient({ baseUrl: host.url, apiKey, timeout: 1, ...options });
    const error = await reasonOf(client["wallets.balance"]());
    expect(error).toBeInstanceOf(ServiceTimeoutError);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      name: "ServiceTimeoutError",
      type: "timeout_error",
      status: 0,
      timeoutMs: 1,
      message: `${host.url} gave no complete answer (no answer within 0.001 seconds).`,
      // Test runners and Node print it too.
      cause: { message: expect.stringContaining("(no answer within 0.001 seconds)") },
    });
  });

  it("counts the time of all tries together, and says how long the last one had in whole milliseconds", async () => {
    const refused = { status: 500, headers: { "retry-after": "39" } };
    const { client, waiting } = scriptedClient([refused, "nothing"], { timeoutMs: 39_020.4 });
    const error = await reasonOf(client["wallets.balance"]());
    expect(waiting.pauses).toEqual([39_000]);
    expect(error).toMatchObject({
      name: "ServiceTimeoutError",
      message: expect.stringContaining("(no answer within 39.0204 seconds, 2 tries)"),
      cause: { message: expect.stringContaining("(no answer within 0.02 seconds)") },
    });
  });
});
