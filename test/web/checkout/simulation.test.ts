import { describe, expect, it } from "vitest";
import { SIMULATION_ACTIONS } from "../../../src/web/checkout/simulation-offers.js";
import { DOCUMENTS, eventsOf, statusOf } from "../../support/charges.js";
import type { Answer, Loose } from "../../support/emulator.js";
import { payment, REQUESTS } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";
import { checkoutUrlOf, open } from "./pages.js";

const emulator = sharedEmulator({ frozen: true });

const expected = { customer: { name: "Maria", document: DOCUMENTS.cpf }, expected_payer_tax_id: DOCUMENTS.cpf };

interface Sent {
  readonly body?: unknown;
  /** Headers in place of those of the page; null leaves one out. */
  readonly headers?: Record<string, string | null>;
  readonly choices?: string;
}

/** Sends what the page sends when its button is pressed. */
function simulate(checkoutUrl: string, action: string, { body = { action }, headers = {}, choices = "" }: Sent = {}) {
  const { pathname, search } = new URL(checkoutUrl);
  const all = {
    origin: emulator.url,
    "sec-fetch-site": "same-origin",
    "x-qa-checkout": "1",
    "content-type": "application/json",
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  return emulator.call("POST", `${pathname}/simulate${search}${choices}`, {
    key: null,
    raw: new TextEncoder().encode(raw),
    headers: Object.fromEntries(sent),
  });
}

const stateAt = async (url: string): Promise<Loose> => JSON.parse((await open(url.replace("?", "/status?"))).text);
const offersAt = async (url: string) => {
  const { simulation } = await stateAt(url);
  return simulation.filter(({ impossible }: Loose) => impossible === null).map(({ action }: Loose) => action);
};

describe("the simulation of a checkout", () => {
  it.each([
    ["pay", {}, "paid", "***.456.789-** pagou R$ 19,90. A cobrança está paga."],
    ["pay", expected, "paid", "***.982.247-** pagou R$ 19,90. A cobrança está paga."],
    ["pay_other", {}, "paid", "***.444.777-** pagou R$ 19,90. A cobrança está paga."],
    ["pay_other", expected, "refunded", "mas não é o pagador esperado. O dinheiro voltou."],
    ["pay_less", {}, "pending", "R$ 9,95 foram pagos e devolvidos."],
    ["review", expected, "processing", "A cobrança está em análise."],
    ["expire", {}, "expired", "A cobrança expirou."],
    ["fail", {}, "failed", "O provedor recusou a cobrança."],
  ])("%s on a charge with %o changes it to %s, and says so", async (action, body, status, text) => {
    const charge = await emulator.charge(body);
    const answer = await simulate(charge.checkout_url, action);
    expect(answer.status).toBe(200);
    expect(answer.body.text).toContain(text);
    expect(answer.body.state.status).toBe(status);
    expect(answer.body.state).toEqual(await stateAt(charge.checkout_url));
    expect(await statusOf(emulator, charge.id)).toBe(status);
  });

  it.each([
    ["approve", "paid", "A análise aprovou o pagamento."],
    ["reject", "refunded", "A análise rejeitou o pagamento."],
  ])("%s ends a review: the charge is %s", async (action, status, text) => {
    const charge = await emulator.charge(expected);
    await simulate(charge.checkout_url, "review");
    expect(await offersAt(charge.checkout_url)).toEqual(["pay", "pay_other", "pay_less", "approve", "reject"]);
    const answer = await simulate(charge.checkout_url, action);
    expect(answer.body.text).toContain(text);
    expect(await statusOf(emulator, charge.id)).toBe(status);
  });

  it("pays as somebody else, even when the usual other payer is the expected one", async () => {
    const document = DOCUMENTS.otherCpf;
    const charge = await emulator.charge({ customer: { name: "Ana", document }, expected_payer_tax_id: document });
    expect((await simulate(charge.checkout_url, "pay_other")).body.state.status).toBe("refunded");
  });

  it("speaks the language of its page", async () => {
    const charge = await emulator.charge();
    const { body } = await simulate(charge.checkout_url, "pay", { choices: "&lang=en" });
    expect(body.text).toBe("***.456.789-** paid R$ 19,90. The charge is paid.");
    expect(body.state.title).toBe("Payment confirmed");
  });

  it("sends the events of what it does, with the page as their cause", async () => {
    const charge = await emulator.charge();
    await simulate(charge.checkout_url, "pay");
    expect(await eventsOf(emulator, charge.id)).toContain("charge.paid");
    const { items } = await emulator.sandbox(`/timeline/${charge.id}`);
    const paid = items.find(({ text }: Loose) => text.startsWith("paid"));
    expect(paid.cause).toMatch(/^page \/checkout\/\{id\}\/simulate \(request \d+\)$/);
  });

  it("paying twice at once is one payment, and the other goes back", async () => {
    const charge = await emulator.charge();
    const answers = await Promise.all([simulate(charge.checkout_url, "pay"), simulate(charge.checkout_url, "pay")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const events = await eventsOf(emulator, charge.id);
    expect(events.filter((type) => type === "charge.paid")).toHaveLength(1);
    expect((await stateAt(charge.checkout_url)).notice).toContain("já estava paga");
  });
});

it("a payment that comes too late is offered with what becomes of the money", async () => {
  const { id, checkout_url: url } = await emulator.charge();
  const hints = async () =>
    (await stateAt(`${url}&lang=en`)).simulation
      .filter(({ hint }: Loose) => hint !== null)
      .map(({ action, hint }: Loose) => [action, hint]);
  expect(await hints()).toEqual([]);
  await emulator.sandbox(`/charges/${id}/pay`, {});
  const late = "The money goes back";
  expect(await hints()).toEqual([
    ["pay", late],
    ["pay_other", late],
    ["pay_less", late],
  ]);
});

describe("what the simulation refuses", () => {
  const unchanged = async (answer: Answer, charge: Loose, code: string, param?: string) => {
    expectRefused(answer, code, param);
    expect(await statusOf(emulator, charge.id)).toBe("pending");
    expect(await eventsOf(emulator, charge.id)).toEqual(["charge.created", "payment.created"]);
  };

  it.each<[string, Record<string, string | null>]>([
    ["of another origin", { origin: "https://shop.example" }],
    ["of another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["without an origin", { origin: null }],
    ["of an opaque origin", { origin: "null" }],
    ["that its browser calls cross-site", { "sec-fetch-site": "cross-site" }],
    ["that its browser calls same-site", { "sec-fetch-site": "same-site" }],
    ["that a person typed", { "sec-fetch-site": "none" }],
    ["without its own header", { "x-qa-checkout": null }],
    ["with another value of its header", { "x-qa-checkout": "yes" }],
  ])("a request %s", async (_name, headers) => {
    const charge = await emulator.charge();
    await unchanged(await simulate(charge.checkout_url, "pay", { headers }), charge, "origin_not_allowed");
  });

  it("takes a browser that sends no Sec-Fetch-Site", async () => {
    const charge = await emulator.charge();
    const { status } = await simulate(charge.checkout_url, "pay", { headers: { "sec-fetch-site": null } });
    expect(status).toBe(200);
  });

  it.each<[string, Sent, string | undefined]>([
    [
      "a form",
      { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "action=pay" },
      "Content-Type",
    ],
    ["no action", { body: {} }, "action"],
    ["an unknown action", { body: { action: "refund" } }, "action"],
    ["a name of every object", { body: { action: "toString" } }, "action"],
    ["an action that is no text", { body: { action: ["pay"] } }, "action"],
  ])("%s", async (_name, sent, param) => {
    const charge = await emulator.charge();
    await unchanged(await simulate(charge.checkout_url, "pay", sent), charge, "invalid_request", param);
  });

  it("a wrong token, and that of another charge", async () => {
    const [charge, other] = [await emulator.charge(), await emulator.charge()];
    const swapped = charge.checkout_url.split("?")[0] + new URL(other.checkout_url).search;
    for (const url of [`${charge.checkout_url}x`, charge.checkout_url.split("?")[0], swapped]) {
      await unchanged(await simulate(url, "pay"), charge, "not_found");
    }
  });

  it("being read", async () => {
    const charge = await emulator.charge();
    expect((await open(charge.checkout_url.replace("?", "/simulate?"))).status).toBe(404);
  });

  it.each([
    ["review", {}, "expected_payer_tax_id"],
    ["approve", {}, "análise"],
    ["reject", {}, "análise"],
    ["pay_less", { amount: 1 }, "centavo"],
  ])("%s of a charge with %o, and says why", async (action, body, why) => {
    const charge = await emulator.charge(body);
    const answer = await simulate(charge.checkout_url, action);
    await unchanged(answer, charge, "invalid_request", "action");
    expect(answer.body.error.message).toContain(why);
  });

  it.each(["expire", "fail", "review", "approve"])("%s of a charge that has ended", async (action) => {
    const charge = await emulator.charge(expected);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    expectRefused(await simulate(charge.checkout_url, action), "invalid_request", "action");
    expect(await statusOf(emulator, charge.id)).toBe("paid");
    expect(await offersAt(charge.checkout_url)).toEqual(["pay", "pay_other", "pay_less"]);
  });

  it("payments by Pix only, where the charge takes none", async () => {
    const { id } = await payment(emulator, REQUESTS.BOLETO);
    const url = await checkoutUrlOf(emulator, id);
    expect(await offersAt(url)).toEqual(["pay", "pay_less", "expire", "fail"]);
    expectRefused(await simulate(url, "pay_other"), "invalid_request", "action");
    expect((await simulate(url, "pay")).body.state.status).toBe("paid");
  });

  it("to pay before the acquirer has issued the payment", async () => {
    const slow = await ownEmulator({ frozen: true, acquirerDelayMs: 3_000 });
    const { id } = await payment(slow);
    const url = await checkoutUrlOf(slow, id);
    expect(await offersAt(url)).toEqual(["expire", "fail"]);
    await slow.sandbox("/clock/advance", { seconds: 3 });
    expect(await offersAt(url)).toContain("pay");
  });
});

it("the simulation on the page is a section of its own outside the payer's part, hidden without script, and not there with panel=0", async () => {
  const { checkout_url: url } = await emulator.charge();
  const { text } = await open(url);
  const payer = text.slice(text.indexOf("<main>"), text.indexOf("</main>"));
  expect(payer).not.toContain("Simulação");
  expect(text).toMatch(
    /<section class="panel" id="panel" aria-labelledby="panel-title" hidden>\s*<h2 id="panel-title">Simulação<\/h2>/,
  );
  for (const action of SIMULATION_ACTIONS) expect(text).toContain(`data-simulate="${action}"`);
  const without = await open(`${url}&panel=0`);
  expect(without.text).not.toContain("Simula");
  expect(without.text).not.toContain("data-simulate");
  expect((await stateAt(`${url}&panel=0`)).simulation).toEqual([]);
});
