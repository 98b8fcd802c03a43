import { beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { questionBefore } from "../../../src/programs/cli/questions/question.js";
import { issue, tokenOf } from "../../support/access.js";
import type { Loose } from "../../support/emulator.js";
import { openCase } from "../../support/med.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

/** Before a change with a live key the question names the object, and not a route. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.live }));
const made: Record<string, string> = {};

beforeAll(async () => {
  const live = { key: emulator.live };
  const create = async (body: Loose) => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    return (await emulator.call("POST", "/v1/charges", { ...live, body: { payment_method: "pix", ...body }, headers }))
      .body;
  };
  const charge = await create({ amount: 1990, customer: { name: "Maria Silva" } });
  made.payment = charge.id.replace("ch_", "tx_");
  made.nameless = (await create({ amount: 700 })).id.replace("ch_", "tx_");
  made.endpoint = (await subscribe(emulator, "http://127.0.0.1:9/hooks", ["charge.paid"], emulator.live)).id;
});

/** The question of a command line; the person says no. */
async function asked(...words: string[]): Promise<string> {
  const questions: string[] = [];
  const { code, err } = await cli.run(words, { answers: [false], asked: questions });
  expect([code, questions.length, err]).toEqual([2, 1, expect.stringMatching(/\(LIVE\smode\)\n/)]);
  return questions[0] ?? "";
}

describe("the question before a change with a live key", () => {
  it("names the payment by its amount and its customer", async () => {
    expect(await asked("payments", "cancel", String(made.payment))).toBe(
      "Cancel the payment of R$ 19,90 by Maria Silva?",
    );
    expect(await asked("payments", "cancel", String(made.nameless))).toBe("Cancel the payment of R$ 7,00?");
    expect(await asked("payments", "cancel", "tx_unknown")).toBe("Cancel the payment tx_unknown?");
    const resend = await asked("payments", "resend-webhook", String(made.payment));
    expect(resend).toBe("Send the webhooks of the payment of R$ 19,90 by Maria Silva again?");
  });

  it("names an endpoint by its address", async () => {
    const id = String(made.endpoint);
    expect(await asked("webhooks", "endpoints", "delete", id)).toBe(
      "Delete the webhook endpoint http://127.0.0.1:9/hooks?",
    );
    expect(await asked("webhooks", "endpoints", "rotate-secret", id)).toBe(
      "Replace the secret of the webhook endpoint http://127.0.0.1:9/hooks?",
    );
    expect(await asked("webhooks", "endpoints", "update", id, "--status", "INACTIVE")).toBe(
      "Change the webhook endpoint http://127.0.0.1:9/hooks?",
    );
    expect(await asked("webhooks", "endpoints", "delete", "we_1")).toBe("Delete a webhook endpoint, we_1?");
    expect(
      await asked("webhooks", "endpoints", "create", "--url", "https://a.example", "--events", "charge.paid"),
    ).toBe("Send webhooks to https://a.example from now on?");
  });

  it("names a MED case by what would be lost", async () => {
    const { id, charge_id } = await openCase(emulator, {}, { key: emulator.live });
    expect(charge_id).toMatch(/^ch_/);
    expect(await asked("med", "accept", id)).toMatch(
      /^Accept the loss of R\$ [\d.,]+ in the MED case med_\S+ permanently\?$/,
    );
    expect(await asked("med", "appeal", id, "--reason", "delivered")).toMatch(
      /^Contest the MED case over R\$ [\d.,]+\?$/,
    );
  });

  it("names an API key by its label and its beginning", async () => {
    const token = await tokenOf(emulator);
    const { id, prefix } = await issue(emulator, token, { label: "checkout" });
    const headers = { authorization: `Bearer ${token}` };
    const request = (method: string, path: string) => ({ method, url: emulator.url + path, headers, body: undefined });
    const rotating = await questionBefore(request("POST", `/v1/api-keys/${id}/rotate`), { command: "keys rotate" });
    expect(rotating).toBe(`Replace the API key checkout (${prefix}…), which stops working at once?`);
    const revoking = await questionBefore(request("DELETE", `/v1/api-keys/${id}`), { command: "keys revoke" });
    expect(revoking).toBe(`Revoke the API key checkout (${prefix}…) permanently?`);
  });

  it("is the operation's summary where the contract has no question of its own", async () => {
    expect(await asked("sandbox", "pay", String(made.payment))).toMatch(/, ch_\S+\?$/);
  });
});

describe("the question of every change of the service", () => {
  const changes = registry
    .map(({ contract }) => contract)
    .filter((one) => one.method !== "GET" && one.surface === "api");

  it.each(changes.map((contract) => [contract.id, contract] as const))(
    "%s is in people's words",
    (_id, { questions = [] }) => {
      expect(questions.length).toBeGreaterThan(0);
      for (const text of questions) expect(text).toMatch(/^[A-Z][^/]*\?$/);
    },
  );

  it.each(changes.flatMap(({ id, asksAbout }) => (asksAbout === undefined ? [] : [[id, asksAbout] as const])))(
    "%s reads what the service answers",
    (_id, reads) => {
      expect(registry.some(({ contract }) => contract.method === "GET" && contract.path === reads)).toBe(true);
    },
  );
});
