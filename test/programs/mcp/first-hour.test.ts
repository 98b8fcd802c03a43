import { afterEach, expect, it } from "vitest";
import { verifyWebhook } from "../../../src/service/webhooks/index.js";
import { type Agent, startAgent } from "../../support/agent.js";
import type { Loose } from "../../support/emulator.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** docs/decisions/056-tools-for-agents.md */

const emulator = sharedEmulator();
const cli = sharedCli();
let agent: Agent | null = null;

afterEach(async () => {
  await agent?.close();
});

it("takes an agent six calls at a running server: from nothing to a paid order with a verified webhook", async () => {
  agent = await startAgent(cli, ["--base-url", emulator.url, "--api-key", emulator.key]);
  const tools = new Set(await agent.names());
  let calls = 0;
  const call = (name: string, given: Record<string, unknown> = {}): Promise<Loose> => {
    calls += 1;
    expect(tools).toContain(name);
    return (agent as Agent).call(name, given);
  };
  const orders = new Map([["42", "open"]]);
  // The agent's program: a handler that believes signed webhooks alone.
  const handle = (webhook: Loose, secret: string) => {
    const { body, headers } = webhook;
    const event = verifyWebhook({ body, headers, secret });
    if (event.type === "charge.paid") orders.set(String(event.data.object.metadata.order), "paid");
  };

  const collector = await call("sandbox_collectors_create", { events: ["charge.paid"] });
  const charge = await call("charges_create", { amount: 1990, metadata: { order: "42" } });
  expect((await call("sandbox_charges_pay", { id: charge.id })).outcome).toBe("paid");
  await call("sandbox_clock_advance", { seconds: 0 });
  const { data } = await call("sandbox_collectors_webhooks", { id: collector.id });
  expect(data).toHaveLength(1);
  expect(() => handle(data[0], "f".repeat(64))).toThrow();
  expect(orders.get("42")).toBe("open");
  handle(data[0], collector.secret);
  expect((await call("charges_get", { id: charge.id })).status).toBe("paid");

  expect(orders.get("42")).toBe("paid");
  expect(calls).toBeLessThanOrEqual(6);
});
