import { getBoletoInfo, isValidBoleto } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BOLETO_MAX_AMOUNT, boletoBarcode, digitableLine, freeFieldOf } from "../../../src/base/methods/boleto.js";

const DAY = 86_400_000;

/** Noon in São Paulo of a calendar day. */
const noon = (day: string) => Date.parse(`${day}T12:00:00-03:00`);

/** Published boletos and one of the emulator, before and after the day on which the due factor starts over. */
const KNOWN = [
  {
    due: "2018-07-15",
    amount: 102_656,
    barcode: "00196758600001026560000001149718606852452211",
    line: "00190000090114971860168524522114675860000102656",
  },
  {
    due: "2025-02-21",
    amount: 10_000,
    barcode: "00197999900000100000000001234567000000000117",
    line: "00190000090123456700400000001172799990000010000",
  },
  {
    due: "2025-02-22",
    amount: 10_000,
    barcode: "00192100000000100000000001234567000000000117",
    line: "00190000090123456700400000001172210000000010000",
  },
  {
    due: "2026-11-30",
    amount: 1_990,
    barcode: "99995164600000019900000000000000000000000042",
    line: "99990000040000000000000000000422516460000001990",
  },
];

/** The barcode of a typed line: its fields without their check digits, in the order of the barcode. */
function barcodeOfLine(line: string): string {
  return line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31);
}

/** The four digits of the due day in the barcode of a boleto due at an instant. */
function factorAt(dueAt: number): string {
  return boletoBarcode({ bank: "999", dueAt, amount: 1, freeField: "0".repeat(25) }).slice(5, 9);
}

describe("a known boleto", () => {
  it.each(KNOWN)("due on $due has its 44 digits", ({ due, amount, barcode }) => {
    const [bank, freeField] = [barcode.slice(0, 3), barcode.slice(19)];
    expect(boletoBarcode({ bank, dueAt: noon(due), amount, freeField })).toBe(barcode);
  });

  it.each(KNOWN)("due on $due has its 47 digits", ({ barcode, line }) => {
    expect(digitableLine(barcode)).toBe(line);
  });

  it("is valid for another implementation, and invalid with another general check digit", () => {
    for (const { line } of KNOWN) expect(isValidBoleto(line), line).toBe(true);
    expect(isValidBoleto("99990000040000000000000000000422516460000001991")).toBe(false);
  });

  it("without a due day has its 47 digits", () => {
    const line = "99990000040000000000000000000422100000000001990";
    expect(digitableLine("99991000000000019900000000000000000000000042")).toBe(line);
  });
});

describe("any boleto", () => {
  const firstDay = Date.UTC(2000, 6, 3) / DAY;
  const lastDay = Date.UTC(2074, 5, 4) / DAY;
  const restarts = [Date.UTC(2025, 1, 22) / DAY, Date.UTC(2049, 9, 14) / DAY];
  const boletos = fc.record({
    bank: fc.integer({ min: 1, max: 999 }).map((code) => String(code).padStart(3, "0")),
    day: fc.oneof(
      fc.integer({ min: firstDay, max: lastDay }),
      ...restarts.map((restart) => fc.integer({ min: restart - 3, max: restart + 3 })),
      fc.constantFrom(firstDay, lastDay),
    ),
    amount: fc.oneof(fc.integer({ min: 1, max: BOLETO_MAX_AMOUNT }), fc.constant(BOLETO_MAX_AMOUNT)),
    freeField: fc.uuid().map(freeFieldOf),
  });

  it("is read by another implementation with the values that it was built from", () => {
    fc.assert(
      fc.property(boletos, ({ bank, day, amount, freeField }) => {
        const dueAt = day * DAY + DAY / 2;
        const line = digitableLine(boletoBarcode({ bank, dueAt, amount, freeField }));
        expect(isValidBoleto(line)).toBe(true);
        const read = getBoletoInfo(line, { referenceDate: new Date(day * DAY) });
        expect(read).toEqual({ amount, bankCode: bank, expirationDate: new Date(day * DAY) });
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it("has a different line for every barcode", () => {
    fc.assert(
      fc.property(boletos, ({ bank, day, amount, freeField }) => {
        const barcode = boletoBarcode({ bank, dueAt: day * DAY + DAY / 2, amount, freeField });
        expect(barcode).toMatch(/^\d{44}$/);
        expect(barcodeOfLine(digitableLine(barcode))).toBe(barcode);
        expect(barcode.slice(19)).toBe(freeField);
      }),
      { seed: 1 },
    );
  });
});

describe("the due factor", () => {
  it("counts days of São Paulo: it changes at midnight there, not in UTC", () => {
    const midnight = Date.parse("2026-11-30T00:00:00-03:00");
    expect([midnight - 1, midnight, midnight + DAY - 1, midnight + DAY].map(factorAt)).toEqual([
      "1645",
      "1646",
      "1646",
      "1647",
    ]);
  });

  it("starts over after 9999, every 9000 days", () => {
    const days = ["2000-07-03", "2025-02-21", "2025-02-22", "2049-10-13", "2049-10-14"];
    expect(days.map((day) => factorAt(noon(day)))).toEqual(["1000", "9999", "1000", "9999", "1000"]);
  });
});

describe("the amount", () => {
  const boleto = (amount: number) =>
    boletoBarcode({ bank: "999", dueAt: noon("2026-11-30"), amount, freeField: "0".repeat(25) });

  it("can use all of its ten digits", () => {
    expect(BOLETO_MAX_AMOUNT).toBe(9_999_999_999);
    expect(boleto(BOLETO_MAX_AMOUNT).slice(9, 19)).toBe("9999999999");
    expect(boleto(1).slice(9, 19)).toBe("0000000001");
  });

  it("is refused when it has too many digits", () => {
    expect(() => boleto(BOLETO_MAX_AMOUNT + 1)).toThrow(RangeError);
  });
});

describe("the free field of an id", () => {
  it("is 25 digits, always the same ones", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(freeFieldOf(id)).toMatch(/^\d{25}$/);
        expect(freeFieldOf(id)).toBe(freeFieldOf(id));
      }),
      { seed: 1 },
    );
  });

  it("differs for different ids", () => {
    // 128 bits do not fit into 25 digits, so two ids could have the same digits. The fixed seed avoids such ids.
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 50, maxLength: 50 }), (ids) => {
        expect(new Set(ids.map(freeFieldOf)).size).toBe(ids.length);
      }),
      { seed: 1 },
    );
  });

  it("keeps leading zeros, and differs for neighbouring ids", () => {
    expect(freeFieldOf("00000000-0000-0000-0000-00000000002a")).toBe(`${"0".repeat(23)}42`);
    expect(freeFieldOf("00000000-0000-0000-0000-00000000002b")).toBe(`${"0".repeat(23)}43`);
  });
});
