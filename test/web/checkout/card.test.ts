import { describe, expect, it } from "vitest";
import { balance, eventsOf } from "../../support/charges.js";
import { payment, readPayment } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";
import { cardPayment, checkoutUrlOf, open, press } from "./pages.js";

const emulator = sharedEmulator({ frozen: true });

const returnUrl = "https://shop.example/done";
const card = (body: object = {}) => cardPayment(emulator, body);
const read = (id: string) => readPayment(emulator, id);
const statusOf = async (id: string) => (await read(id)).status;

describe("the card page", () => {
  it("shows merchant, amount, customer and description, says that it is a simulation, and needs no script", async () => {
    const { url } = await card({
      amount: 123_456,
      customerName: "Maria <b>Silva</b>",
      metadata: { description: '"><script>alert(1)</script>' },
    });
    const { status, headers, text } = await open(url);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    for (const part of ["QA Pay Loja de Teste", "R$ 1.234,56", "Maria &lt;b&gt;Silva&lt;/b&gt;", "Simulação"]) {
      expect(text).toContain(part);
    }
    expect(text).toContain("&quot;&gt;&lt;script&gt;alert(1)");
    expect(text).not.toContain("<script");
    for (const label of ["Aprovar pagamento", "Recusar pagamento", "Exigir autenticação 3DS"]) {
      expect(text).toContain(`>${label}</button>`);
    }
  });

  it("loads no file but its own style, cannot be framed, and sends its forms to its own server only", async () => {
    const { headers } = await open((await card()).url);
    const own = `${emulator.url}/checkout/assets/`;
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src ${own}; img-src ${own}; base-uri 'none'; form-action 'self'; ` +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
    // A form under no-referrer is sent with `Origin: null`, which is no origin of ours.
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });

  it("lets its forms end at the return address, and wherever the shop sends its customer from there", async () => {
    const { headers } = await open((await card({ metadata: { returnUrl } })).url);
    expect(headers.get("content-security-policy")).toContain("form-action 'self' http: https:;");
  });

  it.each(["EUR", "USD"])("shows an amount of %s in that currency", async (currency) => {
    const { text } = await open((await card({ amount: 1_990, currency })).url);
    expect(text).toMatch(currency === "EUR" ? /€ 19,90/ : /US\$ 19,90/);
  });

  it("is a 404 without its token, for another id, and for a payment that takes no card", async () => {
    const { url, id } = await card();
    const [address = ""] = url.split("?");
    const pix = await payment(emulator);
    const notByCard = (await checkoutUrlOf(emulator, pix.id)).replace("/checkout/", "/card/");
    const other = url.replace(id, pix.id);
    const prefixed = url.replace(id, `tx_${id}`);
    for (const wrong of [address, `${address}?k=`, `${address}?k=wrong`, `${url}x`, other, prefixed, notByCard]) {
      expect((await open(wrong)).status, `GET ${wrong}`).toBe(404);
      expect((await press(wrong, "approve")).status, `POST ${wrong}`).toBe(404);
    }
    expect(await statusOf(id)).toBe("WAITING_PAYMENT");
    expect(await statusOf(pix.id)).toBe("WAITING_PAYMENT");
  });

  it("offers the other methods where there are some", async () => {
    const { url, id } = await card({ paymentMethods: ["CREDIT_CARD", "PIX"] });
    const checkout = new URL(await checkoutUrlOf(emulator, id));
    expect((await open(url)).text).toContain(`href="${checkout.pathname}${checkout.search}">Pagar de outra forma`);
    expect((await open((await card()).url)).text).not.toContain("Pagar de outra forma");
  });
});

describe("approving", () => {
  it("settles the payment by card, and shows it now and later", async () => {
    const { url, id } = await card();
    const before = (await balance(emulator)).available;
    const answer = await press(url, "approve");
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Pagamento confirmado");
    expect(answer.text).not.toContain("<button");
    expect(await read(id)).toMatchObject({ status: "APPROVED", paidWith: "CREDIT_CARD" });
    expect((await balance(emulator)).available).toBe(before + 1_990);
    const later = await open(url);
    expect(later.text).toContain("Pagamento confirmado");
    expect(later.text).not.toContain("Voltar à loja");
  });

  it("leads back to the shop, with the transaction and its status in the address", async () => {
    const { url, id } = await card({ metadata: { returnUrl } });
    const { status, headers, text } = await press(url, "approve");
    expect(status).toBe(303);
    const location = `${returnUrl}?transaction_id=tx_${id}&status=APPROVED`;
    expect(headers.get("location")).toBe(location);
    expect(text).toBe("");
    expect((await open(url)).text).toContain(`href="${location.replace("&", "&amp;")}">Voltar à loja`);
  });

  it("twice at once is one payment, and both come back to the shop", async () => {
    const { url, id } = await card({ metadata: { returnUrl } });
    const before = (await balance(emulator)).available;
    const answers = await Promise.all([press(url, "approve"), press(url, "approve")]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await balance(emulator)).available).toBe(before + 1_990);
    const events = await eventsOf(emulator, `tx_${id}`);
    expect(events.filter((type) => type === "charge.paid")).toHaveLength(1);
  });

  it("does nothing when the charge was paid by Pix in the meantime, and shows that", async () => {
    const { url, id } = await card({ paymentMethods: ["PIX", "CREDIT_CARD"], metadata: { returnUrl } });
    await emulator.sandbox(`/charges/${id}/pay`);
    for (const step of ["approve", "refuse", "challenge"]) {
      const { status, text } = await press(url, step);
      expect([step, status, text.includes("Recebemos o seu Pix")]).toEqual([step, 200, true]);
    }
    expect(await read(id)).toMatchObject({ status: "PAID", paidWith: "PIX" });
  });
});

describe("the return address", () => {
  it.each([
    ["https://shop.example", "https://shop.example/?TOLD"],
    ["https://shop.example/a?", "https://shop.example/a?TOLD"],
    ["https://shop.example/a?order=4%202&x", "https://shop.example/a?order=4%202&x&TOLD"],
    ["https://shop.example/a#top", "https://shop.example/a?TOLD#top"],
    ["http://127.0.0.1:3000/a?status=mine#b?c", "http://127.0.0.1:3000/a?status=mine&TOLD#b?c"],
    ["http://[::1]:3000/a", "http://[::1]:3000/a?TOLD"],
  ])("%o keeps its own query and fragment", async (address, expected) => {
    const { url, id } = await card({ metadata: { returnUrl: address } });
    const { headers } = await press(url, "approve");
    const told = `transaction_id=tx_${id}&status=APPROVED`;
    expect(headers.get("location")).toBe(expected.replace("TOLD", told));
  });

  it("is escaped in the page", async () => {
    const { url } = await card({ metadata: { returnUrl: `https://shop.example/#"><script>alert(1)</script>` } });
    await press(url, "approve");
    expect((await open(url)).text).not.toContain("<script");
  });
});

describe("refusing", () => {
  it("is a refusal by the issuer, with its reason", async () => {
    const { url, id } = await card();
    const { status, text } = await press(url, "refuse");
    expect(status).toBe(200);
    expect(text).toContain("Pagamento recusado");
    const { status: after, metadata } = await read(id);
    expect(after).toBe("REFUSED");
    expect(metadata.failure).toMatchObject({ reason: "card_declined", providerErrorCode: "51" });
    expect(await eventsOf(emulator, `tx_${id}`)).toContain("payment.failed");
  });

  it("leads back to the shop, each time that it is sent", async () => {
    const { url, id } = await card({ metadata: { returnUrl } });
    const location = `${returnUrl}?transaction_id=tx_${id}&status=REFUSED`;
    expect((await press(url, "refuse")).headers.get("location")).toBe(location);
    expect((await press(url, "refuse")).headers.get("location")).toBe(location);
  });

  it("cannot be undone by approving", async () => {
    const { url, id } = await card({ metadata: { returnUrl } });
    await press(url, "refuse");
    const { status, text } = await press(url, "approve");
    expect(status).toBe(200);
    expect(text).toContain("Pagamento recusado");
    expect(text).toContain("Voltar à loja");
    expect(await statusOf(id)).toBe("REFUSED");
  });
});

describe("3DS", () => {
  async function challenged(body: object = {}) {
    const made = await card({ metadata: { returnUrl }, ...body });
    return { ...made, answer: await press(made.url, "challenge") };
  }

  it("starts the card payment and authenticates the cardholder, on this visit and the next", async () => {
    const { url, id, answer } = await challenged();
    expect(answer.status).toBe(200);
    for (const { text } of [answer, await open(url)]) {
      expect(text).toContain("Autenticação 3DS do banco emissor");
      expect(text).toContain(">Autenticar</button>");
      expect(text).toContain(">Falhar autenticação</button>");
      expect(text).toContain("Simulação");
      expect(text).not.toContain("Aprovar pagamento");
    }
    expect(await statusOf(id)).toBe("PROCESSING");
  });

  it("approves the payment when the cardholder is authenticated", async () => {
    const { url, id } = await challenged();
    const { status, headers } = await press(url, "authenticate");
    expect(status).toBe(303);
    expect(headers.get("location")).toBe(`${returnUrl}?transaction_id=tx_${id}&status=APPROVED`);
    expect(await read(id)).toMatchObject({ status: "APPROVED", paidWith: "CREDIT_CARD" });
  });

  it("refuses it when the authentication fails, and says why", async () => {
    const { url, id } = await challenged();
    const { status, headers } = await press(url, "fail_authentication");
    expect(status).toBe(303);
    expect(headers.get("location")).toBe(`${returnUrl}?transaction_id=tx_${id}&status=REFUSED`);
    expect((await read(id)).metadata.failure).toMatchObject({ reason: "3ds_failed" });
    expect((await open(url)).text).toContain("não pôde confirmar que a compra é sua");
  });

  it.each(["approve", "refuse", "challenge"])("once begun cannot be passed by: %s shows it again", async (step) => {
    const { url, id } = await challenged();
    const { status, text } = await press(url, step);
    expect(status).toBe(200);
    expect(text).toContain("Autenticação 3DS do banco emissor");
    expect(await statusOf(id)).toBe("PROCESSING");
  });

  it.each(["authenticate", "fail_authentication"])("that was not requested cannot be answered: %s", async (step) => {
    const { url, id } = await card();
    const { status, text } = await press(url, step);
    expect(status).toBe(200);
    expect(text).toContain("Aprovar pagamento");
    expect(await statusOf(id)).toBe("WAITING_PAYMENT");
  });
});

describe("a payment that is over", () => {
  const steps = ["approve", "refuse", "challenge", "authenticate", "fail_authentication"];

  it("cancelled takes no step", async () => {
    const { url, id } = await card({ metadata: { returnUrl } });
    await emulator.call("POST", `/v1/payments/${id}/cancel`);
    for (const step of steps) {
      const { status, text } = await press(url, step);
      expect([step, status, text.includes("Cobrança cancelada")]).toEqual([step, 200, true]);
    }
    expect(await statusOf(id)).toBe("CANCELLED");
    expect((await open(url)).text).toContain("status=CANCELLED");
  });

  it.each([
    ["waiting", []],
    ["in the middle of 3DS", ["challenge"]],
  ])("expired while %s takes no step", async (_when, before) => {
    const { url, id } = await card({ metadata: { returnUrl } });
    for (const step of before) await press(url, step);
    await emulator.sandbox("/clock/advance", { seconds: 3_600 });
    for (const step of steps) {
      const { status, text } = await press(url, step);
      expect([step, status, text.includes("Cobrança expirada")]).toEqual([step, 200, true]);
    }
    expect(await statusOf(id)).toBe("EXPIRED");
    expect((await open(url)).text).toContain(`transaction_id=tx_${id}&amp;status=EXPIRED">Voltar à loja`);
  });

  it("for the card only points to the methods that are left", async () => {
    const { url, id } = await card({ paymentMethods: ["BOLETO", "CREDIT_CARD"] });
    await emulator.sandbox("/clock/advance", { seconds: 3_600 });
    const { status, text } = await press(url, "approve");
    expect(status).toBe(200);
    expect(text).toContain("Prazo do cartão encerrado");
    expect(text).toContain("Pagar de outra forma");
    expect(await statusOf(id)).toBe("WAITING_PAYMENT");
  });
});

describe("a form", () => {
  it.each(["", "step=", "step=pay", "step=toString", "other=approve", '{"step":"approve"}'])(
    "that says %o is a 400",
    async (body) => {
      const { url, id } = await card();
      const { pathname, search } = new URL(url);
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const answer = await emulator.call("POST", pathname + search, { key: null, raw: body, headers });
      expectRefused(answer, "invalid_request", "step");
      expect(await statusOf(id)).toBe("WAITING_PAYMENT");
    },
  );

  it("is taken from the page itself, and from no other origin", async () => {
    const { url, id } = await card();
    for (const origin of ["https://shop.example", "null"]) {
      expect((await press(url, "approve", { origin })).status).toBe(403);
    }
    expect(await statusOf(id)).toBe("WAITING_PAYMENT");
    expect((await press(url, "approve", { origin: emulator.url })).status).toBe(200);
  });

  it("larger than 1 MiB is refused", async () => {
    const { url, id } = await card();
    const { pathname, search } = new URL(url);
    const raw = `step=approve&rest=${"x".repeat(1_048_576)}`;
    expectRefused(await emulator.call("POST", pathname + search, { key: null, raw }), "payload_too_large");
    expect(await statusOf(id)).toBe("WAITING_PAYMENT");
  });

  it("is accepted by the card page only", async () => {
    const { id } = await card();
    expect((await press(await checkoutUrlOf(emulator, id), "approve")).status).toBe(404);
  });
});

describe("before the acquirer has issued it", () => {
  it("the page says to wait, reads the status again by itself, and takes no step", async () => {
    const slow = await ownEmulator({ frozen: true, acquirerDelayMs: 3_000 });
    const { id } = await payment(slow, { paymentMethods: ["CREDIT_CARD"] });
    const url = (await checkoutUrlOf(slow, id)).replace("/checkout/", "/card/");
    for (const { status, text } of [await open(url), await press(url, "approve")]) {
      expect(status).toBe(200);
      expect(text).toContain("Preparando o pagamento");
      expect(text).toContain('http-equiv="refresh"');
      expect(text).not.toContain("<button");
    }
    expect((await readPayment(slow, id)).status).toBe("WAITING_PAYMENT");
    await slow.sandbox("/clock/advance", { seconds: 3 });
    expect((await open(url)).text).toContain("Aprovar pagamento");
  });

  it("a payment that the provider refused at once says so instead", async () => {
    const { id } = await payment(emulator, {
      paymentMethods: ["CREDIT_CARD"],
      metadata: { _sandbox: { fail: "provider_error" } },
    });
    const url = (await checkoutUrlOf(emulator, id)).replace("/checkout/", "/card/");
    expect((await open(url)).text).toContain("Cobrança indisponível");
  });
});
