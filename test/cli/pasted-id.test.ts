import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import { type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";

/** Addresses of console and checkout pages are taken in place of ids. */

let emulator: TestEmulator;
let cli: TestCli;
let charge: Loose;
let raw: string;

beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
  charge = await emulator.charge();
  raw = charge.id.slice(3);
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

/** The path and query of a command's request. */
async function asked(...words: string[]): Promise<string> {
  const { code, out, err } = await cli.run([...words, "--dry-run", "--json"]);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out).url.slice(emulator.url.length);
}

async function refused(...words: string[]): Promise<string> {
  const { code, out, err } = await cli.run(words);
  expect([code, out]).toEqual([2, ""]);
  return err;
}

const at = (path: string) => `${emulator.url}${path}`;

describe("an address of a page is taken as the id in it", () => {
  it("of the checkout page, as the service gives it", async () => {
    expect(charge.checkout_url).toMatch(/\/checkout\/[0-9a-f-]{36}\?k=/);
    const { code, out } = await cli.run(["charges", "get", charge.checkout_url, "--json"]);
    expect([code, JSON.parse(out).id]).toEqual([0, charge.id]);
  });

  it.each([
    ["/checkout/RAW?k=secret", "charges get", "/v1/charges/ch_RAW"],
    ["/checkout/RAW?k=secret", "payments get", "/v1/payments/tx_RAW"],
    ["/card/RAW?k=secret", "payments get", "/v1/payments/tx_RAW"],
    ["/boleto/RAW.pdf?k=secret", "payments get", "/v1/payments/tx_RAW"],
    ["/receipt/RAW.pdf?signature=secret", "payments get", "/v1/payments/tx_RAW"],
    ["/qr/RAW.png", "charges get", "/v1/charges/ch_RAW"],
    ["/console/charges/ch_RAW?tab=money", "charges get", "/v1/charges/ch_RAW"],
    ["/console/charges/ch_RAW", "payments refunds", "/v1/payments/tx_RAW/refunds"],
    ["/console/payments/tx_RAW", "sandbox pay", "/_sandbox/charges/ch_RAW/pay"],
    [
      "/console/deliveries/wd_RAW?attempt=3",
      "sandbox deliveries resend",
      "/_sandbox/webhooks/deliveries/wd_RAW/resend",
    ],
    ["/console/med/med_RAW/", "med get", "/v1/med/cases/med_RAW"],
    ["/console/payouts/po_RAW", "sandbox payouts pay", "/_sandbox/payouts/po_RAW/pay"],
    ["/console/go/med_RAW", "med get", "/v1/med/cases/med_RAW"],
  ])("%s of %s", async (address, command, path) => {
    expect(await asked(...command.split(" "), at(address.replace("RAW", raw)))).toBe(path.replace("RAW", raw));
  });

  it("in a flag that names an object", async () => {
    expect(await asked("med", "list", "--charge-id", charge.checkout_url)).toBe(`/v1/med/cases?charge_id=${charge.id}`);
    expect(await asked("trigger", "charge.expired", "--charge", charge.checkout_url)).toContain(charge.id);
  });

  it("with localhost for 127.0.0.1, and in the quotes of a mail", async () => {
    const there = charge.checkout_url.replace("127.0.0.1", "localhost");
    expect(await asked("charges", "get", `<${there}>`)).toBe(`/v1/charges/${charge.id}`);
  });

  it("and text of a field that is no id stays as it is", async () => {
    const url = at(`/console/charges/${charge.id}`);
    const { out } = await cli.run([
      "webhooks",
      "endpoints",
      "create",
      "--url",
      url,
      "--events",
      "charge.paid",
      "--dry-run",
      "--json",
    ]);
    expect(JSON.parse(out).body.url).toBe(url);
  });
});

describe("an address is refused before anything is sent", () => {
  it("when it is of another host, with the id to give alone", async () => {
    const other = `https://pay.example/console/charges/${charge.id}`;
    const err = await refused("sandbox", "pay", other);
    expect(err).toContain(`The address is of https://pay.example, and this command goes to ${emulator.url}.`);
    expect(err).toContain(`give it alone: ${charge.id}.`);
    expect((await emulator.call("GET", `/v1/charges/${charge.id}`)).body.status).toBe("pending");
  });

  it("when it shows an object of another kind", async () => {
    const err = await refused("charges", "get", at(`/console/deliveries/wd_${raw}`));
    expect(err).toContain("is an address of deliveries, and this command takes one of charges.");
  });

  it.each(["/console", "/console/charges", "/v1/charges/ch_1", "/checkout/nonsense", "/"])(
    "when %s is no page of one object",
    async (path) => {
      expect(await refused("charges", "get", at(path))).toContain("is not the address of a page that shows an object");
    },
  );
});

describe("the control interface", () => {
  it("takes an address in its paths, and /v1 does not", async () => {
    const paid = await emulator.charge();
    const id = encodeURIComponent(paid.checkout_url);
    expect((await emulator.call("GET", `/v1/charges/${id}`)).status).toBe(404);
    const { status, body } = await emulator.call("POST", `/_sandbox/charges/${id}/pay`, { body: {} });
    expect([status, body.charge.id, body.charge.status]).toEqual([200, paid.id, "paid"]);
  });
});
