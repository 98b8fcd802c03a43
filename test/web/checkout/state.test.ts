import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { openCase } from "../../support/med.js";
import { payment, REQUESTS, refundInFull } from "../../support/payments.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";
import { checkoutUrlOf, open, press } from "./pages.js";

const emulator = sharedEmulator({ frozen: true });

const expected = { customer: { name: "Maria", document: DOCUMENTS.cpf }, expected_payer_tax_id: DOCUMENTS.cpf };

async function statusAt(url: string, choices = ""): Promise<Loose> {
  const { status, text, headers } = await open(`${url.replace("?", "/status?")}${choices}`);
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  return JSON.parse(text);
}

describe("the time in the status of a checkout", () => {
  it("is that of the emulated clock, which an advance moves by exactly its seconds", async () => {
    const { checkout_url: url } = await emulator.charge({ expires_in: 600 });
    const before = await statusAt(url);
    expect(before).toMatchObject({ frozen: true, remaining: 600, method_remaining: { PIX: 600 }, final: false });
    await emulator.sandbox("/clock/advance", { seconds: 300 });
    const after = await statusAt(url);
    expect(after).toMatchObject({ frozen: true, remaining: 300, method_remaining: { PIX: 300 } });
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(300_000);
    expect(Date.parse(after.expires_at) - Date.parse(after.now)).toBe(300_000);
  });

  it("runs when the clock runs", async () => {
    const running = await ownEmulator();
    const { checkout_url: url } = await running.charge();
    const state = await statusAt(url);
    expect(state.frozen).toBe(false);
    expect(state.remaining).toBeLessThanOrEqual(3_600);
    await running.sandbox("/clock/freeze");
    expect((await statusAt(url)).frozen).toBe(true);
  });

  it("is counted for each method that can still be used", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "BOLETO"] });
    const state = await statusAt(await checkoutUrlOf(emulator, id));
    expect(state.method_remaining.PIX).toBe(3_600);
    expect(state.method_remaining.BOLETO).toBeGreaterThan(2 * 86_400);
    expect(state.remaining).toBe(state.method_remaining.BOLETO);
  });

  it("is over once the payment has ended", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    expect(await statusAt(charge.checkout_url)).toMatchObject({ remaining: null, method_remaining: {}, final: true });
  });
});

describe("the time on the page without script", () => {
  const SHOWN = {
    "pt-BR": /Expira (às \d\d:\d\d|em \d+ de \S+ às \d\d:\d\d) \(horário de Brasília\)</,
    en: /Expires (at|on \d+ \w+ at) \d\d:\d\d \(Brasília time\)</,
  };

  it.each(["pt-BR", "en"] as const)(
    "is the instant at which the charge expires, in %s, and the page looks again",
    async (lang) => {
      const { checkout_url: url } = await emulator.charge({ expires_in: 7_200 });
      const { text } = await open(`${url}&lang=${lang}`);
      expect(text).toMatch(SHOWN[lang]);
      expect(text).toContain('<noscript><meta http-equiv="refresh" content="10"></noscript>');
    },
  );

  it("names the time of day in São Paulo, and the day when it is another", async () => {
    const early = await ownEmulator({ frozen: true, startAt: Date.parse("2026-11-22T09:57:00Z") });
    const { checkout_url: url } = await early.charge();
    expect((await open(url)).text).toContain(">Expira às 07:57 (horário de Brasília)<");
    expect((await open(`${url}&lang=en`)).text).toContain(">Expires at 07:57 (Brasília time)<");
    const { checkout_url: later } = await early.charge({ expires_in: 86_400 });
    expect((await open(later)).text).toContain(">Expira em 23 de nov. às 06:57 (horário de Brasília)<");
    expect((await open(`${later}&lang=en`)).text).toContain(">Expires on 23 Nov at 06:57 (Brasília time)<");
  });

  it("stops looking once the payment has ended", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/expire`);
    expect((await open(charge.checkout_url)).text).not.toContain('http-equiv="refresh"');
  });
});

interface Case {
  readonly name: string;
  readonly body?: object;
  readonly act: (id: string) => Promise<unknown>;
  readonly pt: readonly string[];
  readonly en: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "paid",
    act: (id) => emulator.sandbox(`/charges/${id}/pay`),
    pt: ["Pagamento confirmado", "Recebemos o seu Pix. Obrigado!"],
    en: ["Payment confirmed", "We received your Pix. Thank you!"],
  },
  {
    name: "in review",
    body: expected,
    act: (id) => emulator.sandbox(`/charges/${id}/pay`, { payer_document: null }),
    pt: ["Pagamento em análise", "estamos conferindo os dados"],
    en: ["Payment in review", "are checking the details"],
  },
  {
    name: "returned to another payer",
    body: expected,
    act: (id) => emulator.sandbox(`/charges/${id}/pay`, { payer_document: DOCUMENTS.otherCpf }),
    pt: ["Pagamento devolvido", "Só o titular do documento ***.982.247-**"],
    en: ["Payment returned", "Only the holder of ***.982.247-** can pay"],
  },
  {
    name: "rejected by the review",
    body: expected,
    act: async (id) => {
      await emulator.sandbox(`/charges/${id}/pay`, { payer_document: null });
      await emulator.sandbox(`/charges/${id}/review`, { decision: "reject" });
    },
    pt: ["Pagamento devolvido", "não foi aprovado na análise"],
    en: ["Payment returned", "was not approved in the review"],
  },
  {
    name: "refunded by the shop",
    act: async (id) => {
      await emulator.sandbox(`/charges/${id}/pay`);
      await refundInFull(emulator, id.replace("ch_", ""));
    },
    pt: ["Pagamento devolvido", "A loja devolveu o pagamento"],
    en: ["Payment refunded", "The shop refunded the payment"],
  },
  {
    name: "cancelled",
    act: (id) => emulator.call("POST", `/v1/payments/${id.replace("ch_", "")}/cancel`),
    pt: ["Cobrança cancelada", "não pode mais ser paga"],
    en: ["Charge cancelled", "can no longer be paid"],
  },
  {
    name: "cancelled while its money was held",
    body: expected,
    act: async (id) => {
      await emulator.sandbox(`/charges/${id}/pay`, { payer_document: null });
      await emulator.call("POST", `/v1/payments/${id.replace("ch_", "")}/cancel`);
    },
    pt: ["Cobrança cancelada", "O dinheiro voltou para a conta de origem"],
    en: ["Charge cancelled", "The money went back"],
  },
  {
    name: "expired",
    act: (id) => emulator.sandbox(`/charges/${id}/expire`),
    pt: ["Cobrança expirada", "peça uma nova cobrança a QA Pay Loja de Teste"],
    en: ["Charge expired", "ask QA Pay Loja de Teste for a new charge"],
  },
  {
    name: "failed",
    act: (id) => emulator.sandbox(`/charges/${id}/fail`),
    pt: ["Cobrança indisponível", "Não foi possível gerar este Pix"],
    en: ["Charge unavailable", "This Pix could not be created"],
  },
  {
    name: "disputed",
    act: async (id) => {
      await emulator.sandbox(`/charges/${id}/pay`);
      await openCase(emulator, { charge_id: id });
    },
    pt: ["Pagamento em disputa", "A loja já foi avisada"],
    en: ["Payment in dispute", "The shop has been informed"],
  },
];

describe("the outcome on a checkout page and in its status", () => {
  it.each(CASES)(
    "$name: in both languages, with a way back to the shop once it is final",
    async ({ body, act, pt, en }) => {
      const metadata = { returnUrl: "https://shop.example/done?order=7" };
      const charge = await emulator.charge({ ...body, metadata });
      await act(charge.id);
      for (const [lang, texts] of Object.entries({ "pt-BR": pt, en })) {
        const { text } = await open(`${charge.checkout_url}&lang=${lang}`);
        const state = await statusAt(charge.checkout_url, `&lang=${lang}`);
        expect(text.match(/<h1/g)).toHaveLength(1);
        expect(text).not.toContain(charge.pix.br_code);
        for (const part of texts) {
          expect(text).toContain(part);
          expect(`${state.title} ${state.text}`).toContain(part);
        }
        const back = state.actions.find(({ kind }: Loose) => kind === "shop")?.href;
        if (state.final)
          expect(back).toMatch(/^https:\/\/shop\.example\/done\?order=7&transaction_id=tx_.*&status=[A-Z]+$/);
        else expect(back).toBeUndefined();
      }
    },
  );

  it.each(["expire", "fail"])("after %s, names the order and the charge for a question to the shop", async (step) => {
    const charge = await emulator.charge({ description: "Pedido 2041" });
    await emulator.sandbox(`/charges/${charge.id}/${step}`);
    const { facts } = await statusAt(charge.checkout_url);
    expect(facts).toEqual([
      ["Pedido", "Pedido 2041"],
      ["Cobrança", charge.id],
    ]);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "shop.example", 7])(
    "has no way back to %o",
    async (returnUrl) => {
      const charge = await emulator.charge({ metadata: { returnUrl } });
      await emulator.sandbox(`/charges/${charge.id}/pay`);
      const { actions } = await statusAt(charge.checkout_url);
      expect(actions.map(({ kind }: Loose) => kind)).toEqual(["receipt"]);
    },
  );
});

describe("a payment that came and went back", () => {
  it("of a wrong amount is shown until the charge is paid", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/pay`, { amount: 995 });
    const pt = await statusAt(charge.checkout_url);
    expect(pt.notice).toContain("Recebemos R$ 9,95, mas a cobrança é de R$ 19,90");
    expect((await statusAt(charge.checkout_url, "&lang=en")).notice).toContain(
      "We received R$ 9,95, but the charge is R$ 19,90",
    );
    expect((await open(charge.checkout_url)).text).toContain(pt.notice);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    expect((await statusAt(charge.checkout_url)).notice).toBeNull();
  });

  it("as a second one is shown on the page of the paid charge", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    expect((await statusAt(charge.checkout_url)).notice).toBeNull();
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    expect((await statusAt(charge.checkout_url)).notice).toContain("esta cobrança já estava paga");
  });

  it("too late is shown on the page of the expired charge", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/expire`);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    expect((await statusAt(charge.checkout_url)).notice).toContain("não pode mais ser paga");
  });

  it("is in the timeline, with its amount, and moves nothing", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/pay`, { amount: 995 });
    const { items } = await emulator.sandbox(`/timeline/${charge.id}`);
    const texts = items.filter(({ kind }: Loose) => kind === "transition").map(({ text }: Loose) => text);
    expect(texts.at(-1)).toBe("a payment came that it does not take, and went back: R$ 9,95");
    expect(items.filter(({ kind }: Loose) => kind === "journal")).toEqual([]);
  });
});

describe("the receipt of a checkout", () => {
  it("opens at a signed address without key and token, in the same bytes as the operation answers", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    const { actions } = await statusAt(charge.checkout_url);
    const { href } = actions.find(({ kind }: Loose) => kind === "receipt");
    expect(href).not.toContain(new URL(charge.checkout_url).searchParams.get("k"));
    expect((await open(charge.checkout_url)).text).toContain(`href="${href}"`);
    const answer = await fetch(emulator.url + href);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const { body } = await emulator.call("GET", `/v1/payments/${charge.id.replace("ch_", "")}/receipt`);
    expect(Buffer.from(await answer.arrayBuffer()).toString("base64")).toBe(body.base64);
  });

  it("is a 404 without the right signature, for another payment, and before the payment", async () => {
    const [paid, other, pending] = [await emulator.charge(), await emulator.charge(), await emulator.charge()];
    for (const { id } of [paid, other]) await emulator.sandbox(`/charges/${id}/pay`);
    const { actions } = await statusAt(paid.checkout_url);
    const href: string = actions.find(({ kind }: Loose) => kind === "receipt").href;
    const raw = (id: string) => id.replace("ch_", "");
    const wrong = [
      href.split("?")[0] ?? "",
      `${href}0`,
      href.replace(raw(paid.id), raw(other.id)),
      href.replace(raw(paid.id), raw(pending.id)),
      href.replace(".pdf", ""),
    ];
    for (const path of wrong) expect((await fetch(emulator.url + path)).status, path).toBe(404);
    expect((await statusAt(pending.checkout_url)).actions).toEqual([]);
  });
});

describe("the language of the pages", () => {
  const titleOf = async (url: string, accept?: string) => {
    const answer = await fetch(url, accept === undefined ? {} : { headers: { "accept-language": accept } });
    const lang = /<html lang="([^"]+)"/.exec(await answer.text())?.[1];
    expect(answer.headers.get("content-language")).toBe(lang);
    expect(answer.headers.get("vary")).toContain("accept-language");
    return lang;
  };

  it.each([
    ["", undefined, "pt-BR"],
    ["", "en-GB,en;q=0.9", "en"],
    ["", "de,en;q=0.5,pt;q=0.8", "pt-BR"],
    ["", "de", "pt-BR"],
    ["&lang=en", "pt-BR", "en"],
    ["&lang=pt", "en", "pt-BR"],
    ["&lang=fr", "en", "en"],
  ])("with %o and Accept-Language %o is %s", async (choice, accept, lang) => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "CREDIT_CARD"] });
    const url = await checkoutUrlOf(emulator, id);
    expect(await titleOf(url + choice, accept)).toBe(lang);
    expect(await titleOf(url.replace("/checkout/", "/card/") + choice, accept)).toBe(lang);
  });

  it("goes with the links between the pages and with a card's forms", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "CREDIT_CARD"] });
    const url = `${await checkoutUrlOf(emulator, id)}&lang=en`;
    const path = new URL(url).pathname + new URL(url).search.replaceAll("&", "&amp;");
    expect((await open(url)).text).toContain(`href="${path.replace("/checkout/", "/card/")}">Pay with card`);
    const card = url.replace("/checkout/", "/card/");
    expect((await open(card)).text).toContain(`href="${path}">Pay another way`);
    expect((await press(card, "refuse")).text).toContain("The issuer did not authorise the card");
  });

  it.each(Object.entries(REQUESTS))(
    "English has no Portuguese sentence in the section of %s",
    async (_method, request) => {
      const { id } = await payment(emulator, request);
      const { text } = await open(`${await checkoutUrlOf(emulator, id)}&lang=en`);
      expect(text).not.toMatch(/ (não|você|seu|para|valor|pagar|telemóvel) /i);
      expect(text).not.toContain('lang="pt-PT"');
    },
  );
});
