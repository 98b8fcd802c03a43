import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";

/** Commands against a running service: the request, the output and the exit code. */

let emulator: TestEmulator;
let cli: ReturnType<typeof testCli>;

beforeAll(async () => {
  emulator = await startEmulator();
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

async function json(...words: string[]) {
  const { code, out, err } = await cli.run([...words, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("a command", () => {
  it("sends flags as the fields they stand for", async () => {
    writeFileSync(join(cli.folder, "metadata.json"), '{"order":42}');
    const words = ["charges", "create", "--amount", "1990", "--customer-name", "Maria", "--expires-in", "600"];
    const file = `@${join(cli.folder, "metadata.json")}`;
    const charge = await json(...words, "--metadata", file, "--description", "Order");
    expect(charge).toMatchObject({
      amount: 1990,
      customer: { name: "Maria" },
      metadata: { order: 42, description: "Order" },
    });
    expect(await json("charges", "get", charge.id)).toEqual(charge);
  });

  it("shows a person the answer, the idempotency key and the next step", async () => {
    const { code, out, err } = await cli.run(["charges", "create", "--amount", "123456"]);
    expect(code).toBe(0);
    const id = /ch_\S+/.exec(out)?.[0];
    expect(out).toMatch(/Status +• pending\nAmount +R\$ 1\.234,56\n/);
    expect(err).toMatch(/^Idempotency-Key: \S+\n/);
    expect(err).toContain(`qa-pay sandbox pay ${id}`);
    const quiet = await cli.run(["--quiet", "charges", "create", "--amount", "1"]);
    expect([quiet.code, quiet.err]).toEqual([0, ""]);
  });

  it("prints exactly the body with --json, wherever the flag stands", async () => {
    const body = JSON.stringify((await emulator.call("GET", "/v1/wallets")).body);
    for (const words of [
      ["--json", "wallets", "list"],
      ["wallets", "--json", "list"],
      ["wallets", "list", "--json"],
    ]) {
      expect(await cli.run(words)).toEqual({ code: 0, out: `${body}\n`, err: "" });
    }
  });

  it("repeats a call with a given idempotency key", async () => {
    const words = ["charges", "create", "--amount", "7", "--idempotency-key", "order-0007"];
    expect(await json(...words)).toEqual(await json(...words));
    const { code, err } = await cli.run(["charges", "create", "--amount", "8", "--idempotency-key", "order-0007"]);
    expect(code).toBe(5);
    expect(err).toContain("idempotency_key_reused");
  });

  it("sends null for the word null where a field can be null", async () => {
    const create = ["charges", "create", "--amount", "9", "--customer-name", "M"];
    const { id } = await json(...create, "--expected-payer-tax-id", "52998224725");
    expect(await json("sandbox", "pay", id, "--payer-document", "null")).toMatchObject({ outcome: "processing" });
    expect((await cli.run(["sandbox", "pay", id, "--payer-document", "nobody"])).code).toBe(5);
  });

  it("takes lists with commas or repeated", async () => {
    const url = ["--url", "http://127.0.0.1:9/"];
    const one = await json("webhooks", "endpoints", "create", ...url, "--events", "charge.paid,charge.failed");
    const two = await json("webhooks", "endpoints", "create", ...url, "--events", "charge.paid", "charge.failed");
    expect(one.events).toEqual(["charge.paid", "charge.failed"]);
    expect(two.events).toEqual(one.events);
  });

  it("shows a page and the command for the next one", async () => {
    const first = await cli.run(["sandbox", "events", "--limit", "1"]);
    const [, flag = "", cursor = ""] = /for the next ones add (\S+) (\S+)/.exec(first.err) ?? [];
    const second = await cli.run(["sandbox", "events", "--limit", "1", flag, cursor]);
    expect(second.code).toBe(0);
    expect(second.out.split("\n")[1]).not.toBe(first.out.split("\n")[1]);
    const none = await cli.run(["sandbox", "events", "--type", "payout.paid"]);
    expect(none).toEqual({ code: 0, out: "", err: "Nothing to show.\n" });
  });

  it("does not let texts from others control the terminal", async () => {
    const { id } = await emulator.charge({ customer: { name: "\u001b[2JMaria\nStatus  paid" } });
    const { out } = await cli.run(["charges", "get", id]);
    expect(out).toMatch(/^Customer +\\u001b\[2JMaria\\nStatus {2}paid$/m);
    expect(out).not.toContain("\u001b");
  });
});

it("another account is shown with its users and their passwords, which are never shown again", async () => {
  const { code, out } = await cli.run(["sandbox", "accounts", "create", "--name", "Second Shop"]);
  expect(code).toBe(0);
  expect(out.match(/^User \d +\S+@\S+\nPassword +\S+-\S+$/gm)).toHaveLength(3);
  expect((await cli.run(["sandbox", "account"])).out).not.toContain("Password");
});

describe("a refusal", () => {
  it.each([
    [["charges", "get", "ch_none"], 4, "not_found"],
    [["charges", "create", "--amount", "0"], 5, "invalid_amount"],
    [["charges", "create", "--amount", "1", "--currency", "EUR"], 5, "invalid_request"],
    [["wallets", "list", "--api-key", "qa_test_wrong000"], 3, "unauthorized"],
    [["charges", "list"], 4, "not_found"],
  ])("%j ends with %i", async (words, exit, code) => {
    const { code: ended, out, err } = await cli.run([...words, "--json"]);
    expect([ended, out]).toEqual([exit, ""]);
    expect(JSON.parse(err)).toMatchObject({ error: { code }, request_id: expect.stringMatching(/^req_/) });
    const { err: text } = await cli.run(words);
    expect(text).toMatch(/^(Idempotency-Key: \S+\n)?Error: /);
    expect(text).toContain(`(${code})`);
  });

  it("of a preview says how to enable it", async () => {
    expect((await cli.run(["charges", "list"])).err).toContain("qa-pay serve --preview charge-list");
  });

  it("does not happen for an id that was pasted with the quotes or brackets around it", async () => {
    const { id } = await emulator.charge();
    for (const pasted of [` ${id}\n`, `"${id}"`, `“${id}”`, `<${id}>,`]) {
      const { code, out } = await cli.run(["charges", "get", pasted, "--json"]);
      expect([code, JSON.parse(out).id]).toEqual([0, id]);
    }
  });

  it("comes before sending when a value cannot be in a header", async () => {
    const { code, err } = await cli.run(["charges", "create", "--amount", "1", "--idempotency-key", "pedido→1"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--idempotency-key holds a character")]);
  });

  it("comes before sending when a number would be sent as a different one", async () => {
    const before = await json("payments", "list");
    const file = join(cli.folder, "large.json");
    writeFileSync(file, '{"order":12345678901234567890}');
    for (const metadata of [`@${file}`, '{"order":12345678901234567890}']) {
      const { code, out, err } = await cli.run(["charges", "create", "--amount", "1", "--metadata", metadata]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("--metadata holds 12345678901234567890, a number that cannot be kept exactly");
    }
    expect(await json("payments", "list")).toEqual(before);
  });

  it("of a payment called by its charge's id says what it is called", async () => {
    const { id } = await emulator.charge();
    const { code, err } = await cli.run(["payments", "get", id]);
    expect([code, err]).toEqual([4, expect.stringContaining(`Its payment is ${id.replace("ch_", "tx_")}.`)]);
    expect((await cli.run(["payments", "get", id.replace("ch_", "tx_")])).code).toBe(0);
  });

  it("comes before sending when there is no key, or consent is needed", async () => {
    const keyless = await cli.run(["wallets", "list"], { env: { QA_PAY_API_KEY: undefined as unknown as string } });
    expect(keyless).toMatchObject({ code: 2, err: expect.stringContaining("--api-key") });
    const create = ["charges", "create", "--amount", "1"];
    for (const flags of [
      ["--api-key", emulator.live],
      ["--base-url", "http://service.test", "--api-key", emulator.key],
    ]) {
      expect(await cli.run([...create, ...flags])).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    }
    expect((await cli.run([...create, "--api-key", emulator.live, "--yes"])).code).toBe(0);
  });

  it("is unreachable, with 7, when no server answers", async () => {
    const gone = await startEmulator();
    await gone.close();
    const { code, err } = await cli.run(["wallets", "list", "--base-url", gone.url, "--api-key", emulator.key]);
    expect(code).toBe(7);
    expect(err).toContain("ECONNREFUSED");
    expect(err).toContain("`qa-pay serve`");
    const { err: envelope } = await cli.run([
      "wallets",
      "list",
      "--base-url",
      gone.url,
      "--api-key",
      emulator.key,
      "--json",
    ]);
    expect(JSON.parse(envelope).error.code).toBe("unreachable");
  });

  it("by a host that is not an emulator is not taken for an unknown id", async () => {
    const text = JSON.stringify({
      error: { type: "not_found_error", code: "not_found", message: "no" },
      request_id: "r",
    });
    const other = createServer((_request, response) => void response.writeHead(404).end(text));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, err } = await cli.run(["sandbox", "pay", "ch_1", "--base-url", url, "--api-key", emulator.key]);
    expect(code).toBe(2);
    expect(err).toContain("no qa-pay emulator");
    expect((await cli.run(["sandbox", "pay", "ch_1"])).code).toBe(4);
    await new Promise((resolve) => other.close(resolve));
  });
});
