import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoletoSlip, boletoPdf, formatLine } from "../../../src/base/documents/boleto-pdf.js";
import { BOLETO_MAX_AMOUNT, boletoBarcode, digitableLine, freeFieldOf } from "../../../src/base/methods/boleto.js";
import {
  type BarcodeReader,
  type OpenedPdf,
  type PdfReader,
  type Picture,
  startBarcodeReader,
  startPdfReader,
} from "./reader.js";

let reader: PdfReader;
let scanner: BarcodeReader;
beforeAll(async () => {
  [reader, scanner] = await Promise.all([startPdfReader(), startBarcodeReader()]);
});
afterAll(() => {
  reader.close();
  scanner.close();
});

const ID = "0198c0de-1234-7abc-89ab-0123456789ab";
const EMPTY: Picture = { width: 0, height: 0, data: new Uint8ClampedArray() };
const POINTS_PER_MM = 72 / 25.4;

function slip(changes: Partial<BoletoSlip> = {}): BoletoSlip {
  const { amount = 123_456, dueAt = Date.parse("2026-12-01T02:59:59.999Z") } = changes;
  return {
    beneficiary: "Loja Exemplo Ltda",
    payerName: "José Antônio da Conceição",
    payerDocument: "529.982.247-25",
    amount,
    dueAt,
    issuedAt: Date.parse("2026-11-21T12:05:10Z"),
    barcode: boletoBarcode({ bank: "999", dueAt, amount, freeField: freeFieldOf(ID) }),
    transactionId: ID,
    description: "Pedido 1042 — camiseta",
    ...changes,
  };
}

async function opened(changes: Partial<BoletoSlip> = {}): Promise<OpenedPdf> {
  return reader.open(await boletoPdf(slip(changes)));
}

describe("a boleto", () => {
  it("is one page of A4", async () => {
    expect(await opened()).toMatchObject({ pages: 1, width: 595.28, height: 841.89 });
  });

  it("shows the facts that a payer needs, on the receipt and on the slip", async () => {
    const { text } = await opened();
    const line = formatLine(digitableLine(slip().barcode));
    const twice = [line, "Banco de Teste 999-7", "Loja Exemplo Ltda", "José Antônio da Conceição · 529.982.247-25"];
    for (const part of [...twice, "R$ 1.234,56", "30/11/2026", "0123456789AB"]) {
      expect(text.split(part), part).toHaveLength(3);
    }
    expect(text).toContain("Pedido 1042 — camiseta");
    for (const label of ["Beneficiário", "Pagador", "Vencimento", "Nosso número", "Recibo do pagador"]) {
      expect(text).toContain(label);
    }
  });

  it("has the day of issue and the due day of São Paulo", async () => {
    const { text } = await opened({ issuedAt: Date.parse("2026-11-22T02:00:00Z") });
    expect(text).toContain("Data do documento 21/11/2026");
    expect(text).toContain("Vencimento 30/11/2026");
  });

  it("has a number of the bank that its barcode holds", async () => {
    const number = /Nosso número 01\/(\d{11})/.exec((await opened()).text)?.[1];
    expect(slip().barcode.slice(19)).toContain(number);
  });

  it("says that no bank takes it, in view and among the instructions", async () => {
    expect((await opened()).text.split("não pode ser pago em nenhum banco")).toHaveLength(3);
  });

  it("may have neither payer nor description", async () => {
    const { text } = await opened({ payerName: null, payerDocument: null, description: null });
    expect(text).toContain("Pagador não informado");
    expect(text).not.toContain("null");
  });

  it.each(["", " \n\u0000"])("takes %j for no name, document and description", async (empty) => {
    const [without, withEmpty] = [
      await opened({ payerName: null, payerDocument: null, description: null }),
      await opened({ payerName: empty, payerDocument: empty, description: empty }),
    ];
    expect(withEmpty).toEqual(without);
  });

  it.each([
    ["52998224725", "529.982.247-25"],
    ["11222333000181", "11.222.333/0001-81"],
    ["12ABC34501DE35", "12.ABC.345/01DE-35"],
    ["529.982.247-25", "529.982.247-25"],
    ["PT 501964843", "PT 501964843"],
  ])("shows the document %s as %s", async (payerDocument, shown) => {
    expect((await opened({ payerDocument })).text.split(`Conceição · ${shown} `)).toHaveLength(3);
  });

  it("cuts a long name rather than the document behind it", async () => {
    const { text } = await opened({ payerName: "Maria Aparecida ".repeat(40) });
    expect(text.split("… · 529.982.247-25")).toHaveLength(3);
  });

  it("has room for the largest amount", async () => {
    expect((await opened({ amount: BOLETO_MAX_AMOUNT })).text).toContain("R$ 99.999.999,99");
  });

  it.each([
    ["one long word", "W".repeat(5_000)],
    ["many lines", "linha\n".repeat(2_000)],
    ["other scripts", "李小龍 😀 \u202e\u0000 ".repeat(300)],
  ])("stays one page whatever is written into it: %s", async (_, hostile) => {
    const strings = { beneficiary: hostile, payerName: hostile, payerDocument: hostile, description: hostile };
    const { pages, text } = await opened(strings);
    expect(pages).toBe(1);
    for (const part of ["Não receber após o vencimento.", "R$ 1.234,56", "Ficha de compensação"]) {
      expect(text).toContain(part);
    }
  });
});

it.each([60, 500])("text in a cell of %d wide letters leaves figures and margin as they are", async (length) => {
  const wide = "W".repeat(length);
  const strings = { beneficiary: wide, payerName: wide, payerDocument: wide, description: wide };
  const [plain, full] = await Promise.all(
    [slip(), slip(strings)].map(async (boleto) => reader.picture(await boletoPdf(boleto), 1)),
  );
  // The figures' column starts 412 points from the left and ends above the payer's row; the margin begins at 547.
  const right = ({ data, width, height }: Picture) =>
    Array.from({ length: height }, (_, y) => {
      const from = y < 530 ? 412 : 548;
      return Buffer.from(data.subarray((y * width + from) * 4, (y + 1) * width * 4)).toString("hex");
    });
  expect(right(full ?? EMPTY)).toEqual(right(plain ?? EMPTY));
  expect(right(full ?? EMPTY)).toHaveLength(841);
});

it("the line is grouped as on paper", () => {
  const line = "00190000090114971860168524522114675860000102656";
  expect(formatLine(line)).toBe("00190.00009 01149.718601 68524.522114 6 75860000102656");
});

describe("the barcode", () => {
  const scanned = async (changes: Partial<BoletoSlip>, scale: number, ...kinds: "ITF"[]) =>
    scanner.read(await reader.picture(await boletoPdf(slip(changes)), scale), kinds);

  it.each([
    ["on a screen", 2],
    ["on paper", 4],
  ])("is read back as its 44 digits %s, and is the only one of the sheet", async (_, scale) => {
    const [symbol, ...others] = await scanned({}, scale);
    expect(symbol).toMatchObject({ format: "ITF", text: slip().barcode });
    expect(others).toEqual([]);
  });

  it.each([
    ["all zeros", "99990000000000000000000000000000000000000000"],
    ["all nines", "9".repeat(44)],
    ["a known one", "00196758600001026560000001149718606852452211"],
    ["the largest amount", slip({ amount: BOLETO_MAX_AMOUNT }).barcode],
  ])("is read back whatever its digits: %s", async (_, barcode) => {
    expect(await scanned({ barcode }, 2, "ITF")).toMatchObject([{ text: barcode }]);
  });

  it("is read back under hostile text", async () => {
    const hostile = "W\n".repeat(3_000);
    const symbols = await scanned({ beneficiary: hostile, payerName: hostile, description: hostile }, 2);
    expect(symbols).toMatchObject([{ text: slip().barcode }]);
  });

  it("is 103 mm wide and 13 mm high, with 5 mm of white at both ends", async () => {
    const scale = 4;
    const { data, width, height } = await reader.picture(await boletoPdf(slip()), scale);
    // Rules and text are dark blue: blue separates them from bars.
    const isBlack = (x: number, y: number) => (data[(y * width + x) * 4 + 2] ?? 255) < 40;
    const edge = Math.round((48 + 5 * POINTS_PER_MM) * scale) + 1;
    const bars = Array.from({ length: height }, (_, y) => y).filter((y) => isBlack(edge, y) && !isBlack(edge - 4, y));
    const middle = bars[Math.floor(bars.length / 2)] ?? 0;
    const dark = Array.from({ length: width }, (_, x) => x).filter((x) => isBlack(x, middle));
    const [first = 0, last = 0] = [dark[0], dark.at(-1)];
    const mm = (pixels: number) => pixels / scale / POINTS_PER_MM;
    expect(mm(last - first + 1)).toBeCloseTo(103, 0);
    expect(mm(bars.length)).toBeCloseTo(13, 0);
    expect(mm(first)).toBeGreaterThan(5);
    expect(mm(width - last)).toBeGreaterThan(5);
  });
});

describe("the bytes", () => {
  it("are the same when many are drawn at once", async () => {
    const many = Array.from({ length: 10 }, (_, index) => slip({ amount: 1 + index }));
    const together = await Promise.all(many.map(boletoPdf));
    for (const [index, boleto] of many.entries()) {
      expect(Buffer.from(await boletoPdf(boleto)).equals(together[index] ?? Buffer.of())).toBe(true);
    }
  });

  it("are the same for the same boleto, and different for another", async () => {
    const [first, second, other] = await Promise.all([slip(), slip(), slip({ amount: 1 })].map(boletoPdf));
    expect(Buffer.from(first ?? []).equals(second ?? Buffer.of())).toBe(true);
    expect(Buffer.from(first ?? []).equals(other ?? Buffer.of())).toBe(false);
  });
});
