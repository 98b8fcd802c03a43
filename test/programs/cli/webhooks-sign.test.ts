import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EVENT_NAMES, familyOf } from "../../../src/service/features/webhooks/catalogue.js";
import { sampleEvent, signWebhook, verifyWebhook } from "../../../src/service/webhooks/index.js";
import { sharedCli } from "../../support/shared.js";

/** `webhooks sample` and `webhooks sign`: a body and its headers for the test of a receiver in any language. */

const cli = sharedCli();

const SECRET = "0123456789abcdef".repeat(4);
const NOW = Date.parse("2026-11-21T12:00:00.000Z");

function sign(body: string, ...flags: readonly string[]) {
  return cli.run(["webhooks", "sign", "--secret", SECRET, ...flags], { input: body, now: () => NOW });
}

describe("webhooks sample", () => {
  it.each(EVENT_NAMES)("prints the body of %s and nothing else", async (name) => {
    const body = String(sampleEvent(name));
    expect(await cli.run(["webhooks", "sample", name])).toEqual({ code: 0, out: body, err: "" });
    const format = ["--format", familyOf(name)];
    expect((await cli.run(["webhooks", "sample", name, ...format, "--json"])).out).toBe(body);
  });

  it("ends its line on a screen", async () => {
    const { out } = await cli.run(["webhooks", "sample", "charge.paid"], { isScreen: true });
    expect(out).toBe(`${String(sampleEvent("charge.paid"))}\n`);
  });

  it("prints the event of the other family that reports the same", async () => {
    const legacy = await cli.run(["webhooks", "sample", "charge.paid", "--format", "legacy"]);
    expect(legacy.out).toBe(String(sampleEvent("payment.completed")));
    const canonical = await cli.run(["webhooks", "sample", "withdrawal.failed", "--format", "canonical"]);
    expect(canonical.out).toBe(String(sampleEvent("payout.failed")));
  });

  it.each([
    [["charge.payed"], "There is no event charge.payed. There are charge.created,", "Did you mean charge.paid?"],
    [
      ["med.resolved", "--format", "legacy"],
      "med.resolved is a canonical event, and no legacy event corresponds to it.",
      "",
    ],
    [
      ["payment.refunded", "--format", "canonical"],
      "payment.refunded is a legacy event, and no canonical event corresponds",
      "",
    ],
    [["charge.paid", "--format", "v2"], "--format", "canonical"],
  ])("%j is refused", async (words, message, more) => {
    const { code, out, err } = await cli.run(["webhooks", "sample", ...words]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).toContain(more);
  });
});

describe("webhooks sign", () => {
  const body = String(sampleEvent("charge.paid"));
  const { headers } = signWebhook({ body, secret: SECRET, timestamp: NOW });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

  it("prints the headers, an empty line and the body exactly", async () => {
    const expected = { code: 0, out: [...lines, "", body].join("\n"), err: "" };
    expect(await sign(body)).toEqual(expected);
    expect(await sign(body, "-")).toEqual(expected);
    writeFileSync(join(cli.folder, "body.json"), body);
    expect(await sign("unread", "body.json")).toEqual(expected);
    expect((await sign(`${body}\n`)).out).toContain(`${body}\n`);
    expect(
      (await cli.run(["webhooks", "sign", "body.json", "--secret", "-"], { input: `${SECRET}\n`, now: () => NOW })).out,
    ).toBe(expected.out);
  });

  it("prints them as JSON", async () => {
    expect(JSON.parse((await sign(body, "--json")).out)).toEqual({ headers, body });
  });

  it("signs as of --at, and what it prints is verified then", async () => {
    const signed = JSON.parse((await sign(body, "--at", "2027-01-01T00:00:00Z", "--json")).out);
    const now = Date.parse("2027-01-01T00:00:00Z");
    expect(verifyWebhook({ ...signed, secret: SECRET, now })).toEqual(JSON.parse(body));
  });

  it("takes the form from the event, or from --format", async () => {
    expect((await sign(String(sampleEvent("payment.failed")))).out).toContain("x-qa-signature: sha256=");
    expect((await sign("{}", "--format", "legacy")).out).toContain("x-qa-signature: sha256=");
    expect((await sign("{}", "--format", "canonical")).out).toContain(`x-qa-signature: t=${NOW / 1_000},v1=`);
  });

  it.each([
    [["body-that-is-not-there.json"], "The file body-that-is-not-there.json cannot be read: there is no such file."],
    [["--at", "yesterday-ish"], "--at takes"],
    [["--format", "v2"], "--format"],
  ])("%j is refused", async (words, message) => {
    const { code, out, err } = await sign(body, ...words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).not.toContain(SECRET);
  });

  it.each(["{}", "", "[1]"])("the body %j is refused without --format", async (text) => {
    const { code, err } = await sign(text);
    expect(code).toBe(2);
    expect(err).toContain(
      "The body is no event, so say the form of the signature: --format canonical or --format legacy.",
    );
  });

  it.each([
    [["--secret", ""], "--secret takes the secret, or - to read it from standard input while the body is a file."],
    [["--secret", "-"], "--secret takes the secret, or - to read it from standard input while the body is a file."],
    [["body.json", "--secret", "-"], "The secret is empty."],
    [[], "--secret"],
  ])("no secret is refused: %j", async (words, message) => {
    const { code, out, err } = await cli.run(["webhooks", "sign", ...words], { input: "" });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });
});
