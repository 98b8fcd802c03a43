import { expect, onTestFinished, test } from "vitest";
import { receiveOnLoopback } from "../../../src/base/platform/listening.js";

/** A receiver on this machine, whoever sends to it. */

async function receiving(take: (body: string) => void) {
  const { port, close } = await receiveOnLoopback((_request, body, response) => {
    take(body);
    response.writeHead(204).end();
  });
  onTestFinished(close);
  return (body: string) => fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
}

test("a body comes whole, and one that is too long is cut, so that nobody fills the memory", async () => {
  const taken: string[] = [];
  const send = await receiving((body) => void taken.push(body));
  expect((await send("ação")).status).toBe(204);
  expect((await send("x".repeat(9_000_000))).status).toBe(204);
  expect(taken[0]).toBe("ação");
  expect(taken[1]?.length).toBeLessThanOrEqual(4 * 1_048_576);
});

test("what fails while a request is taken ends its connection, and no other one", async () => {
  const send = await receiving((body) => {
    if (body === "bad") throw new Error("cannot be taken");
  });
  await expect(send("bad")).rejects.toThrow("fetch failed");
  expect((await send("good")).status).toBe(204);
});
