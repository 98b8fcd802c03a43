import { beforeAll, describe, expect, it } from "vitest";
import { freshKey } from "../../support/emulator.js";
import { startWire } from "../../support/every-command.js";
import { payment } from "../../support/payments.js";
import { paidPayment } from "../../support/refunds.js";
import { shared, sharedCli, sharedEmulator } from "../../support/shared.js";

/** `payments get` also shows a person the refunds of the payment. */

const emulator = sharedEmulator({ frozen: true });
const wire = shared(() =>
  startWire(emulator, (answer) => (isBroken && answer.toString().startsWith("[") ? Buffer.from("gone") : answer)),
);
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: wire.url, QA_PAY_API_KEY: emulator.key }));
let id: string;
let isBroken = false;

beforeAll(async () => {
  ({ id } = await paidPayment(emulator));
});

const get = (...words: string[]) => cli.run(["payments", "get", ...words]);
const asked = () => wire.taken().map(({ method, url }) => `${method} ${url}`);

describe("payments get", () => {
  it("shows no list while there is no refund", async () => {
    const { code, out, err } = await get(id);
    expect([code, err, out.includes("Refunds")]).toEqual([0, "", false]);
  });

  it("shows the refunds below the payment", async () => {
    for (const amount of [100, 250]) {
      const body = { amount, idempotencyKey: freshKey() };
      expect((await emulator.call("POST", `/v1/payments/${id}/refund`, { body })).status).toBe(201);
    }
    const { code, out, err } = await get(id);
    expect([code, err]).toEqual([0, ""]);
    const below = (out.split("\nRefunds\n")[1] ?? "").replaceAll("\u00a0", " ");
    expect(below).toMatch(/^Refund +Status +Amount /);
    expect(below).toContain("R$ 1,00");
    expect(below).toContain("R$ 2,50");
  });

  it("prints the answer alone with --json and --quiet, and reads no refunds then", async () => {
    wire.taken();
    const { out } = await get(id, "--json");
    expect(out).toBe(`${JSON.stringify((await emulator.call("GET", `/v1/payments/${id}`)).body)}\n`);
    await get(id, "--quiet");
    expect(asked()).toEqual([`GET /v1/payments/${id}`, `GET /v1/payments/${id}`]);
  });

  it("does not request refunds of a payment that nobody has paid", async () => {
    const { id: open } = await payment(emulator);
    wire.taken();
    expect((await get(open)).code).toBe(0);
    expect(asked()).toEqual([`GET /v1/payments/${open}`]);
  });

  it("ends with 0 when the refunds cannot be read, and says so", async () => {
    isBroken = true;
    const { code, out, err } = await get(id);
    isBroken = false;
    expect([code, out]).toEqual([0, expect.stringContaining("PAID")]);
    expect(err).toBe(
      `Refunds could not be read: The host answered with something other than JSON. Try that command alone: qa-pay payments refunds ${id}\n`,
    );
  });
});
