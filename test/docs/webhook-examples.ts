import { FIXTURES } from "../../src/api/fixtures/built-in-fixtures.js";
import { runSteps } from "../../src/api/fixtures/resolve.js";
import { EVENT_NAMES } from "../../src/service/features/webhooks/catalogue.js";
import type { TestEmulator } from "../support/emulator.js";
import type { Examples } from "./examples.js";
import { startSteady } from "./session.js";

/** Every webhook as it is sent: the fixtures that come along are run, with seeded chance and a clock that stands still. */

async function runFixture(emulator: TestEmulator, name: string): Promise<void> {
  let fresh = 0;
  await runSteps(FIXTURES[name]?.steps ?? [], {
    fresh: () => `${name}-request-${++fresh}`,
    credential: {},
    async send(step, make) {
      const { method, address, headers, body = "null" } = make();
      const { status, body: said } = await emulator.call(method, address, {
        headers,
        body: JSON.parse(body) ?? undefined,
      });
      if (status >= 300) throw new Error(`${name}: ${step.name}: ${status} ${JSON.stringify(said)}`);
      return said ?? null;
    },
  });
}

/** The first webhook of each event, by the name `event charge.paid`. */
export async function runWebhookExamples(): Promise<Examples> {
  const emulator = await startSteady();
  await emulator.call("POST", "/v1/auth/login", { body: emulator.users[0] });
  const names = Object.keys(FIXTURES).filter((name) => name !== "small-shop");
  for (const name of names) await runFixture(emulator, name);
  const kept: Record<string, unknown> = {};
  for (const event of EVENT_NAMES) {
    const { body } = await emulator.call("GET", `/_sandbox/events?type=${event}&limit=100`);
    kept[`event ${event}`] = body.data.at(-1)?.payload;
  }
  await emulator.close();
  return JSON.parse(JSON.stringify(kept).replaceAll(new URL(emulator.url).host, "127.0.0.1:4600"));
}
