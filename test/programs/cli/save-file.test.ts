import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { payment } from "../../support/payments.js";
import { startReceiver } from "../../support/receiver.js";
import { paidPayment } from "../../support/refunds.js";
import { startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Answers that are files: `payments receipt`. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
let id: string;
beforeAll(async () => {
  id = (await paidPayment(emulator)).id;
});

const receipt = (...words: string[]) => cli.run(["payments", "receipt", ...words]);
const at = (...parts: string[]) => join(cli.folder, ...parts);

describe("payments receipt", () => {
  it("is written to standard output with --output -, byte for byte", async () => {
    const { base64 } = (await emulator.call("GET", `/v1/payments/${id}/receipt`)).body;
    const { code, out, err } = await receipt(id, "--output", "-");
    expect([code, err]).toEqual([0, ""]);
    expect(Buffer.from(out, "latin1").toString("base64")).toBe(base64);
    expect(existsSync(at("-"))).toBe(false);
  });

  it("is not written to a terminal, nor opened with --output -", async () => {
    const onScreen = await cli.run(["payments", "receipt", id, "--output", "-"], { answers: [] });
    expect([onScreen.code, onScreen.out]).toEqual([2, ""]);
    expect(onScreen.err).toContain("would disturb the terminal");
    const opened = await receipt(id, "--output", "-", "--open");
    expect([opened.code, opened.err]).toEqual([2, "Error: --open needs a file: leave out --output -, or name one.\n"]);
  });

  it("writes a file named after the payment into the working folder, and prints its path", async () => {
    const path = at(`receipt-${id}.pdf`);
    expect(await receipt(id)).toEqual({ code: 0, out: `${path}\n`, err: "" });
    const { base64 } = (await emulator.call("GET", `/v1/payments/${id}/receipt`)).body;
    const written = readFileSync(path);
    expect(written.toString("base64")).toBe(base64);
    expect(written.subarray(0, 5).toString()).toBe("%PDF-");
  });

  it("writes to the path of --output, and replaces an existing file", async () => {
    mkdirSync(at("receipts"), { recursive: true });
    for (const [name, path] of [
      ["receipts/mine.pdf", at("receipts", "mine.pdf")],
      [at("abs.pdf"), at("abs.pdf")],
    ] as const) {
      writeFileSync(path, "old and longer".repeat(10_000));
      expect((await receipt(id, "--output", name)).out).toBe(`${path}\n`);
      expect(readFileSync(path, "latin1")).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
    }
  });

  it("prints nothing with --quiet, and with --json prints the answer and writes no file", async () => {
    expect(await receipt(id, "--output", "quiet.pdf", "--quiet")).toEqual({ code: 0, out: "", err: "" });
    expect(existsSync(at("quiet.pdf"))).toBe(true);
    const { body } = await emulator.call("GET", `/v1/payments/${id}/receipt`);
    const { code, out, err } = await receipt(id, "--output", "json.pdf", "--json");
    expect([code, out, err]).toEqual([0, `${JSON.stringify(body)}\n`, ""]);
    expect(existsSync(at("json.pdf"))).toBe(false);
  });

  it.each([
    ["nowhere/receipt.pdf", "there is no folder "],
    [".", "EISDIR"],
  ])("that cannot be written to %s ends with 2 and says what to do", async (name, reason) => {
    const { code, out, err } = await receipt(id, "--output", name);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`${name} cannot be written: ${reason}`);
    expect(err).toContain("Choose another file with --output.");
  });

  it("never writes outside the folder, whatever the id of the payment is", async () => {
    const host = await startHost((_request, response) => void response.end('{"base64":"aGVsbG8="}'));
    const { code, out } = await receipt("../../escaped", "--base-url", host.url, "--api-key", emulator.key);
    await host.close();
    expect(code).toBe(0);
    expect(out).toBe(`${at("receipt-.._.._escaped.pdf")}\n`);
  });

  it("--open opens it with the program of the platform", async () => {
    const receiver = await startReceiver();
    mkdirSync(at("bin"));
    const tell = `fetch("${receiver.url}", { method: "POST", body: JSON.stringify(process.argv.slice(2)) });`;
    writeFileSync(at("bin", "xdg-open"), `#!${process.execPath}\n${tell}\n`, { mode: 0o755 });
    const words = ["payments", "receipt", id, "--output", "open me.pdf", "--open"];
    const { code, err } = await cli.run(words, { env: { PATH: at("bin") } });
    expect([code, err]).toEqual([0, ""]);
    const [call] = await receiver.waitFor(1);
    await receiver.close();
    expect(call?.body).toEqual([at("open me.pdf")]);
  });

  it("--open without such a program still writes the file", async () => {
    const words = ["payments", "receipt", id, "--output", "unopened.pdf", "--open"];
    const { code, err } = await cli.run(words, { env: { PATH: at("nowhere") } });
    expect([code, err]).toEqual([0, "xdg-open is not there to open it; the file is written.\n"]);
    expect(existsSync(at("unopened.pdf"))).toBe(true);
  });

  it("of an unpaid payment ends with 5, of an unknown one with 4, and writes no file", async () => {
    const unpaid = (await payment(emulator)).id;
    for (const [which, exit] of [
      [unpaid, 5],
      ["01980000-0000-7000-8000-000000000000", 4],
    ] as const) {
      const { code, out, err } = await receipt(which, "--output", "none.pdf");
      expect([code, out]).toEqual([exit, ""]);
      expect(err).toMatch(/^Error: /);
    }
    expect(existsSync(at("none.pdf"))).toBe(false);
  });
});
