import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newPlace, type Place, type ProcessEnd, program, run, serve } from "../support/binary.js";
import { freePort } from "../support/free-port.js";

/** With `--random-seed`, a clock that stands still and a shop that draws nothing itself, two runs print the same bytes. */

const repository = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;
const START = "2026-06-01T12:00:00Z";
const KEY = "qa_test_of-every-start";
const FLAGS = ["--random-seed", "the shop", "--start-at", START, "--frozen", "--events", "charge.paid"];

/** Prints what the shop of examples/shop shows, and everything that the service has kept of it. */
const STORY = `
import { once } from "node:events";
import { createServer } from "node:http";
import { createShop } from ${JSON.stringify(repository("examples/shop/create-shop.mjs"))};

export async function play({ baseUrl, apiKey, webhookSecret, port }) {
  let orders = 0;
  const shop = createShop({
    ...{ baseUrl, apiKey, webhookSecret },
    newId: () => "order-" + (orders += 1),
    now: () => Date.parse("${START}"),
  });
  const server = createServer(shop);
  await once(server.listen(port, "127.0.0.1"), "listening");
  const ask = async (method, path, body) => {
    const headers = { apikey: apiKey, "content-type": "application/json" };
    const answer = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
    return answer.text();
  };
  const buy = async (then) => {
    const { headers } = await fetch("http://127.0.0.1:" + port + "/orders", { method: "POST", redirect: "manual" });
    const order = "http://127.0.0.1:" + port + headers.get("location");
    const shown = await (await fetch(order)).text();
    console.log(shown);
    await then(/ch_[0-9a-f-]+/.exec(shown)[0]);
    await ask("POST", "/_sandbox/clock/advance", { seconds: 0 });
    console.log(await (await fetch(order)).text());
  };
  await buy((id) => ask("POST", "/_sandbox/charges/" + id + "/pay", {}));
  await buy((id) => ask("POST", "/_sandbox/charges/" + id + "/pay", { amount: 1 }));
  await buy(() => ask("POST", "/_sandbox/clock/advance", { seconds: 86400 }));
  for (const list of ["requests", "events", "webhooks/deliveries"]) {
    // How long a request took is a real time, and the only thing that is another one in each run.
    console.log((await ask("GET", "/_sandbox/" + list + "?limit=100")).replace(/"duration_ms":[0-9.]+,/g, ""));
  }
  server.closeAllConnections();
  server.close();
}
`;

const WITH_VARIABLES = `
import { play } from "./story.mjs";
const { QA_PAY_BASE_URL: baseUrl, QA_PAY_API_KEY: apiKey, QA_PAY_WEBHOOK_SECRET: webhookSecret } = process.env;
await play({ baseUrl, apiKey, webhookSecret, port: Number(process.argv[2]) });
`;

interface Run {
  readonly place: Place;
  /** The ports of the shop and of the service. */
  readonly shop: string;
  readonly own: string;
}

/** The output of work in a new folder. */
async function printed({ shop, own }: Omit<Run, "place">, work: (run: Run) => Promise<string>): Promise<string> {
  const place = newPlace();
  try {
    for (const [name, text] of Object.entries({ story: STORY, variables: WITH_VARIABLES }))
      writeFileSync(join(place.folder, `${name}.mjs`), text);
    mkdirSync(join(place.folder, "node_modules"));
    symlinkSync(repository("."), join(place.folder, "node_modules", "qa-pay"));
    return await work({ place, shop, own });
  } finally {
    place.remove();
  }
}

/** Does both, with the same ports, and expects the same bytes of them. */
async function expectSame(first: (run: Run) => Promise<string>, second = first): Promise<void> {
  const ports = { shop: String(await freePort()), own: String(await freePort()) };
  const told = await printed(ports, first);
  expect(told).toContain("Paid. Thank you!");
  expect(told).toContain('"status":"DELIVERED"');
  expect(await printed(ports, second)).toBe(told);
}

async function output(running: Promise<ProcessEnd>): Promise<string> {
  const { code, out, err } = await running;
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const forwarded = (shop: string) => [...FLAGS, "--forward-to", `http://127.0.0.1:${shop}/webhooks`];

function underExec({ place, shop, own }: Run): Promise<string> {
  return output(run(place, ["exec", "--port", own, ...forwarded(shop), "--", "node", "variables.mjs", shop]));
}

/** Starts a service on a file and stops it again so many times, before the shop uses it. */
function afterStarts(earlier: number) {
  return async ({ place, shop, own }: Run): Promise<string> => {
    const flags = [...forwarded(shop), "--port", own, "--test-key", KEY, "--live-key", "qa_live_of-every-start"];
    for (let count = 0; count < earlier; count += 1) await (await serve(place, flags)).stop();
    const server = await serve(place, flags);
    const env = {
      QA_PAY_BASE_URL: server.url,
      QA_PAY_API_KEY: KEY,
      QA_PAY_WEBHOOK_SECRET: server.ready.signing_secret,
    };
    const told = await output(program(place, ["variables.mjs", shop], env));
    await server.stop();
    return told;
  };
}

describe("two runs of a shop with one seed print the same bytes", () => {
  it("under exec", () => expectSame(underExec));
  it("on a file that an earlier start has left empty, too", () => expectSame(afterStarts(0), afterStarts(1)));
});
