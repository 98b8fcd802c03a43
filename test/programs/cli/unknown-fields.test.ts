// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how fixtures write their references
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIXTURES } from "../../../src/api/fixtures/built-in-fixtures.js";
import { unknownFields as warningsOf } from "../../../src/programs/cli/operation/unknown-fields.js";
import { prepareCall } from "../../support/calls.js";
import { contracts } from "../../support/every-command.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** The service ignores fields that it does not know. Commands with hand-written bodies warn about such fields. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

const warning = (route: string, field: string, meant?: string) =>
  `Warning: ${route} ignores the field ${field}, which it does not know.${meant === undefined ? "" : ` Did you mean ${meant}?`}\n`;

const unknownFields = (request: string, body: unknown) => warningsOf(request, body).map(String);

describe("a field that the service does not know", () => {
  it.each([
    ["amuont", "amount"],
    ["description2", "description"],
    ["customerName", "customer.name"],
    ["customer.nmae", "customer.name"],
    ["customer.nome", "customer.name"],
    ["custmer", "customer"],
    ["colour", undefined],
  ])("is named by `api`: %s, for %s", async (field, meant) => {
    const own = field.split(".").reduceRight<unknown>((value, name) => ({ [name]: value }), "x");
    const body = JSON.stringify({ amount: 100, payment_method: "pix", ...(own as object) });
    const { code, out, err } = await cli.run(["api", "POST", "/v1/charges?x=1", "--data", body]);
    expect([code, JSON.parse(out).amount, err]).toEqual([0, 100, warning("POST /v1/charges", field, meant)]);
  });

  it("is named by `trigger` and `fixtures run` when --set names it", async () => {
    for (const words of [
      ["trigger", "payment.refunded"],
      ["fixtures", "run", "refund-done"],
    ]) {
      const { code, out, err } = await cli.run([...words, "--set", "refund.reson=late", "--set", "colour=red"]);
      expect([code, out]).toEqual([0, expect.stringContaining("✓ POST")]);
      expect(err).toBe(
        warning("POST /v1/charges", "colour") + warning("POST /v1/payments/${charge.id:raw}/refund", "reson", "reason"),
      );
    }
  });

  it("is named in a fixture of the user, before anything is sent", async () => {
    const screen: string[] = [];
    const steps = [
      { name: "charge", request: "POST /v1/charges", body: { amount: 1, payment_method: "pix", metdata: {} } },
      { name: "pay", request: "POST /_sandbox/charges/${charge.id}/pay", body: { payer: "x" } },
    ];
    writeFileSync(join(cli.folder, "mine.json"), JSON.stringify({ steps }));
    const { code } = await cli.run(["fixtures", "run", "mine.json"], { screen });
    expect(code).toBe(0);
    expect(screen.slice(0, 2)).toEqual([
      warning("POST /v1/charges", "metdata", "metadata"),
      expect.stringContaining("/pay ignores the field payer"),
    ]);
  });

  it("is named where the request has no fields at all, and under the other name of a route", () => {
    expect(unknownFields("POST /v1/payments/1/cancel", { reason: "x" })).toEqual([
      warning("POST /v1/payments/1/cancel", "reason"),
    ]);
    expect(unknownFields("POST /v1/infractions/1/appeal", { raeson: "x" })).toEqual([
      warning("POST /v1/infractions/1/appeal", "raeson", "reason"),
    ]);
  });

  it("is named ten times at most, without control characters", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`\u001b[2J${index}`, 1]));
    const told = unknownFields("POST /v1/charges", many);
    expect(told).toHaveLength(10);
    expect(told.join("")).not.toContain("\u001b");
  });

  it("is not named with --quiet, and does not change what happens", async () => {
    const words = ["api", "POST", "/v1/charges", "--data", '{"amount":1,"payment_method":"pix","amuont":2}'];
    const { code, err } = await cli.run([...words, "--quiet"]);
    expect([code, err]).toEqual([0, ""]);
    expect((await cli.run(["trigger", "charge.paid", "--set", "colour=1", "--quiet"])).err).toBe("");
  });

  it("is printed for a program when the request succeeds; a failure is only the envelope", async () => {
    const words = ["api", "POST", "/v1/charges", "--json", "--data"];
    const good = await cli.run([...words, '{"amount":1,"payment_method":"pix","amuont":2}']);
    expect([good.code, good.err]).toEqual([0, warning("POST /v1/charges", "amuont", "amount")]);
    const bad = await cli.run([...words, '{"payment_method":"pix","amuont":2}']);
    expect([bad.code, JSON.parse(bad.err).error.code]).toEqual([5, "invalid_amount"]);
    const line = ["trigger", "charge.paid", "--json", "--set", "colour=1"];
    expect((await cli.run(line)).err).toBe(warning("POST /v1/charges", "colour"));
    const failed = await cli.run([...line, "--set", "amount=0"]);
    expect([failed.code, JSON.parse(failed.err).error.code]).toEqual([5, "invalid_amount"]);
  });
});

describe("no warning is printed", () => {
  it("for any field that an operation takes", async () => {
    for (const { id, method, path } of contracts.filter((one) => one.method !== "GET")) {
      const call = await prepareCall(id, emulator);
      expect([id, unknownFields(`${method} ${path}`, call.body ?? {})]).toEqual([id, []]);
    }
  });

  it("for the fixtures of the package", () => {
    for (const { steps } of Object.values(FIXTURES)) {
      for (const { request, body } of steps) expect(unknownFields(request, body)).toEqual([]);
    }
  });

  it.each([
    ["GET /v1/charges", { x: 1 }],
    ["POST /v1/nowhere", { x: 1 }],
    ["POST /v2/charges", { x: 1 }],
    ["POST /v1/charges", "no JSON"],
    ["POST /v1/charges", [{ x: 1 }]],
    ["POST /v1/charges", null],
    ["POST /v1/charges", { metadata: { anything: { at: "all" } } }],
    ["POST /v1/charges", { customer: "Maria" }],
    ["nonsense", { x: 1 }],
  ])("for %s with %j", (request, body) => {
    expect(unknownFields(request, body)).toEqual([]);
  });
});
