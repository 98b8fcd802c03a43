import { afterAll, afterEach, describe, expect, it } from "vitest";
import { testCli } from "../../support/cli.js";
import {
  closeReceivers,
  type Got,
  genuine,
  type Handler,
  isGenuine,
  OLD_SECRET,
  receiver,
  runAndJudge,
  runTest,
  SECRET,
} from "../../support/webhook-receivers.js";

/** `webhooks test` against receivers that each make one of the mistakes it knows. */

const cli = testCli();
afterEach(closeReceivers);
afterAll(() => cli.remove());

const FORGED = ["wrong-signature", "other-body", "wrong-secret", "no-signature", "malformed-signature"];

/** Answers 409 to an event that came before. */
function onceOnly(keyOf: (got: Got) => unknown): (got: Got) => number {
  const seen = new Set<unknown>();
  return (got) => {
    const key = keyOf(got);
    if (seen.has(key)) return 409;
    seen.add(key);
    return 204;
  };
}

describe("a receiver with one mistake fails the case about it, with advice", () => {
  /** The names of the failing cases, and the advice for one of them. */
  it.each<[string, readonly string[], RegExp, () => Handler]>([
    ["accepts everything", [...FORGED, "legacy-on-canonical", "stale-timestamp"], /Compute the HMAC/, () => () => 204],
    ["refuses an event id that it knows", ["same-event", "retry"], /do nothing/, () => genuine(onceOnly(eventId))],
    [
      "refuses a delivery id that it knows",
      ["retry"],
      /fresh timestamp/,
      () => genuine(onceOnly(({ headers }) => headers["x-qa-delivery-id"])),
    ],
    [
      "parses the body and prints it again before verifying",
      ["escapes"],
      /bytes as received, before parsing/,
      () => genuine(undefined, { signed: ({ body }) => JSON.stringify(body) }),
    ],
    [
      "reads the body as another character set",
      ["unicode", "slow-body"],
      /decode it as UTF-8/,
      () => genuine(undefined, { signed: ({ chunks }) => Buffer.concat(chunks).toString("latin1") }),
    ],
    ["checks no timestamp", ["stale-timestamp"], /played back/, () => genuine(undefined, { past: 1e9, ahead: 1e9 })],
    [
      "lets the header say which form it is signed in",
      ["legacy-on-canonical"],
      /legacy events only/,
      () => genuine(undefined, { anyForm: true }),
    ],
    [
      "checks a signature only where there is one",
      ["no-signature"],
      /anybody who knows the address/,
      () => (got) => (got.headers["x-qa-signature"] === undefined || isGenuine(got) ? 204 : 401),
    ],
    [
      "breaks on a header that it cannot read",
      ["malformed-signature"],
      /The receiver failed \(500\) instead of refusing.*form and length/,
      () => (got) => (/^((t=\d+,v1|sha256)=[0-9a-f]{64})?$/.test(signatureOf(got)) ? strict(got) : 500),
    ],
    [
      "checks that the signature is one of its secret, but not what it signs",
      ["other-body"],
      /over the whole body/,
      () => genuine(undefined, { signed: ({ text }) => text.replace('"amount":199000', '"amount":1990') }),
    ],
    [
      "looks at the beginning of a signature only",
      ["wrong-signature"],
      /Compute the HMAC/,
      () => (got) => (isGenuine(got) || isGenuine(mended(got)) ? 204 : 401),
    ],
    [
      "knows the secrets of everybody",
      ["wrong-secret"],
      /Compute the HMAC/,
      () => (got) => (isGenuine(got) || isForeign(got) ? 204 : 401),
    ],
    ["refuses event types that it does not know", ["unknown-event"], /unknown type/, () => genuine(known)],
    [
      "refuses fields that it does not know",
      ["unknown-fields"],
      /Ignore unknown fields/,
      () => genuine(({ body }) => (body.sequence === undefined ? 204 : 422)),
    ],
    [
      "refuses values that it does not know",
      ["unknown-values"],
      /Take a value that you do not know as unknown/,
      () =>
        genuine(({ body }) =>
          body.type !== undefined && body.data.object.payment_method === "a_new_value" ? 422 : 204,
        ),
    ],
    [
      "takes a CNPJ of digits alone",
      ["letters-in-cnpj"],
      /Keep the letters of a CNPJ/,
      () => genuine(({ body }) => (/[A-Z]/.test(body.data.object?.customer?.document ?? "") ? 422 : 204)),
    ],
    [
      "demands the creation of a charge before its payment",
      ["out-of-order"],
      /in any order/,
      () => genuine(createdFirst()),
    ],
    ["takes 64 kB", ["large-body"], /Raise the limit/, () => genuine(({ text }) => (text.length > 65_536 ? 413 : 204))],
    ["takes no MED events", ["med_case.created"], /MED events/, () => genuine(allBut("med_case.created"))],
    ["takes no payouts", ["payout.paid"], /Payout events/, () => genuine(allBut("payout.paid"))],
    [
      "breaks on what is no charge.*",
      ["payment.completed", "med_case.created", "payout.paid", "unknown-event", "unknown-values"],
      /The receiver failed \(500\)\. Verify legacy events/,
      () => genuine(({ body }) => (String(body.type).startsWith("charge.") ? 204 : 500)),
    ],
    [
      "does not take charge.created",
      ["charge.created", "out-of-order"],
      /Verify the bytes/,
      () => genuine(allBut("charge.created")),
    ],
  ])("%s", async (_title, names, advice, handlerOf) => {
    const { code, failed, cases } = await runAndJudge(cli, handlerOf());
    expect(failed).toEqual(names);
    expect(code).toBe(1);
    expect(cases[names[0] ?? ""]?.advice).toMatch(advice);
  });

  it("by decoding each piece of a body by itself", async () => {
    const handler = genuine(undefined, { signed: ({ chunks }) => chunks.map(String).join("") });
    const place = await receiver(handler);
    const words = ["webhooks", "test", place.url, "--secret", SECRET, "--only", "slow-body"];
    const { code, out } = await cli.run(words, { pause: () => place.piece });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ failed +slow-body .* 401, /);
    expect(out).toContain("may come late and end inside a character");
    expect(place.received[0]?.chunks.length).toBeGreaterThan(1);
  });

  it("by taking one event at a time", async () => {
    let held = 0;
    let release = () => {};
    const free = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { code, cases } = await runAndJudge(
      cli,
      async () => {
        held += 1;
        if (held === 10) release();
        if (held > 1) return 503;
        await free;
        return 204;
      },
      ...["--only", "at-once"],
    );
    expect(code).toBe(1);
    expect(cases["at-once"].answers).toHaveLength(10);
    expect(cases["at-once"].advice).toMatch(/^The receiver failed \(503\)\. Put events into a queue/);
  });

  it("by redirecting, which is not followed", async () => {
    const elsewhere = await receiver(genuine());
    const { code, report, cases, place } = await runAndJudge(cli, (_got, response) => {
      response.writeHead(308, { location: elsewhere.url }).end();
      return null;
    });
    expect([code, report.summary.passed]).toEqual([1, 0]);
    expect(cases["charge.paid"].advice).toMatch(/redirect \(308\) is not followed and counts as a failure/);
    expect(cases["no-signature"].verdict).toBe("failed");
    expect([place.received.length > 20, elsewhere.received.length]).toEqual([true, 0]);
  });

  it("by limiting the rate, which does not count as a refusal", async () => {
    const { failed, cases } = await runAndJudge(cli, () => 429, "--only", "charge.paid,no-signature");
    expect(failed).toEqual(["charge.paid", "no-signature"]);
    expect(cases["no-signature"].advice).toContain("limits the rate");
  });

  it("by answering good events too late", async () => {
    const words = ["--only", "charge.paid,no-signature", "--timeout", "1s"];
    const { code, failed, cases } = await runAndJudge(cli, (got) => (isGenuine(got) ? null : 401), ...words);
    expect([code, failed]).toEqual([1, ["charge.paid"]]);
    expect(cases["charge.paid"].answers[0]).toMatchObject({ status_code: null, error: "no answer within 1 second" });
    expect(cases["charge.paid"].advice).toContain("answer first and work afterwards");
  });

  it("by closing the connection instead of answering", async () => {
    const { failed, cases } = await runAndJudge(
      cli,
      (got, response) => {
        if (!isGenuine(got)) return 401;
        response.destroy();
        return null;
      },
      ...["--only", "charge.paid,no-signature,slow-body"],
    );
    expect(failed).toEqual(["charge.paid", "slow-body"]);
    expect(cases["charge.paid"].advice).toMatch(/no answer \(.+\): answer every request/);
  });

  it("in the secret: one cause is named for all cases", async () => {
    const { code, report } = await runAndJudge(cli, genuine(undefined, { secrets: [OLD_SECRET] }));
    expect([code, report.hint]).toEqual([1, expect.stringContaining("Does the receiver know this secret")]);
    const { url } = await receiver(() => 404);
    expect((await runTest(cli, url)).out).toContain("and is this its address?");
  });
});

function signatureOf({ headers }: Got): string {
  return String(headers["x-qa-signature"] ?? "");
}

function strict(got: Got): number {
  return isGenuine(got) ? 204 : 401;
}

function eventId({ body }: Got): unknown {
  return body.id ?? body.data.transactionId;
}

function allBut(type: string): (got: Got) => number {
  return (got) => (got.type === type ? 400 : 204);
}

function known({ type }: Got): number {
  return /^(charge|payment|payout|med_case)\./.test(type) ? 204 : 400;
}

/** Answers 409 to the creation of a charge whose payment came before. */
function createdFirst(): (got: Got) => number {
  const paid = new Set<string>();
  return ({ type, body }) => {
    const id = body.data.object?.id;
    if (type === "charge.paid") paid.add(id);
    return type === "charge.created" && paid.has(id) ? 409 : 204;
  };
}

/** The same delivery with the last digit of its signature corrected. */
function mended(got: Got): Got {
  const start = signatureOf(got).slice(0, -1);
  const right = [..."0123456789abcdef"].map((digit) => ({
    ...got,
    headers: { ...got.headers, "x-qa-signature": start + digit },
  }));
  return right.find((one) => isGenuine(one)) ?? got;
}

/** A signature of the right form and time that was not made with the secret, nor with one of the usual mistakes. */
function isForeign(got: Got): boolean {
  if (!/^(t=\d+,v1|sha256)=[0-9a-f]{64}$/.test(signatureOf(got)) || isGenuine(mended(got))) return false;
  const before = { ...got, text: got.text.replace('"amount":199000', '"amount":1990') };
  const legacyHeader = signatureOf(got).startsWith("sha256=") && !got.type.startsWith("payment.");
  return !legacyHeader && !isGenuine(before) && !isGenuine(got, { past: 1e9, ahead: 1e9 });
}
