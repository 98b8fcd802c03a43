import { expect, it, onTestFinished } from "vitest";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import { ANSWER_TIMEOUT_MS, createTransport } from "../../../src/service/delivery/transport.js";
import { sharedReceiver } from "../../support/shared.js";

/** What is kept of an answer. How connections, time and servers fail is in the tests beside this one. */

const receiver = sharedReceiver();

function send(url: string) {
  const transport = createTransport({ real: realTime, insecureTls: false });
  onTestFinished(() => transport.close());
  return transport.post(url, { "content-type": "application/json", "content-length": "2" }, "{}");
}

it("an answer is returned with its status and body", async () => {
  receiver.replies.push({ status: 418, body: "olá" });
  expect(await send(receiver.url)).toEqual({
    statusCode: 418,
    error: null,
    timedOut: false,
    responseBody: "olá",
    responseHeaders: expect.objectContaining({ connection: "keep-alive" }),
    retryAfterMs: null,
    durationMs: expect.any(Number),
  });
});

it("an answer is kept up to 16 KiB", async () => {
  receiver.replies.push({ status: 500, body: "x".repeat(1_000_000) });
  expect((await send(receiver.url)).responseBody).toHaveLength(16_384);
});

it("there is no answer after 30 seconds unless a test says otherwise", () => expect(ANSWER_TIMEOUT_MS).toBe(30_000));

it.each([
  ["https://does-not-exist.invalid/hooks", /resolve/],
  ["https://localhost:0/", /./],
  ["nonsense", /./],
])("there is no answer from %s, and a reason", async (url, reason) => {
  expect(await send(url)).toMatchObject({ statusCode: null, error: expect.stringMatching(reason) });
});
