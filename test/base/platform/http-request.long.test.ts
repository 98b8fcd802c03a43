import * as http from "node:http";
import * as https from "node:https";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Incoming, NoAnswer, readText, sendRequest } from "../../../src/base/platform/http-request.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import {
  MISBEHAVIOURS,
  type Misbehaviour,
  startMisbehaving,
  TIME,
  TLS_MISBEHAVIOURS,
} from "../../support/misbehaving.js";
import { PATIENCE } from "../../support/patience.js";
import { shared } from "../../support/shared.js";

/** More than the buffers of two sockets hold, so that a server which never reads blocks the client. */
const LARGE = "x".repeat(4_000_000);

const read = async (incoming: Incoming) => {
  const { text, isCut } = await readText(incoming, { keep: 1_000, read: 100_000 });
  return { status: incoming.status, text, isCut };
};

/** An exchange that the time limit ends needs a short one. Any other ends by itself, however slow the machine is. */
const limitOf = ({ ends }: Misbehaviour) => (ends === TIME ? 60 : PATIENCE.timeout);

function send(url: string, agent: http.Agent, timeoutMs: number, body = "{}") {
  const open = url.startsWith("https:") ? https.request : http.request;
  const outgoing = { method: "POST", url, headers: { "Content-Length": String(body.length) }, body, agent };
  return sendRequest(open, outgoing, { real: realTime, timeoutMs }, read).catch((error: unknown) => error);
}

describe.each([
  ...MISBEHAVIOURS.map((one) => [one.name, one, undefined] as const),
  ...TLS_MISBEHAVIOURS.map((one) => [one.name, one, "https" as const] as const),
])("a server that %s", (_name, one: Misbehaviour, scheme) => {
  const server = shared(() => startMisbehaving(one, scheme));
  let agent: http.Agent;
  beforeAll(() => {
    agent = new (server.url.startsWith("https:") ? https : http).Agent({ keepAlive: true });
  });
  afterAll(() => {
    agent.destroy();
  });

  it("fails the exchange once, with a message, and so the next one over the same connections", async () => {
    for (let turn = 0; turn < 2; turn++) {
      const outcome = await send(server.url, agent, limitOf(one));
      if (typeof one.ends === "number") expect(outcome).toMatchObject({ status: one.ends });
      else {
        expect(outcome).toBeInstanceOf(NoAnswer);
        expect((outcome as NoAnswer).message).toMatch(one.ends);
      }
    }
  });

  it("keeps no connection in use", async () => {
    await send(server.url, agent, limitOf(one), LARGE);
    const used = () => [agent.sockets, agent.requests].flatMap((lists) => Object.values(lists).flat()).length;
    await vi.waitFor(() => expect(used()).toBe(0), PATIENCE);
  });
});
