import { describe, expect, it } from "vitest";
import { type Receipt, receiptPdf } from "../../../src/base/documents/receipt-pdf.js";
import { shared } from "../../support/shared.js";
import { type OpenedPdf, startPdfReader } from "./reader.js";

const reader = shared(startPdfReader);

const RECEIPT: Receipt = {
  merchant: "Loja Exemplo Ltda",
  amount: 123_456,
  currency: "BRL",
  method: "PIX",
  paidAt: Date.parse("2026-11-21T12:05:10Z"),
  payerName: "José Antônio da Conceição",
  payerDocumentMasked: "***.982.247-**",
  endToEndId: "E12345678202611211205abcDEF12345",
  transactionId: "tx_0198c0de-1234-7abc-89ab-0123456789ab",
  description: "Pedido 1042 — camiseta",
  status: "PAID",
};

async function opened(changes: Partial<Receipt> = {}): Promise<OpenedPdf> {
  return reader.open(await receiptPdf({ ...RECEIPT, ...changes }));
}

describe("a receipt", () => {
  it("is one page of A4", async () => {
    expect(await opened()).toMatchObject({ pages: 1, width: 595.28, height: 841.89 });
  });

  it("names payer, receiver, amount and the ids of the payment", async () => {
    const { text } = await opened();
    const { merchant, payerName, payerDocumentMasked, endToEndId, transactionId, description } = RECEIPT;
    const printed = ["Comprovante de pagamento", "Pix", "R$ 1.234,56", merchant, payerName, payerDocumentMasked];
    for (const part of [...printed, endToEndId, transactionId, description]) expect(text).toContain(part);
  });

  it("says that it is worth nothing", async () => {
    expect((await opened()).text).toContain("Documento de simulação (qa-pay): não comprova pagamento real");
  });

  it.each([
    ["2026-11-21T12:05:10Z", "21/11/2026 às 09:05:10 (horário de Brasília)"],
    ["2026-11-22T02:59:59.999Z", "21/11/2026 às 23:59:59 (horário de Brasília)"],
    ["2026-11-22T03:00:00Z", "22/11/2026 às 00:00:00 (horário de Brasília)"],
    ["2018-11-04T03:00:00Z", "04/11/2018 às 01:00:00 (horário de Brasília)"],
  ])("shows %s as %s", async (paidAt, printed) => {
    expect((await opened({ paidAt: Date.parse(paidAt) })).text).toContain(printed);
  });

  it.each([
    ["BRL", 1, "BOLETO", "R$ 0,01", "Boleto"],
    ["BRL", 999_999_999_999, "PIX", "R$ 9.999.999.999,99", "Pix"],
    ["EUR", 1_990, "MBWAY", "€ 19,90", "MB WAY"],
    ["EUR", 99_999_999, "MULTIBANCO", "€ 999.999,99", "Multibanco"],
    ["USD", 123_456, "CREDIT_CARD", "US$ 1.234,56", "Cartão de crédito"],
    ["USDT", 12_500_000, "CRYPTO", "12,500000 USDT", "Criptomoeda"],
    ["BTC", 999_999_999_999, "CRYPTO", "9.999,99999999 BTC", "Criptomoeda"],
  ])("in %s of %d by %s shows %s", async (currency, amount, method, printed, name) => {
    const { text } = await opened({ currency, amount, method });
    expect(text).toContain(printed);
    expect(text).toContain(`Forma de pagamento ${name}`);
  });

  it("leaves out what is not known", async () => {
    const unknown = { payerName: null, payerDocumentMasked: null, endToEndId: null, description: null };
    const { text } = await opened(unknown);
    for (const label of ["Quem pagou", "Documento ***", "end-to-end", "Descrição"]) expect(text).not.toContain(label);
    expect(text).not.toContain("null");
  });

  it.each(["", "   ", "\u0000\n\u200b"])("leaves out a description in which nothing can be read: %j", async (empty) => {
    const { text, pages } = await opened({ description: empty, payerName: empty });
    expect(pages).toBe(1);
    expect(text).not.toContain("Descrição");
    expect(text).toContain("Quem pagou Documento ***.982.247-**");
  });

  it.each([
    ["REFUNDED", "foi devolvido integralmente"],
    ["DISPUTE", "contestado pelo pagador"],
    ["CHARGEBACK", "contestado pelo emissor do cartão"],
  ])("says what happened after the payment: %s", async (status, printed) => {
    expect((await opened({ status })).text).toContain(printed);
    expect((await opened()).text).not.toContain(printed);
  });
});

describe("text that the fonts cannot print", () => {
  it.each([
    ["ÁÀÂÃÇÉÊÍÓÔÕÚÜ áàâãçéêíóôõúü ñÑ ªº", "ÁÀÂÃÇÉÊÍÓÔÕÚÜ áàâãçéêíóôõúü ñÑ ªº"],
    ["Jose\u0301 decomposto", "José decomposto"],
    ["Łódź Ștefan Đặng Œuvre", "Lódz Stefan Dang OEuvre"],
    ["x\u030c\u0327y", "xy"],
    ["ﬁm ①", "fim 1"],
    ["“aspas” – traço… €", "“aspas” – traço… €"],
    ["李小龍 Иван", "??? ????"],
    ["a\u0000b\u202ec\nd\te\u2028f\u2029g", "a b c d e f g"],
    ["Ana 😀 Lima", "Ana ? Lima"],
    ["Ana \ud83d Lima", "Ana Lima"],
    ["(a) \\) Tj ET %PDF <</JS>>", "(a) \\) Tj ET %PDF <</JS>>"],
  ])("%j is printed as %j", async (payerName, printed) => {
    expect((await opened({ payerName })).text).toContain(`Nome ${printed} Documento`);
  });

  it.each([
    ["Hebrew and Arabic", "שלום مرحبا"],
    ["Hindi and Thai", "नमस्ते สวัสดี"],
    ["a family of one picture", "👨‍👩‍👧‍👦 🇧🇷 ✅"],
    ["marks piled up", `Z${"\u0351\u0346".repeat(200)}`],
    ["the end of a page and of a document", "\f%%EOF\nendstream endobj"],
  ])("leaves the rest of the page as it is: %s", async (_, strange) => {
    const long = strange.repeat(50).slice(0, 500);
    const { text, pages } = await opened({ merchant: long, payerName: long, description: long });
    expect(pages).toBe(1);
    for (const part of ["R$ 1.234,56", RECEIPT.endToEndId, RECEIPT.transactionId]) expect(text).toContain(part);
  });

  it("is cut where it would leave the page, in every place", async () => {
    const long = { merchant: "W".repeat(5_000), payerName: "i".repeat(5_000), description: "á \n".repeat(5_000) };
    const { text, pages } = await opened({ ...long, transactionId: "M".repeat(300), endToEndId: "M".repeat(300) });
    expect(pages).toBe(1);
    expect(text.match(/…/g)).toHaveLength(6);
    expect(text).toContain("não comprova pagamento real");
  });

  it.each([35, 60, 500])("of %d wide letters never reaches the margin", async (length) => {
    const letters = "W".repeat(length);
    const wide = { merchant: letters, payerName: letters, description: letters };
    const amount = { amount: 999_999_999_999, currency: "ABCDEFGH" };
    const picture = await reader.picture(await receiptPdf({ ...RECEIPT, ...wide, ...amount }), 1);
    const margin = Array.from({ length: picture.height - 8 }, (_, row) => {
      const end = (row + 9) * picture.width * 4;
      return picture.data.subarray(end - 46 * 4, end);
    });
    expect(margin.every((pixels) => pixels.every((value) => value === 255))).toBe(true);
  });
});

describe("the bytes", () => {
  it("are the same for the same receipt", async () => {
    const [first, second] = await Promise.all([receiptPdf(RECEIPT), receiptPdf({ ...RECEIPT })]);
    expect(Buffer.from(first).equals(second)).toBe(true);
  });

  it("are the same when many are drawn at once", async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ ...RECEIPT, amount: 1 + index }));
    const together = await Promise.all(many.map(receiptPdf));
    for (const [index, receipt] of many.entries()) {
      expect(Buffer.from(await receiptPdf(receipt)).equals(together[index] ?? Buffer.of())).toBe(true);
    }
  });

  it("carry the time of payment as the document's own", async () => {
    expect(Buffer.from(await receiptPdf(RECEIPT)).toString("latin1")).toContain("(D:20261121120510Z)");
  });

  it("differ for another receipt", async () => {
    const other = await receiptPdf({ ...RECEIPT, amount: 1 });
    expect(Buffer.from(await receiptPdf(RECEIPT)).equals(other)).toBe(false);
  });
});
