import type { Page } from "playwright-core";
import { beforeAll, test } from "vitest";
import { describeInBrowser } from "../support/browser.js";
import { DOCUMENTS } from "../support/charges.js";
import { expectAccessible } from "../support/console-browser.js";
import type { TestEmulator } from "../support/emulator.js";
import { payment, REQUESTS } from "../support/payments.js";
import { shared, sharedEmulator } from "../support/shared.js";
import { cardPayment, checkoutUrlOf, press } from "../web/checkout/pages.js";
import { expectNoSidewaysScroll, startPayerBrowser } from "./payer-pages.js";

/** All rules of axe, those of good practice too, on every state of the payer's pages. */

type Make = (emulator: TestEmulator) => Promise<string>;

const expectsPayer = { customer: { name: "Maria", document: DOCUMENTS.cpf }, expected_payer_tax_id: DOCUMENTS.cpf };

/** A charge after some steps of the simulators; its checkout. */
const after =
  (body: Record<string, unknown>, ...steps: readonly (readonly [path: string, body: object])[]): Make =>
  async (emulator) => {
    const charge = await emulator.charge({ metadata: { returnUrl: "https://shop.example/done" }, ...body });
    for (const [path, sent] of steps) await emulator.sandbox(`/charges/${charge.id}/${path}`, sent);
    return charge.checkout_url;
  };

const checkoutOf =
  (body: object): Make =>
  async (emulator) =>
    checkoutUrlOf(emulator, (await payment(emulator, body)).id);

const cardAfter =
  (...steps: readonly string[]): Make =>
  async (emulator) => {
    const { url } = await cardPayment(emulator, { paymentMethods: ["CREDIT_CARD", "PIX"] });
    for (const step of steps) await press(url, step);
    return url;
  };

const STATES: Readonly<Record<string, Make>> = {
  pending: after({ description: "Pedido 42" }),
  "in its last minute": after({ expires_in: 60 }),
  "after a wrong amount": after({}, ["pay", { amount: 1 }]),
  "with all methods of Brazil": checkoutOf({ paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"] }),
  "with all methods of Portugal": checkoutOf({ ...REQUESTS.MBWAY, paymentMethods: ["MBWAY", "MULTIBANCO"] }),
  "by crypto": checkoutOf(REQUESTS.CRYPTO),
  paid: after({}, ["pay", {}]),
  "paid twice": after({}, ["pay", {}], ["pay", {}]),
  "in review": after(expectsPayer, ["pay", { payer_document: null }]),
  returned: after(expectsPayer, ["pay", { payer_document: DOCUMENTS.otherCpf }]),
  expired: after({}, ["expire", {}]),
  failed: after({}, ["fail", {}]),
  "in 3DS": async (emulator) => (await cardAfter("challenge")(emulator)).replace("/card/", "/checkout/"),
  "on the card page": cardAfter(),
  "on the card page in 3DS": cardAfter("challenge"),
  "on the card page, refused": cardAfter("refuse"),
};

const LOOKS = [
  { width: 360, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;

describeInBrowser("the payer's pages and axe", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const browser = shared(() => startPayerBrowser(executablePath));
  let page: Page;
  beforeAll(async () => {
    page = await browser.open(`${emulator.url}/docs`, { reducedMotion: "reduce" });
  });

  test.each(Object.entries(STATES))("%s has no violation", async (_name, make) => {
    await page.goto(`${await make(emulator)}&lang=pt-BR`);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, "all", "whole");
    }
  });
});
