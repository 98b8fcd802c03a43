import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { signature } from "../../../src/service/features/webhooks/envelope.js";
import { sharedCli } from "../../support/shared.js";
import { hmac } from "../../support/webhooks.js";

/** `webhooks verify`: whether a webhook is genuine, and what is wrong with it when it is not. */

const cli = sharedCli();

const SECRET = "0123456789abcdef".repeat(4);
const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const T = NOW / 1_000;
const BODY = '{"id":"evt_1","type":"charge.paid","data":{"object":{"name":"João"}}}';

const canonical = (body = BODY, secret: string = SECRET, t = T) => `t=${t},v1=${hmac(secret, `${t}.${body}`)}`;
const legacy = (body = BODY, secret = SECRET) => `sha256=${hmac(secret, body)}`;

interface Given {
  readonly header?: string;
  readonly secret?: string;
  readonly body?: string;
  readonly flags?: readonly string[];
}

function verify({ header = canonical(), secret = SECRET, body = BODY, flags = [] }: Given = {}) {
  const words = ["webhooks", "verify", "--secret", secret, "--signature", header, ...flags];
  return cli.run(words, { input: body, now: () => NOW });
}

describe("a genuine webhook", () => {
  it("ends with 0, from standard input or a file", async () => {
    const right = { code: 0, out: "✓ verified: secret, timestamp and body are right\n", err: "" };
    expect(await verify()).toEqual(right);
    expect(await verify({ flags: ["-"] })).toEqual(right);
    writeFileSync(join(cli.folder, "body.json"), BODY);
    expect(await verify({ body: "unread", flags: ["body.json"] })).toEqual(right);
    expect(await verify({ body: "unread", flags: [join(cli.folder, "body.json")] })).toEqual(right);
  });

  it("can have either form of signature", async () => {
    expect(JSON.parse((await verify({ flags: ["--json"] })).out)).toEqual({
      valid: true,
      form: "canonical",
      reason: "secret, timestamp and body are right",
    });
    expect(JSON.parse((await verify({ header: legacy(), flags: ["--json"] })).out)).toMatchObject({
      valid: true,
      form: "legacy",
    });
  });

  it.each([
    ["spaces", ` t=${T} , v1=${hmac(SECRET, `${T}.${BODY}`)} `],
    ["another order", `v1=${hmac(SECRET, `${T}.${BODY}`)},t=${T}`],
    [
      "two digests, as while a secret is rotated",
      `${canonical(BODY, "an-older-secret")},v1=${hmac(SECRET, `${T}.${BODY}`)}`,
    ],
    ["parts that nobody knows yet", `${canonical()},v2=abc`],
    ["capital letters", canonical().replace(/v1=.*/, (digest) => digest.toUpperCase().replace("V1", "v1"))],
  ])("can have a header with %s", async (_what, header) => {
    expect((await verify({ header })).code).toBe(0);
  });

  it("is one that the signer of the service has signed", async () => {
    expect((await verify({ header: signature("charge.paid", SECRET, BODY, NOW) })).code).toBe(0);
    expect((await verify({ header: signature("payment.completed", SECRET, BODY, NOW) })).code).toBe(0);
  });
});

describe("the timestamp", () => {
  it.each([
    [-300, "5m", true],
    [300, "5m", true],
    [-301, "5m", false],
    [301, "5m", false],
    [-10, "10s", true],
    [-11, "10s", false],
    [-86_400, "1d", true],
  ])("%i seconds from now with a tolerance of %s: %s", async (age, tolerance, valid) => {
    const { code } = await verify({ header: canonical(BODY, SECRET, T + age), flags: ["--tolerance", tolerance] });
    expect(code).toBe(valid ? 0 : 1);
  });

  it("is reported with its distance from now", async () => {
    expect((await verify({ header: canonical(BODY, SECRET, T - 400) })).out).toContain(
      "✗ refused: the timestamp is 400 seconds old: more than 5m. The next attempt is signed anew;",
    );
    expect((await verify({ header: canonical(BODY, SECRET, T + 400) })).out).toContain(
      "✗ refused: the timestamp is 400 seconds ahead of this machine's clock: more than 5m. If all are, set",
    );
    const flags = ["--now", "2026-11-20T12:04:00Z"];
    expect((await verify({ header: canonical(BODY, SECRET, T), flags })).out).toContain("ahead of --now: more than 5m");
  });

  it("is compared with --now, so that an old webhook can be checked", async () => {
    const header = canonical(BODY, SECRET, T - 86_400);
    expect((await verify({ header })).code).toBe(1);
    expect((await verify({ header, flags: ["--now", "2026-11-20T12:04:00Z"] })).code).toBe(0);
  });

  it("is not checked in the legacy form", async () => {
    expect((await verify({ header: legacy(), flags: ["--now", "2036-11-20T12:04:00Z"] })).code).toBe(0);
  });
});

describe("a wrong webhook ends with 1, and the reason is printed", () => {
  const OTHER = "fedcba9876543210".repeat(4);
  const printed = JSON.stringify(JSON.parse(BODY), null, 2);
  const DIAGNOSES: readonly (readonly [string, Given, string])[] = [
    ["another secret", { secret: OTHER }, "the secret is another one, or the body was changed"],
    ["a changed body", { body: BODY.replace("1", "2") }, "the secret is another one, or the body was changed"],
    ["a changed timestamp", { header: canonical().replace(`${T}`, `${T + 1}`) }, "the secret is another one, or"],
    ["a body with a line end", { body: `${BODY}\n` }, "the body has a line end that was not sent"],
    ["a body with that of Windows", { body: `${BODY}\r\n` }, "the body has a line end that was not sent"],
    ["a body printed again", { body: printed }, "the body was parsed and printed again: verify the bytes as received"],
    [
      "a secret decoded from hex",
      { header: `t=${T},v1=${hmacOfBytes(`${T}.${BODY}`)}` },
      "it was computed with the secret decoded from hex; the secret is used as text",
    ],
    [
      "a timestamp left out",
      { header: `t=${T},v1=${hmac(SECRET, BODY)}` },
      "the timestamp was left out of what was signed",
    ],
    ["a body that is no JSON", { body: "{" }, "the secret is another one, or the body was changed"],
    ["a digest too short", { header: `t=${T},v1=abcd` }, "the header is of neither form"],
    ["a digest with more behind it", { header: `${canonical()}x` }, "the header is of neither form"],
  ];
  it.each([
    [{ secret: OTHER }, "the secret is another one"],
    [{ body: `${BODY}\n` }, "a line end that was not sent"],
    [{ body: printed }, "parsed and printed again"],
    [{ header: `sha256=${hmacOfBytes(BODY)}` }, "decoded from hex"],
  ])("the legacy form has the same diagnoses: %j", async (given, reason) => {
    expect((await verify({ header: legacy(), ...given })).out).toContain(reason);
  });

  it.each(DIAGNOSES)("%s", async (_what, given, reason) => {
    const { code, out, err } = await verify(given);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toMatch(/^✗ refused: /);
    expect(out).toContain(reason);
    const asJson = await verify({ ...given, flags: ["--json"] });
    expect([asJson.code, asJson.err]).toEqual([1, ""]);
    expect(JSON.parse(asJson.out)).toMatchObject({ valid: false, reason: expect.stringContaining(reason) });
    expect(out + asJson.out).not.toContain(SECRET);
  });

  const utf16 = (text: string) => Buffer.from(text, "utf16le");
  it.each([
    ["with a byte order mark", Buffer.from(`\ufeff${BODY}`), "a byte order mark that was not sent"],
    ["with a mark and a line end", Buffer.from(`\ufeff${BODY}\r\n`), "a byte order mark that was not sent"],
    ["in UTF-16 with a mark, as PowerShell saves it", utf16(`\ufeff${BODY}\r\n`), "the body is in UTF-16"],
    ["in UTF-16 without a mark", utf16(BODY), "the body is in UTF-16"],
    ["in UTF-16 of the other order", utf16(`\ufeff${BODY}`).swap16(), "the body is in UTF-16"],
    ["in UTF-16 and printed again", utf16(`\ufeff${printed}`), "the body is in UTF-16"],
    ["in Latin-1", Buffer.from(BODY, "latin1"), "saved or read in another encoding"],
    ["in UTF-8 that was read as Latin-1", Buffer.from(Buffer.from(BODY).toString("latin1")), "in another encoding"],
    ["with two line ends", Buffer.from(`${BODY}\n\n`), "a line end that was not sent"],
    ["with a blank behind it", Buffer.from(`${BODY} `), "a line end that was not sent"],
    ["as Python prints it", Buffer.from(BODY.replace(/([,:])"/g, '$1 "').replace("ã", "\\u00e3")), "printed again"],
    ["with the slashes and letters of PHP", Buffer.from(BODY.replace("ã", "\\u00e3")), "printed again"],
    ["with sorted names", Buffer.from('{"data":{},"id":"evt_1","type":"charge.paid"}'), "parsed and printed again"],
  ])("a body %s", async (_what, body, reason) => {
    writeFileSync(join(cli.folder, "saved.json"), body);
    const fromFile = await verify({ body: "unread", flags: ["saved.json"] });
    expect([fromFile.code, fromFile.out]).toEqual([1, expect.stringContaining(reason)]);
    const words = ["webhooks", "verify", "--secret", SECRET, "--signature", canonical()];
    const streams = { input: Readable.from([body.subarray(0, 3), body.subarray(3)]), output: new PassThrough() };
    expect((await cli.run(words, { streams, now: () => NOW })).out).toBe(fromFile.out);
  });

  it.each([
    [`"${SECRET}"`, "quotes or invisible characters"],
    [`'${SECRET}'\n`, "quotes or invisible characters"],
  ])("the secret %j", async (secret, reason) => {
    expect((await verify({ secret })).out).toMatch(new RegExp(reason));
    expect((await verify({ secret, body: `${BODY}\n` })).out).toMatch(new RegExp(reason));
  });

  it.each([`${SECRET}\n`, ` ${SECRET}`, `\ufeff${SECRET}`, `${SECRET}\r`, `\u200b${SECRET}`])(
    "the secret %j is taken without what is around it, as every value of a flag",
    async (secret) => {
      expect((await verify({ secret })).code).toBe(0);
    },
  );

  const key = Buffer.from(SECRET, "base64");
  it.each([
    ["a secret decoded from base64", createHmac("sha256", key).update(`${T}.${BODY}`).digest("hex"), "base64"],
    ["a line end behind the secret", hmac(`${SECRET}\r`, `${T}.${BODY}`), "a line end, quotes"],
    ["no secret", hmac("", `${T}.${BODY}`), "without a secret"],
    ["no dot", hmac(SECRET, T + BODY), "the dot"],
    ["another order", hmac(SECRET, `${BODY}.${T}`), "before the timestamp"],
    ["the object alone", hmac(SECRET, `${T}.{"object":{"name":"João"}}`), "a part of the body"],
    ["a line end after the body", hmac(SECRET, `${T}.${BODY}\n`), "after the body"],
    ["the body printed again", hmac(SECRET, `${T}.${printed}`), "another text of the same JSON"],
  ])("a signature that was computed with %s", async (_what, digest, reason) => {
    expect((await verify({ header: `t=${T},v1=${digest}` })).out).toContain(reason);
  });

  it.each([
    ["milliseconds", NOW, "in milliseconds"],
    ["milliseconds of another year", Date.parse("2031-01-01T00:00:00Z"), "in milliseconds"],
    ["microseconds", `${NOW}000`, "in milliseconds or in a smaller unit"],
    ["nanoseconds", `${NOW}000000`, "in milliseconds or in a smaller unit"],
    ["a small number", 12_345, "far from the present time"],
    ["nothing", 0, "far from the present time"],
    ["a number of no unit", 20_000_000_000, "far from the present time"],
  ])("a timestamp in %s is named, and its distance from now is not shown", async (_what, t, reason) => {
    const { code, out } = await verify({ header: `t=${t},v1=${hmac(SECRET, `${t}.${BODY}`)}` });
    expect([code, out]).toEqual([1, expect.stringContaining(reason)]);
    expect(out).not.toMatch(/seconds (ahead|old)/);
  });

  it.each([
    "",
    "nonsense",
    "t=,v1=",
    `t=${T}`,
    "v1=abc",
    `t=soon,v1=${"0".repeat(64)}`,
    "sha256=abc",
    `sha1=${"0".repeat(40)}`,
  ])("a header of neither form: %j", async (header) => {
    const { code, out } = await verify({ header, flags: ["--json"] });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      valid: false,
      form: null,
      reason: "the header is of neither form: t=<unix>,v1=<hex> or sha256=<hex>",
    });
  });
});

/** A signature with a common mistake: the secret was decoded from hexadecimal. */
function hmacOfBytes(text: string): string {
  return createHmac("sha256", Buffer.from(SECRET, "hex")).update(text).digest("hex");
}
