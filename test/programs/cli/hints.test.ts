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

describe("a refusal has a hint beside the message of the service", () => {
  it.each([
    [
      "refund {paid} --amount 99999",
      "at most what is left: `qa-pay payments refunds {paid}` shows",
      "no máximo o que resta",
    ],
    [
      "refund {open}",
      "`qa-pay why {open}` explains its state, and `qa-pay payments refunds {open}`",
      "não permite isto. Por quê: `qa-pay why {open}`",
    ],
    ["cancel {paid}", "`qa-pay why {paid}` explains its state.", "não permite isto. Por quê: `qa-pay why {paid}`"],
    ["receipt {open}", "`qa-pay why {open}` explains its state.", "Por quê: `qa-pay why {open}`"],
    ["get tx_none", "`qa-pay payments list` lists what this key sees", "O que esta chave vê: `qa-pay payments list`"],
    [
      "create --amount 0 --currency BRL --payment-methods PIX",
      "From 1 to 999999999999 centavos",
      "O valor é em centavos",
    ],
    [
      "create --amount 9 --currency BRL --payment-methods PIX --customer-email x",
      "is --customer-email.",
      "A opção deste campo",
    ],
  ])("%s", async (line, english, portuguese) => {
    const paid = `tx_${(await paidPayment(emulator, { amount: 1990 })).id}`;
    const open = (await emulator.charge()).id.replace("ch_", "tx_");
    const filled = (text: string) => text.replaceAll("{paid}", paid).replaceAll("{open}", open);
    const words = ["payments", ...filled(line).split(" ")];
    const [inEnglish, inPortuguese] = [await cli.run(words), await cli.run([...words, "--lang", "pt"])];
    expect(inEnglish.err).toContain(filled(english));
    expect(inPortuguese.err).toContain(filled(portuguese));
    const message = JSON.parse((await cli.run([...words, "--json"])).err).error;
    expect([message.hint, inPortuguese.err]).toEqual([undefined, expect.stringContaining(message.message)]);
  });

  it("for an idempotency key that was used, and its commands lead to the same host", async () => {
    const { id } = await paidPayment(emulator, { amount: 1990 });
    const there = ["--base-url", emulator.url, "--api-key", emulator.key];
    const refund = (amount: string) =>
      cli.run(["payments", "refund", id, "--amount", amount, "--idempotency-key", "key-of-a-test", ...there]);
    const place = `--base-url ${emulator.url} --api-key "$QA_PAY_API_KEY"`;
    expect((await refund("10")).err).toContain(`--to REFUNDED ${place}\n`);
    expect((await refund("11")).err).toContain("For a new request, leave out --idempotency-key.");
    const { err } = await cli.run(["payments", "get", "tx_none", ...there]);
    expect(err).toContain(`\`qa-pay payments list ${place}\``);
  });
});

describe("--status in the words of tables", () => {
  it.each([
    ["pago", "PAID"],
    ["Pagas", "PAID"],
    ["em analise", null],
    ["aguardando", "WAITING_PAYMENT"],
    ["paid", "PAID"],
  ])("%s", async (word, status) => {
    const { code, out, err } = await cli.run(["payments", "list", "--status", word, "--lang", "pt", "--dry-run"]);
    if (status !== null) return expect([code, out + err]).toEqual([0, expect.stringContaining(`status=${status}`)]);
    expect([code, err]).toEqual([2, expect.stringContaining("PAID (Paga), APPROVED (Aprovada)")]);
    const json = await cli.run(["payments", "list", "--status", word, "--lang", "pt", "--json"]);
    expect(JSON.parse(json.err).error.message).toContain("PAID, APPROVED");
  });

  it("are English without another language", async () => {
    expect((await cli.run(["payments", "list", "--status", "pago"])).code).toBe(2);
  });

  it("says what PENDING is not, when nothing has this status", async () => {
    const { code, err } = await cli.run(["payments", "list", "--status", "pendente", "--lang", "pt"]);
    expect([code, err]).toEqual([0, expect.stringContaining("--status aguardando")]);
  });
});

it("the times of a timeline have no year, in each language", async () => {
  const { id } = await emulator.charge();
  const first = async (...flags: string[]) => (await cli.run(["sandbox", "timeline", id, "--utc", ...flags])).out;
  expect(await first()).toMatch(/^\d\d-\d\d \d\d:\d\d:\d\dZ {2}/);
  expect(await first("--lang", "pt")).toMatch(/^\d\d\/\d\d \d\d:\d\d:\d\dZ {2}/);
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
