import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paidPayment } from "../../support/refunds.js";
import { type Host, startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Hints and notes that commands show a person beside the answer. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
let service: Host;
const ELSEWHERE = ["--base-url", "http://pay.example", "--api-key", "qa_test_elsewhere", "--yes"];

/** A proxy that passes requests to `/v1` of another machine on to the emulator. */
beforeAll(async () => {
  service = await startHost(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { method = "" } = incoming;
    const { pathname: url } = new URL(incoming.url ?? "", "http://pay.example");
    const text = Buffer.concat(parts).toString();
    const headers = { "idempotency-key": String(incoming.headers["idempotency-key"] ?? "") };
    const own = text === "" ? {} : { body: JSON.parse(text), headers };
    const { status, body } = url.startsWith("/v1/") ? await emulator.call(method, url, own) : { status: 404, body: "" };
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
});
afterAll(() => service.close());

describe("commands for emulators are advised", () => {
  it.each([
    ["charges create --amount 1990", "qa-pay sandbox pay ch_"],
    ["pix charges create --amount 1990", "qa-pay sandbox pay ch_"],
    ["payments create --amount 1990 --payment-methods PIX --currency BRL", "qa-pay sandbox pay "],
  ])("after %s on this machine, and not for a service elsewhere", async (line, advice) => {
    const words = line.split(" ");
    expect((await cli.run(words)).err).toContain(advice);
    const { code, err } = await cli.run([...words, ...ELSEWHERE], { env: { HTTP_PROXY: service.url } });
    expect([code, err]).toEqual([0, expect.not.stringContaining("sandbox")]);
    if (line.startsWith("payments")) expect(err).toContain("qa-pay payments get ");
  });

  it("never for a service on this machine that is no emulator", async () => {
    const words = ["charges", "create", "--amount", "1990"];
    const there = ["--base-url", service.url, "--api-key", "qa_test_elsewhere", "--yes"];
    const { code, err } = await cli.run([...words, ...there]);
    expect([code, err]).toEqual([0, expect.not.stringContaining("sandbox")]);
  });

  it("after a refund on this machine, and not for a service elsewhere", async () => {
    const { id } = await paidPayment(emulator, { amount: 1990 });
    const words = ["payments", "refund", id, "--amount", "10"];
    expect((await cli.run(words)).err).toContain("qa-pay sandbox refunds advance");
    const { code, err } = await cli.run([...words, ...ELSEWHERE], { env: { HTTP_PROXY: service.url } });
    expect([code, err]).toEqual([0, expect.not.stringContaining("sandbox")]);
  });
});

it("a payment is shown with the id that lists have, and --json is the answer as it is", async () => {
  const { id } = await paidPayment(emulator, { amount: 1990 });
  expect((await cli.run(["payments", "get", id])).out).toMatch(new RegExp(`^Payment .*  tx_${id}\n`));
  expect(JSON.parse((await cli.run(["payments", "get", id, "--json"])).out).id).toBe(id);
  const words = ["payments", "create", "--amount", "1", "--payment-methods", "PIX", "--currency", "BRL"];
  expect((await cli.run(words)).out).toMatch(/^Payment +tx_[0-9a-f-]{36}\n/);
});

it("sandbox chaos off turns every setting off, but for those that are named", async () => {
  const all = async (...words: string[]) => JSON.parse((await cli.run(["sandbox", "chaos", ...words, "--json"])).out);
  const set = await all("--duplicate", "0.5", "--delay-ms", "5000", "--lose-med", "1", "--unknown-values", "0.1");
  expect(Object.values(set).filter((share) => share !== 0)).toHaveLength(4);
  expect(await all()).toEqual(set);
  expect(new Set(Object.values(await all("off")))).toEqual(new Set([0]));
  await all("--reorder", "1");
  expect(await all("off", "--duplicate", "0.2")).toMatchObject({ reorder: 0, duplicate: 0.2 });
  const { code, err } = await cli.run(["sandbox", "chaos", "of", "--json"]);
  expect([code, JSON.parse(err).error.param]).toEqual([5, "set"]);
  await all("off");
});

describe("--set with a value that the service wants as a text", () => {
  it.each([
    ["charge.description=true", `--set 'charge.description="true"'. charge.description=null drops the field.`],
    ["charge.description=42", `--set 'charge.description="42"'`],
    ["description=[1]", `--set 'description="[1]"'`],
    ["charge.customer.name=7", `--set 'charge.customer.name="7"'`],
  ])("%s is refused, and the hint says how it is written", async (setting, hint) => {
    const { code, err } = await cli.run(["trigger", "charge.paid", "--set", setting]);
    expect([code, err]).toEqual([5, expect.stringContaining(hint)]);
  });

  it("takes quotes for a text, and null drops the field", async () => {
    expect((await cli.run(["trigger", "charge.paid", "--set", 'charge.description="true"'])).code).toBe(0);
    expect((await cli.run(["trigger", "charge.paid", "--set", "charge.description=null"])).code).toBe(0);
  });
});
