import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Arguments of tools with numbers that JavaScript would round. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli();
const payments = async () => (await emulator.call("GET", "/v1/payments")).body;

describe("numbers that cannot be kept exactly", () => {
  /** Sends the arguments as they are written: the client of the protocol would round their numbers itself. */
  async function called(tool: string, written: string): Promise<Loose> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const ended = cli.run(["mcp", "--tools", "all", "--base-url", emulator.url, "--api-key", emulator.key], {
      streams: { input, output },
    });
    const params = '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}';
    const lines = [
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`,
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"${tool}","arguments":${written}}}`,
    ];
    // In pieces that end within a number.
    for (const piece of lines.join("\n").match(/[\s\S]{1,7}/g) ?? []) input.write(piece);
    input.end("\n");
    await ended;
    const answers = String(output.read()).trim().split("\n");
    const { result } = answers.map((line) => JSON.parse(line)).find(({ id }) => id === 2);
    return result.isError === true ? JSON.parse(result.content[0].text).error : result.structuredContent;
  }

  it.each([
    ['"amount":100,"metadata":{"order":9007199254740993}', "invalid_request", "metadata.order"],
    ['"amount":100,"metadata":{"a":[{"b":12345678901234567890}]}', "invalid_request", "metadata.a.0.b"],
    ['"amount":100,"metadata":{"order":1e400}', "invalid_request", "metadata.order"],
    ['"amount":1989.99999999999999999999', "invalid_amount", "amount"],
    ['"amount":100,"expires_in":3600.00000000000000000001', "invalid_request", "expires_in"],
  ])("are refused as by the service: %s", async (fields, code, param) => {
    const before = (await payments()).total;
    const error = await called("charges_create", `{"payment_method":"pix",${fields}}`);
    const message = expect.stringContaining(`${param} is a number that cannot be kept exactly`);
    expect(error).toMatchObject({ type: "invalid_request_error", code, param, message });
    expect((await payments()).total).toBe(before);
  });

  it.each([
    ['{"order":9007199254740993,"status":"paid","amount":1}', "rows.0.order"],
    ['{"order":"1","status":"paid","amount":1990.00000000000000000001}', "rows.0.amount"],
  ])("are refused in the rows of reconcile, before anything is read: %s", async (row, param) => {
    const message = `${param} is a number that cannot be kept exactly.`;
    const error = await called("reconcile", `{"rows":[${row}]}`);
    expect(error).toMatchObject({ type: "invalid_request_error", code: "invalid_request", param, message });
  });

  it("are none in a text, and 1990.0 is 1990", async () => {
    const metadata = '{"a":"9007199254740993","b":9007199254740991}';
    const charge = await called("charges_create", `{"amount":1990.0,"metadata":${metadata}}`);
    expect(charge).toMatchObject({ amount: 1990, metadata: { a: "9007199254740993", b: 9007199254740991 } });
  });

  it.each([
    ["objects", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
    ["lists", `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
    ["257 levels", `${'{"a":'.repeat(256)}1${"}".repeat(256)}`],
    ["an inexact number in them", `${'{"a":'.repeat(20_000)}9007199254740993${"}".repeat(20_000)}`],
  ])("and arguments that are nested too deeply are refused: %s", async (_what, metadata) => {
    const { code, message } = await called(
      "charges_create",
      `{"amount":5,"payment_method":"pix","metadata":${metadata}}`,
    );
    expect([code, message]).toEqual(["invalid_arguments", "The arguments are nested deeper than 256 levels."]);
  });

  it("are refused in a query", async () => {
    const { param } = await called("payments_list", '{"limit":9007199254740993}');
    expect(param).toBe("limit");
  });
});
