import { getPixPayloadInfo, isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { parse } from "promptparse";
import { describe, expect, it } from "vitest";
import { brCode, crc16, decimalAmount } from "../../../src/base/pix/br-code.js";

const KEY = "123e4567-e12b-12d1-a456-426655440000";
const DYNAMIC_HEAD =
  "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd441" +
  "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***";

/** Codes of others and one of ours, as published or as recomputed by independent readers. */
const PUBLISHED = [
  [
    "the Central Bank's static example",
    `00020126580014br.gov.bcb.pix0136${KEY}5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D`,
  ],
  ["the Central Bank's dynamic example", `${DYNAMIC_HEAD}630464E4`],
  [
    "the Central Bank's example with a recurrence",
    `${DYNAMIC_HEAD}80740014br.gov.bcb.pix2552pix.example.com/rec/2353c790eefb11eaadc10242ac1200026304FB42`,
  ],
  [
    "the API Pix example of a charge with a recurrence",
    "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR" +
      "5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/" +
      "94ed2badcbc04c15b0bb7fa35319489063047741",
  ],
  [
    "the API Pix example of a recurrence alone",
    "00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix" +
      "2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9",
  ],
  [
    "the BR Code manual's example of two arrangements",
    `00020104141234567890123426580014BR.GOV.BCB.PIX0136${KEY}27300012BR.COM.OUTRO0110012345678952040000530398654061` +
      "23.455802BR5917NOME DO RECEBEDOR6008BRASILIA61087007490062190515RP12345678-201980390012BR.COM.OUTRO0119" +
      "0123.ABCD.3456.WXYZ6304AD38",
  ],
  [
    "a shop's dynamic code",
    "00020101021226770014BR.GOV.BCB.PIX2555api.itau/pix/qr/v2/f50feab7-1273-48c3-a296-db458e212dbf520400005303986" +
      "5802BR5925KABUM COMERCIO ELETRONICO6009SAO PAULO62070503***63047469",
  ],
  [
    "a dynamic code with an amount",
    "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/2353c790eefb11eaadc10242ac1200025204000053039865405" +
      "19.905802BR5913Fulano de Tal6009SAO PAULO62070503***6304529E",
  ],
] as const;

const CHARGE = {
  payloadUrl: "pix.qa-pay.test/qr/v2/2353c790eefb11eaadc10242ac120002",
  amount: 12_345,
  merchantName: "Loja Exemplo",
  merchantCity: "Sao Paulo",
};

/** The value of a field as an independent reader finds it, once it has agreed with the checksum. */
function read(code: string, id: string, sub?: string): string | undefined {
  return parse(code, true)?.getTagValue(id, sub);
}

describe("the checksum", () => {
  it.each(PUBLISHED)("of %s is the one it carries", (_, code) => {
    expect(crc16(code.slice(0, -4))).toBe(code.slice(-4));
    expect(parse(code, true)).not.toBeNull();
  });

  it("of the standard check text is 29B1", () => {
    expect(crc16("123456789")).toBe("29B1");
    expect(crc16("")).toBe("FFFF");
  });

  it("keeps its leading zeros", () => {
    const codes = Array.from({ length: 500 }, (_, number) => crc16(String(number)));
    expect(codes.some((code) => code.startsWith("0"))).toBe(true);
    expect(codes.every((code) => /^[\dA-F]{4}$/.test(code))).toBe(true);
  });

  it("of other than ASCII is refused", () => {
    expect(() => crc16("São Paulo")).toThrow(RangeError);
  });
});

describe("a BR Code", () => {
  it("is, byte for byte, the dynamic code that five readers agreed on", () => {
    const code = brCode({
      payloadUrl: "pix.example.com/qr/v2/2353c790eefb11eaadc10242ac120002",
      amount: 1_990,
      merchantName: "Fulano de Tal",
      merchantCity: "SAO PAULO",
    });
    expect(code).toBe(PUBLISHED[7][1]);
  });

  it("holds the fields of a Pix that is payable once", () => {
    const code = brCode(CHARGE);
    const ids = parse(code, true)
      ?.getTags()
      .map((tag) => tag.id);
    expect(ids).toEqual(["00", "01", "26", "52", "53", "54", "58", "59", "60", "62", "63"]);
    expect(read(code, "00")).toBe("01");
    expect(read(code, "01")).toBe("12");
    expect(read(code, "26", "00")).toBe("br.gov.bcb.pix");
    expect(read(code, "26", "25")).toBe(CHARGE.payloadUrl);
    expect(read(code, "52")).toBe("0000");
    expect(read(code, "53")).toBe("986");
    expect(read(code, "54")).toBe("123.45");
    expect(read(code, "58")).toBe("BR");
    expect(read(code, "62", "05")).toBe("***");
  });

  it.each([
    ["Açaí & Pão São José", "Acai & Pao Sao Jose"],
    ["Ação Nº 1", "Acao No 1"],
    ["  Loja \t do\n Zé  ", "Loja do Ze"],
    ["Café 💸 Bar", "Cafe Bar"],
    ["Comércio de Eletrônicos do Brasil Ltda", "Comercio de Eletronicos d"],
    ["Companhia de Alimentos do Sul", "Companhia de Alimentos do"],
    ["日本", "NA"],
    ["   ", "NA"],
    ["", "NA"],
  ])("writes the name %j as %j", (merchantName, folded) => {
    expect(read(brCode({ ...CHARGE, merchantName }), "59")).toBe(folded);
  });

  it.each([
    ["São Paulo", "Sao Paulo"],
    ["São José do Rio Preto", "Sao Jose do Rio"],
    ["Florianópolis/SC", "Florianopolis/S"],
    ["", "NA"],
  ])("writes the city %j as %j", (merchantCity, folded) => {
    expect(read(brCode({ ...CHARGE, merchantCity }), "60")).toBe(folded);
  });

  it("takes a URL of 77 characters and none longer", () => {
    const longest = "pix.qa-pay.test/qr/v2/".padEnd(77, "a");
    expect(read(brCode({ ...CHARGE, payloadUrl: longest }), "26", "25")).toBe(longest);
    expect(() => brCode({ ...CHARGE, payloadUrl: `${longest}a` })).toThrow(RangeError);
  });

  it.each(["", "https://pix.qa-pay.test/qr/v2/1", "pix.qa-pay.test/qr v2", "pix.qa-pay.test/ação"])(
    "refuses the URL %j",
    (payloadUrl) => {
      expect(() => brCode({ ...CHARGE, payloadUrl })).toThrow(RangeError);
    },
  );

  it("of any merchant, amount and URL is read back by independent readers", () => {
    // Any sixteen bits, halves of surrogate pairs included.
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
    const name = fc.oneof(fc.string(), units, fc.string({ unit: "grapheme", maxLength: 60 }));
    const hex = fc.stringMatching(/^[0-9a-f]{32}$/);
    const amounts = fc.integer({ min: 1, max: 999_999_999_999 });
    fc.assert(
      fc.property(name, name, hex, amounts, (merchantName, merchantCity, id, amount) => {
        const payloadUrl = `pix.qa-pay.test/qr/v2/${id}`;
        const code = brCode({ payloadUrl, amount, merchantName, merchantCity });
        expect(Number(read(code, "54")?.replace(".", ""))).toBe(amount);
        expect(read(code, "59")).toMatch(/^[!-~](?:[ -~]{0,23}[!-~])?$/);
        expect(read(code, "60")).toMatch(/^[!-~](?:[ -~]{0,13}[!-~])?$/);
        expect(isValidPixPayload(code)).toBe(true);
        expect(getPixPayloadInfo(code)).toMatchObject({ pointOfInitiation: "dynamic", url: payloadUrl });
      }),
      { numRuns: 200 },
    );
  });
});

describe("an amount", () => {
  it.each([
    [1, "0.01"],
    [10, "0.10"],
    [100, "1.00"],
    [12_345, "123.45"],
    [999_999_999_999, "9999999999.99"],
  ])("of %d centavos is written %s", (centavos, text) => {
    expect(decimalAmount(centavos)).toBe(text);
  });

  it.each([0, -1, 1.5, 1_000_000_000_000, Number.NaN, Number.POSITIVE_INFINITY])("of %d is refused", (centavos) => {
    expect(() => brCode({ ...CHARGE, amount: centavos })).toThrow(RangeError);
  });
});
