import { H3 } from "h3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type HttpServer, nodeOf, takePort } from "../../../src/api/http/server.js";
import { createIds, createRuntime } from "../../../src/base/platform/real-runtime.js";

/** Failures outside of the routes, such as a part of the program that cannot be loaded any more. */

const gone = new Error("the files of this part are gone");
let server: HttpServer;
let told: unknown[];

beforeEach(async () => {
  told = [];
  const { real, random } = createRuntime();
  const log = { warn: () => undefined, error: (_message: string, cause: unknown) => told.push(cause) };
  const ids = createIds({ now: real.epoch }, random);
  server = await takePort({ host: "127.0.0.1", port: 0, real, ids, log });
  const app = new H3();
  app.all("/throws", () => {
    throw gone;
  });
  app.all("/rejects", async () => {
    throw gone;
  });
  app.all("/breaks", async (event) => {
    nodeOf(event).response.writeHead(200).write("the beginning");
    throw gone;
  });
  app.all("/works", (event) => void nodeOf(event).response.end("yes"));
  server.serve(app);
});
afterEach(() => server.close(0));

const ask = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);

it.each(["/throws", "/rejects"])(
  "is an internal error in the envelope, is logged, and the server goes on: %s",
  async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(500);
    const { error, request_id } = (await answer.json()) as { error: { code: string }; request_id: string };
    expect([error.code, request_id]).toEqual(["internal_error", answer.headers.get("x-request-id")]);
    expect(told).toEqual([gone]);
    expect(await (await ask("/works")).text()).toBe("yes");
  },
);

it("cuts an answer that has begun, and the server goes on", async () => {
  const answer = await ask("/breaks");
  await expect(answer.text()).rejects.toThrow();
  expect(told).toEqual([gone]);
  expect(await (await ask("/works")).text()).toBe("yes");
});
