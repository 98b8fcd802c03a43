import { describe, expect, it } from "vitest";
import { payment, REQUESTS, readPayment } from "../../support/payments.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";
import { checkoutUrlOf, open, press } from "./pages.js";

const emulator = sharedEmulator({ frozen: true });

/** A payment that takes these methods, with its checkout page. */
async function checkout(body: object) {
  const { id } = await payment(emulator, body);
  const url = await checkoutUrlOf(emulator, id);
  return { id, url, fields: await readPayment(emulator, id), show: async () => (await open(url)).text };
}

const statusUrl = (url: string) => url.replace("?", "/status?");
const liveStatus = async (url: string) => JSON.parse((await open(statusUrl(url))).text);
const methodsOn = (text: string) => [...text.matchAll(/data-method="(\w+)"/g)].map(([, method]) => method);

describe("the checkout page of a pending payment", () => {
  it.each(Object.entries(REQUESTS))("by %s alone shows that method and no other", async (method, request) => {
    const { show } = await checkout(request);
    const text = await show();
    expect(methodsOn(text)).toEqual([method]);
    expect(text.includes("<svg")).toBe(method === "PIX");
  });

  it("by Pix has the code, its QR and a button that copies it", async () => {
    const { fields, show } = await checkout({ paymentMethods: ["PIX"] });
    const text = await show();
    expect(text).toContain(`data-copy="${fields.pixCopyPaste}"`);
    expect(text).toContain(">Copiar código Pix</button>");
    expect(text).toContain('aria-label="QR Code do Pix"');
  });

  it("by card leads to the card page", async () => {
    const { fields, show } = await checkout(REQUESTS.CREDIT_CARD);
    expect(await show()).toContain(`href="${fields.cardRedirectUrl.slice(emulator.url.length)}">Pagar com cartão`);
  });

  it("by boleto has the line, to copy and to read, and leads to the PDF", async () => {
    const { fields, show } = await checkout(REQUESTS.BOLETO);
    const text = await show();
    expect(text).toContain(`data-copy="${fields.boletoLine}"`);
    const [shown = ""] = /\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}/.exec(text) ?? [];
    expect(shown.replace(/\D/g, "")).toBe(fields.boletoLine);
    expect(text).toContain(`href="${fields.boletoPdfUrl.slice(emulator.url.length)}"`);
  });

  it("by Multibanco has entity, reference and amount", async () => {
    const { fields, show } = await checkout({ ...REQUESTS.MULTIBANCO, amount: 123_456 });
    const text = await show();
    const grouped = fields.mbReference.replace(/^(...)(...)(...)$/, "$1 $2 $3");
    for (const value of [fields.mbEntity, grouped, "€ 1.234,56"]) expect(text).toContain(`<dd>${value}</dd>`);
  });

  it("by MB WAY refers to the phone and shows the end of its number", async () => {
    const text = await (await checkout(REQUESTS.MBWAY)).show();
    expect(text).toContain("Confirme no telemóvel");
    expect(text).toContain("quatro minutos");
    expect(text).toContain("•••678");
    expect(text).not.toContain("912345678");
  });

  it("by crypto has address, exact amount and network, and warns against sending money", async () => {
    const { fields, show } = await checkout({ ...REQUESTS.CRYPTO, amount: 12_500_000 });
    const text = await show();
    expect(text).toContain(`data-copy="${fields.cryptoAddress}"`);
    for (const value of ["12,500000 USDT", fields.cryptoNetwork]) expect(text).toContain(`<dd>${value}</dd>`);
    expect(text).toContain("Não envie fundos reais");
  });

  it("by several methods is one choice, of which Pix is open, else the first", async () => {
    const opened = (text: string) =>
      [...text.matchAll(/data-method="(\w+)"[^>]*><details name="method"( open)?>/g)].map(([, name, open]) => [
        name,
        open !== undefined,
      ]);
    const brl = await checkout({ paymentMethods: ["BOLETO", "PIX"] });
    expect(opened(await brl.show())).toEqual([
      ["PIX", true],
      ["BOLETO", false],
    ]);
    const eur = await checkout({ ...REQUESTS.MBWAY, paymentMethods: ["MULTIBANCO", "MBWAY"] });
    expect(opened(await eur.show())).toEqual([
      ["MBWAY", true],
      ["MULTIBANCO", false],
    ]);
    const pix = await checkout({ paymentMethods: ["PIX"] });
    expect(opened(await pix.show())).toEqual([]);
  });

  it("by several methods has a section for each", async () => {
    const brl = await checkout({ paymentMethods: ["BOLETO", "PIX", "CREDIT_CARD"] });
    expect(methodsOn(await brl.show())).toEqual(["PIX", "CREDIT_CARD", "BOLETO"]);
    const eur = await checkout({ ...REQUESTS.MBWAY, paymentMethods: ["MULTIBANCO", "MBWAY", "CREDIT_CARD"] });
    expect(methodsOn(await eur.show())).toEqual(["CREDIT_CARD", "MBWAY", "MULTIBANCO"]);
  });

  it("drops a method that has expired, also on a page that is open", async () => {
    const { url, fields, show } = await checkout({ paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"] });
    expect(await liveStatus(url)).toMatchObject({ status: "pending", methods: ["PIX", "CREDIT_CARD", "BOLETO"] });
    await emulator.sandbox("/clock/advance", { seconds: 3_600 });
    const text = await show();
    expect(methodsOn(text)).toEqual(["BOLETO"]);
    expect(text).not.toContain(fields.pixCopyPaste);
    expect(await liveStatus(url)).toMatchObject({ status: "pending", methods: ["BOLETO"] });
  });

  it("shows hostile text as text", async () => {
    const hostile = `"'><img src=x onerror=alert(1)>`;
    const metadata = { description: hostile, phone: "+351912345678" };
    const { show } = await checkout({ ...REQUESTS.MBWAY, metadata, customerName: hostile });
    const text = await show();
    expect(text).not.toContain("<img");
    expect(text.match(/&quot;&#39;&gt;&lt;img/g)).toHaveLength(2);
  });
});

describe("the checkout page of a payment that is not pending", () => {
  it.each([
    ["PIX", "Recebemos o seu Pix"],
    ["CREDIT_CARD", "Recebemos o seu pagamento"],
    ["BOLETO", "Recebemos o seu pagamento"],
  ])("paid by %s says so and shows no code", async (method, thanks) => {
    const { id, url, show } = await checkout({ paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"] });
    await emulator.sandbox(`/charges/${id}/pay`, { method });
    const text = await show();
    expect(text).toContain("Pagamento confirmado");
    expect(text).toContain(thanks);
    expect(methodsOn(text)).toEqual([]);
    expect(text).not.toContain("data-copy=");
    expect(await liveStatus(url)).toMatchObject({ status: "paid", methods: [], title: "Pagamento confirmado" });
  });

  it("in 3DS leads to the authentication and shows no code", async () => {
    const { url, fields, show } = await checkout({ paymentMethods: ["PIX", "CREDIT_CARD"] });
    await press(fields.cardRedirectUrl, "challenge");
    const text = await show();
    expect(text).toContain("Autenticação em andamento");
    expect(text).toContain(`href="${fields.cardRedirectUrl.slice(emulator.url.length)}">Continuar autenticação`);
    expect(text).not.toContain(fields.pixCopyPaste);
    expect(await liveStatus(url)).toMatchObject({ status: "processing", methods: [] });
  });

  it("refused by the issuer has another text than one refused by a provider", async () => {
    const refused = await checkout({ paymentMethods: ["PIX", "CREDIT_CARD"] });
    await press(refused.fields.cardRedirectUrl, "refuse");
    expect(await refused.show()).toContain("Pagamento recusado");
    const failed = await checkout({ paymentMethods: ["PIX", "CREDIT_CARD"] });
    await emulator.sandbox(`/charges/${failed.id}/fail`);
    expect(await failed.show()).toContain("Cobrança indisponível");
  });

  it("not issued yet waits for the acquirer and shows no code", async () => {
    const slow = await ownEmulator({ frozen: true, acquirerDelayMs: 3_000 });
    const { id } = await payment(slow, { paymentMethods: ["PIX", "BOLETO"] });
    const url = await checkoutUrlOf(slow, id);
    const { text } = await open(url);
    expect(text).toContain("Preparando o pagamento");
    expect(text).toContain('http-equiv="refresh"');
    expect(methodsOn(text)).toEqual([]);
    await slow.sandbox("/clock/advance", { seconds: 3 });
    expect(methodsOn((await open(url)).text)).toEqual(["PIX", "BOLETO"]);
  });
});

describe("QR images and Pix payloads", () => {
  const pagesOf = (id: string) => [`/qr/${id}.png`, `/qr/${id}.svg`, `/qr/v2/${id.replaceAll("-", "")}`];

  it("exist for every payment that takes Pix, and for no other", async () => {
    for (const [method, request] of [...Object.entries(REQUESTS), ["both", { paymentMethods: ["BOLETO", "PIX"] }]]) {
      const { id } = await payment(emulator, request as object);
      const expected = method === "PIX" || method === "both" ? 200 : 404;
      for (const path of pagesOf(id))
        expect((await open(emulator.url + path)).status, `${method} ${path}`).toBe(expected);
    }
  });

  /** The claims of a payload; its signature is tested with the payload itself. */
  async function payloadOf(id: string) {
    const { status, text } = await open(`${emulator.url}/qr/v2/${id.replaceAll("-", "")}`);
    return {
      status,
      claims: text === "" ? null : JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString()),
    };
  }

  it("end when Pix expires, even when a boleto can still be paid", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "BOLETO"] });
    const { claims } = await payloadOf(id);
    expect(claims).toMatchObject({ status: "ATIVA", calendario: { expiracao: 3_600 } });
    await emulator.sandbox("/clock/advance", { seconds: 3_600 });
    expect((await payloadOf(id)).status).toBe(410);
  });

  it("are withdrawn, not concluded, when another method paid", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "BOLETO"] });
    await emulator.sandbox(`/charges/${id}/pay`, { method: "BOLETO" });
    expect((await payloadOf(id)).claims.status).toBe("REMOVIDA_PELO_PSP");
  });
});
