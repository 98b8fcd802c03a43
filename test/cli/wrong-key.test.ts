import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { startHost } from "../support/running.js";

/** Servers that do not know the key, or that are no qa-pay service. */

let emulator: TestEmulator;
let cli: TestCli;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: "qa_test_of-another-database" });
  const steps = [{ name: "charge", request: "POST /v1/charges", body: { amount: 1, payment_method: "pix" } }];
  writeFileSync(join(cli.folder, "mine.json"), JSON.stringify({ steps }));
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

const LINES = [
  "wallets list",
  "charges create --amount 1",
  "sandbox events",
  "trigger charge.paid",
  "trigger charge.paid --charge ch_1",
  "fixtures run mine.json",
  "logs tail",
  "logs show req_1",
  "listen --forward-to http://127.0.0.1:9",
  "listen --print-secret",
];

describe("a key that the server does not know", () => {
  const cause = (from: string) =>
    `${emulator.url} does not know the key from ${from}: it belongs to another server or database, ` +
    "or was rotated or revoked. Give its own with --api-key or QA_PAY_API_KEY.\n";

  it.each(LINES)("%s: the error says where the key comes from and why it may be wrong", async (line) => {
    const { code, out, err } = await cli.run(line.split(" "));
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain(cause("QA_PAY_API_KEY"));
    expect(err).not.toContain("Start a server");
    const flag = await cli.run([...line.split(" "), "--api-key", "qa_test_typed"]);
    expect([flag.code, flag.err]).toEqual([3, expect.stringContaining(cause("--api-key"))]);
  });
});

describe("a host that is not a qa-pay service", () => {
  it.each([
    [404, "<h1>Not found</h1>"],
    [400, '{"error":"no"}'],
    [401, "Who are you?"],
    [403, "Forbidden"],
    [429, ""],
    [502, "Bad Gateway"],
    [301, ""],
  ])("and answers %i ends with 7, and the error says so", async (status, text) => {
    const host = await startHost((_request, response) => void response.writeHead(status).end(text));
    const { code, out, err } = await cli.run(["wallets", "list", "--base-url", host.url, "--api-key", emulator.key]);
    expect([code, out]).toEqual([7, ""]);
    expect(err).toContain(`Error: The host answered ${status} without an error envelope.\n`);
    expect(err).toContain("No qa-pay service answers like that. Is this its address?");
    await host.close();
  });
});

describe("a misspelt word", () => {
  const known = (...words: string[]) => cli.run([...words, "--api-key", emulator.key]);

  it.each([
    ["trigger charge.payd", "Did you mean charge.paid?"],
    ["fixtures run smal-shop", "Did you mean small-shop?"],
    ["sandbox events --type charge.payd", "did you mean charge.paid?"],
    ["payments list --status refundd", "did you mean REFUNDED?"],
    ["listen --forward-to http://127.0.0.1:9 --events charge.payd", "did you mean charge.paid?"],
    ["webhooks test http://127.0.0.1:9 --secret x --only same-evnt", "Did you mean same-event?"],
  ])("%s ends with 2 and the nearest one", async (line, advice) => {
    const { code, out, err } = await known(...line.split(" "));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(advice);
  });

  it("of an event of an endpoint is answered with the nearest one, and nothing is registered", async () => {
    const words = ["webhooks", "endpoints", "create", "--url", "http://127.0.0.1:9/", "--events"];
    const { code, out, err } = await known(...words, "charge.paid,charge.expird");
    expect([code, out]).toEqual([5, ""]);
    expect(err).toMatch(/events\.1 must be one of .*\nDid you mean charge\.expired\?\n$/);
    expect((await emulator.call("GET", "/v1/webhooks/endpoints")).body.data).toEqual([]);
  });

  it.each([["fixtures run zzzzzz"], ["payments list --status zzzzzz"]])("%s gets no suggestion", async (line) => {
    const { code, err } = await known(...line.split(" "));
    expect(code).toBe(2);
    expect(err.toLowerCase()).not.toContain("did you mean");
  });
});
