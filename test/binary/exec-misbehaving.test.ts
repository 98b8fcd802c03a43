import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPlace, type Place, run } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { MISBEHAVIOURS, type MisbehavingServer, startMisbehaving, TLS_MISBEHAVIOURS } from "../support/misbehaving.js";

/**
 * `exec` with every receiver that misbehaves, all in one run. Its receivers have the real 30 seconds to answer, and this
 * test takes as long.
 */

const ALL = [...MISBEHAVIOURS, ...TLS_MISBEHAVIOURS];

/** Registers the addresses of its arguments as endpoints and creates a charge. */
const COMMAND = `
const { QA_PAY_BASE_URL: base, QA_PAY_API_KEY: apikey } = process.env;
const headers = { apikey, "content-type": "application/json", "idempotency-key": "only-one-charge" };
const post = (path, body) => fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
for (const url of process.argv.slice(1)) await post("/v1/webhooks/endpoints", { url, events: ["charge.created"] });
await post("/v1/charges", { amount: 1990, payment_method: "pix" });
`;

let place: Place;
let servers: MisbehavingServer[];
let culprits: Loose[];
let code: number | null;

beforeAll(async () => {
  place = newPlace();
  servers = await Promise.all([
    ...MISBEHAVIOURS.map((one) => startMisbehaving(one)),
    ...TLS_MISBEHAVIOURS.map((one) => startMisbehaving(one, "https")),
  ]);
  const urls = servers.map(({ url }) => url);
  const words = ["exec", "--json", "--assert", "every delivery 2xx within 60s", "--"];
  const ended = await run(place, [...words, process.execPath, "--input-type=module", "-e", COMMAND, ...urls]);
  code = ended.code;
  culprits = JSON.parse(ended.err).assertions[0].culprits;
});

afterAll(async () => {
  for (const server of servers) await server.close();
  place.remove();
});

describe("exec with receivers that misbehave", () => {
  it("ends with 1 and names the deliveries that did not arrive", () => {
    expect(code).toBe(1);
    expect(culprits).toHaveLength(ALL.filter(({ ends }) => ends !== 200).length);
    for (const culprit of culprits) expect(culprit).toMatchObject({ status: "PENDING", attempts: 1 });
  });

  it.each(ALL.flatMap(({ name, ends }) => (ends instanceof RegExp ? [[name, ends] as const] : [])))(
    "says in words what a receiver did that %s",
    (_name, ends) => {
      expect(culprits.map(({ lastError }) => lastError)).toContainEqual(expect.stringMatching(ends));
    },
  );
});
