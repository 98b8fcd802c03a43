import { createServer } from "node:https";
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import type { EventName } from "../../../src/service/features/webhooks/catalogue.js";
import { testCli } from "../../support/cli.js";
import { type Loose, startEmulator } from "../../support/emulator.js";
import { SELF_SIGNED } from "../../support/self-signed.js";
import {
  closeReceivers,
  type Got,
  genuine,
  isGenuine,
  OLD_SECRET,
  receiver,
  runAndJudge,
  runTest,
  SECRET,
} from "../../support/webhook-receivers.js";
import { subscribe } from "../../support/webhooks.js";

/** `webhooks test`: its deliveries, its output and its exit codes. */

const cli = testCli();
afterEach(closeReceivers);
afterAll(() => cli.remove());

const FORGED = ["wrong-signature", "other-body", "wrong-secret", "no-signature", "malformed-signature"];

describe("a receiver that does everything right", () => {
  it("passes every case, and the command ends with 0", async () => {
    const { code, report, cases, failed } = await runAndJudge(cli, genuine());
    expect([code, report.passed, failed]).toEqual([0, true, []]);
    expect(report.summary).toEqual({ passed: 24, failed: 0, noted: 1 });
    expect(Object.keys(cases)).toEqual([
      ...["charge.created", "charge.paid", "payment.completed", "med_case.created", "payout.paid"],
      ...["same-event", "retry", ...FORGED, "legacy-on-canonical", "stale-timestamp", "future-timestamp"],
      ...["unknown-event", "unknown-fields", "unknown-values", "letters-in-cnpj", "out-of-order", "unicode", "escapes"],
      ...["large-body", "slow-body", "at-once"],
    ]);
    expect(cases["charge.paid"]).toEqual({
      name: "charge.paid",
      sends: "a charge.paid, signed",
      expected: "2xx",
      required: true,
      verdict: "passed",
      answers: [{ status_code: 204, duration_ms: expect.any(Number), error: null }],
      advice: null,
      advice_code: null,
      advice_params: null,
    });
    expect(cases["same-event"].advice).toContain("cannot be seen from here");
  });

  it("is shown as a table, alone on standard output", async () => {
    const { url } = await receiver(genuine());
    const { code, out, err } = await runTest(cli, url);
    expect(code).toBe(0);
    expect(out).toMatch(/^VERDICT +CASE +SENT +EXPECTED +GOT\n/);
    expect(out).toMatch(/^✓ passed +charge\.created +a charge\.created, signed +2xx +204, \d+ ms$/m);
    expect(out).toMatch(/^✓ passed +at-once +10 events at the same time +2xx +10 × 204, \d+ ms$/m);
    expect(out).toMatch(/^• noted +future-timestamp .* 2xx or 4xx +401, \d+ ms$/m);
    expect(out).toMatch(/\n24 of 24 answered correctly\.\n$/);
    expect(err).toMatch(/^Sending \d+ deliveries to http:.*30s for each answer\.\n$/);
    expect((await runTest(cli, url, "--quiet", "--only", "charge.paid")).err).toBe("");
  });

  it("gets every delivery with its own ids, except those that are repeated on purpose", async () => {
    const { place } = await runAndJudge(cli, genuine());
    const ids = place.received.map(({ headers }) => headers["x-qa-delivery-id"]);
    expect(ids.length - new Set(ids).size).toBe(1);
    const digests = place.received.map(({ headers }) => headers["x-qa-signature"]);
    const repeated = place.received.filter(({ headers }, index) => ids.indexOf(headers["x-qa-delivery-id"]) !== index);
    expect(repeated).toHaveLength(1);
    expect(digests.filter((digest) => digest === repeated[0]?.headers["x-qa-signature"])).toHaveLength(1);
  });

  it("gets the unusual bodies byte for byte", async () => {
    const { place } = await runAndJudge(cli, genuine(), "--only", "escapes,unicode,large-body");
    const [unicode, escapes, large] = place.received;
    expect(unicode?.text).toMatch(/\u{1f469}\u200d\u{1f4bb}/u);
    expect(unicode?.text).toContain("Zoe\u0308");
    expect(escapes?.text).toMatch(/\\ud83d\\udc69.*https:\\\/\\\//);
    expect(escapes?.text).toMatch(/^[\x20-\x7e]+$/);
    expect(escapes?.body.data.object.customer).toEqual(unicode?.body.data.object.customer);
    expect(Buffer.byteLength(large?.text ?? "")).toBe(100_000);
  });
});

describe("a case that allows either answer is noted", () => {
  it("for a timestamp from the future", async () => {
    const strict = await runAndJudge(cli, genuine(), "--only", "future-timestamp");
    expect([strict.code, strict.cases["future-timestamp"].verdict]).toEqual([0, "noted"]);
    expect(strict.cases["future-timestamp"].advice).toContain("is refused");
    const lax = await runAndJudge(cli, genuine(undefined, { ahead: 1e9 }), "--only", "future-timestamp");
    expect([lax.code, lax.cases["future-timestamp"].advice]).toEqual([0, expect.stringContaining("is accepted")]);
    const broken = await runAndJudge(cli, () => 500, "--only", "future-timestamp");
    expect([broken.code, broken.cases["future-timestamp"].advice]).toEqual([
      0,
      expect.stringMatching(/^The receiver failed/),
    ]);
  });

  it("for the secret before a rotation, which is tried only with --old-secret", async () => {
    const old = ["--old-secret", OLD_SECRET];
    const after = await runAndJudge(cli, genuine(), ...old);
    expect([after.code, after.cases["old-secret"].advice]).toEqual([0, expect.stringContaining("is refused")]);
    const during = await runAndJudge(cli, genuine(undefined, { secrets: [SECRET, OLD_SECRET] }), ...old);
    expect([during.code, during.cases["old-secret"].advice]).toEqual([0, expect.stringContaining("is accepted")]);
    expect(during.cases["old-secret"].answers).toHaveLength(2);
    const half = (got: Got) => (isGenuine(got) || got.type.startsWith("payment.") ? 204 : 401);
    const mixed = await runAndJudge(cli, half, ...old, "--only", "old-secret");
    expect(mixed.cases["old-secret"].advice).toBe("1 of 2 deliveries are accepted");
  });
});

describe("without an answer the command ends with 7", () => {
  it("because no server listens", async () => {
    const place = await receiver(() => 204);
    await place.close();
    const { code, out, err } = await runTest(cli, place.url);
    expect([code, out]).toEqual([7, ""]);
    expect(err).toMatch(/No receiver answers at http:\/\/127\.0\.0\.1:\d+ \(connection refused/);
    expect(err).toContain("Start the receiver, or correct the address, and run the command again.\n");
    const asJson = await runTest(cli, place.url, "--json");
    expect([asJson.code, asJson.out]).toEqual([7, ""]);
    expect(JSON.parse(asJson.err).error).toMatchObject({
      code: "unreachable",
      hint: expect.stringContaining("Start the receiver"),
    });
    expect((await runTest(cli, place.url, "--only", "slow-body")).code).toBe(7);
  });

  it("because the receiver hangs, after two cases", async () => {
    // The time of an answer is over when the delivery has arrived: a slow machine changes nothing.
    const overs: (() => void)[] = [];
    const { after } = realTime;
    const timers = vi.spyOn(realTime, "after").mockImplementation((ms, over) => {
      if (ms !== 50) return after(ms, over);
      overs.push(over);
      return { cancel: () => {} };
    });
    onTestFinished(() => timers.mockRestore());
    const place = await receiver(() => {
      for (const over of overs.splice(0)) over();
      return null;
    });
    const { code, err } = await runTest(cli, place.url, "--timeout", "50ms");
    expect([code, err]).toEqual([7, expect.stringContaining("no answer within 0.05 seconds")]);
    expect(err).toContain("--timeout allows more time.\n");
    // The first event, and a forgery in both forms.
    expect(place.received.map(({ type }) => type)).toEqual(["charge.created", "charge.paid", "payment.completed"]);
    expect((await runTest(cli, place.url, "--timeout", "50ms", "--only", "slow-body")).code).toBe(7);
  });

  it("because its certificate is not trusted", async () => {
    const server = createServer(SELF_SIGNED, (_request, response) => response.writeHead(204).end());
    const port = await listenOnLoopback(server);
    const url = `https://127.0.0.1:${port}/`;
    const { code, err } = await runTest(cli, url);
    expect([code, err]).toEqual([7, expect.stringContaining("invalid TLS certificate: self-signed")]);
    expect((await runTest(cli, url, "--only", "slow-body")).code).toBe(7);
    await new Promise((resolve) => server.close(resolve));
  });

  it("because its answers never end", async () => {
    const place = await receiver((_got, response) => {
      response.writeHead(200).write("still here");
      return null;
    });
    expect((await runTest(cli, place.url, "--timeout", "50ms")).code).toBe(7);
  });
});

describe("the command line", () => {
  it("reads the secret from standard input", async () => {
    const place = await receiver(genuine());
    const words = ["webhooks", "test", place.url, "--secret", "-", "--only", "charge.paid,at-once"];
    expect((await cli.run(words, { input: `${SECRET}\n` })).code).toBe(0);
    expect(place.received).toHaveLength(11);
  });

  it("shows every request with --dry-run without the secret, and sends none", async () => {
    const place = await receiver(genuine());
    const { code, out, err } = await runTest(cli, place.url, "--dry-run", "--only", "same-event,stale-timestamp");
    expect([code, err]).toEqual([0, ""]);
    expect(out.match(/^POST http/gm)).toHaveLength(3);
    expect(out).not.toContain(SECRET);
    expect(place.received).toHaveLength(0);
  });
});

it("a test webhook is like a webhook of the service has the same headers, fields and order", async () => {
  const types: EventName[] = ["charge.created", "charge.paid", "payment.completed", "med_case.created", "payout.paid"];
  const real = await receiver(() => 204);
  const emulator = await startEmulator();
  await subscribe(emulator, real.url, types);
  const customer = { name: "Maria Silva", document: "52998224725", email: "maria@example.com" };
  const { id } = await emulator.charge({ description: "Pedido 42", customer });
  await emulator.sandbox(`/charges/${id}/pay`);
  await emulator.sandbox("/med-cases", { charge_id: id, method: "scam", reason: "Goods never arrived" });
  const payout = await emulator.sandbox("/payouts", { amount: 500, pix_key: "maria@example.com" });
  await emulator.sandbox(`/payouts/${payout.id}/pay`);
  await emulator.sandbox("/clock/advance", { seconds: 0 });
  await emulator.close();
  const made = await runAndJudge(cli, genuine(), "--only", types.join());
  for (const type of types) {
    const [theirs, ours] = [real, made.place].map(({ received }) => received.find((got) => got.type === type));
    expect(layout(ours?.body)).toEqual(layout(theirs?.body));
    const named = (got: Got | undefined) => Object.keys(got?.headers ?? {});
    expect(named(ours)).toEqual(named(theirs));
    for (const header of ["content-type", "user-agent", "x-qa-event-type"]) {
      expect(ours?.headers[header]).toBe(theirs?.headers[header]);
    }
    expect(ours?.body.api_version).toBe(theirs?.body.api_version);
  }
});

/** Every field in order, with the type of its value. */
function layout(value: Loose): unknown {
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return Object.entries(value).map(([name, inner]) => [name, layout(inner)]);
}
