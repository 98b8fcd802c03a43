import { generateCnpj, generateCpf, isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isBareCpfOrCnpj,
  isCnpj,
  isCpf,
  isCpfOrCnpj,
  maskTaxId,
  normalizeTaxId,
  SAMPLE_PAYER_CPF,
} from "../../../src/base/kernel/tax-id.js";

const VALID_CPF = ["52998224725", "12345678909", "11144477735", "28001238938"];
const VALID_CNPJ = ["11222333000181", "00000000000191", "12345678000195"];
const VALID_ALPHANUMERIC_CNPJ = ["12ABC34501DE35", "A0B1C2D3000179", "ZZZZZZZZZZZZ62"];

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const alphanumerics = (length: number) => fc.stringMatching(new RegExp(`^[0-9A-Z]{${length}}$`));
const CHECK_PAIRS = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, "0"));

describe("a CPF", () => {
  it.each(VALID_CPF)("%s is accepted, bare and punctuated", (cpf) => {
    expect(isCpf(cpf)).toBe(true);
    expect(isCpf(cpf.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4"))).toBe(true);
  });

  it.each([
    ["a wrong check digit", "52998224724"],
    ["another wrong check digit", "529.982.247-15"],
    ["one digit repeated", "11111111111"],
    ["zeros", "00000000000"],
    ["a digit too few", "5299822472"],
    ["a digit too many", "529982247250"],
    ["punctuation out of place", "5-29 982 24725"],
    ["half of the punctuation", "529982247-25"],
    ["another kind of punctuation", "529/982/247-25"],
    ["spaces around it", " 52998224725"],
    ["a line break after it", "52998224725\n"],
    ["a letter", "5299822472A"],
    ["digits of another script", "٥٢٩٩٨٢٢٤٧٢٥"],
    ["nothing", ""],
  ])("with %s is refused", (_, text) => {
    expect(isCpf(text)).toBe(false);
    expect(isCpfOrCnpj(text)).toBe(false);
  });

  it("has exactly one right pair of check digits, the one an independent library names", () => {
    fc.assert(
      fc.property(digits(9), (body) => {
        const accepted = CHECK_PAIRS.filter((pair) => isCpf(body + pair));
        expect(accepted).toEqual(CHECK_PAIRS.filter((pair) => isValidCpf(body + pair)));
      }),
      { examples: [["111111111"], ["000000000"]] },
    );
  });

  it("made by an independent library is accepted", () => {
    for (let round = 0; round < 200; round++) expect(isCpf(generateCpf())).toBe(true);
  });

  it("of a simulated payer is valid", () => {
    expect(isCpf(SAMPLE_PAYER_CPF)).toBe(true);
  });
});

describe("a CNPJ", () => {
  it.each([...VALID_CNPJ, ...VALID_ALPHANUMERIC_CNPJ])("%s is accepted, bare and punctuated", (cnpj) => {
    expect(isCnpj(cnpj)).toBe(true);
    expect(isCnpj(cnpj.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5"))).toBe(true);
    expect(isCpfOrCnpj(cnpj)).toBe(true);
  });

  it("may be bare or punctuated; a bare one has no punctuation", () => {
    for (const cnpj of [...VALID_CNPJ, ...VALID_ALPHANUMERIC_CNPJ]) {
      expect(isBareCpfOrCnpj(cnpj)).toBe(true);
      expect(isBareCpfOrCnpj(cnpj.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5"))).toBe(false);
    }
    expect(isBareCpfOrCnpj("52998224725")).toBe(true);
    expect(isBareCpfOrCnpj("529.982.247-25")).toBe(false);
    expect(isBareCpfOrCnpj("52998224724")).toBe(false);
  });

  it.each([
    ["a wrong check digit", "11222333000180"],
    ["a wrong check digit after letters", "12ABC34501DE34"],
    ["zeros", "00000000000000"],
    ["letters for check digits", "12ABC34501DEA5"],
    ["a character too few", "1122233300018"],
    ["a character too many", "112223330001811"],
    ["small letters", "12abc34501de35"],
    ["one small letter", "12ABC34501De35"],
    ["small letters and punctuation", "12.abc.345/01de-35"],
    ["half of the punctuation", "11.222.333/000181"],
    ["hyphens for dots", "11-222-333/0001-81"],
    ["an accented letter", "12ÁBC34501DE35"],
    ["a letter that only looks like K", "12\u212ABC34501DE35"],
  ])("with %s is refused", (_, text) => {
    expect(isCnpj(text)).toBe(false);
    expect(isCpfOrCnpj(text)).toBe(false);
  });

  it("has exactly one right pair of check digits, the one an independent library names", () => {
    fc.assert(
      fc.property(fc.oneof(digits(12), alphanumerics(12)), (body) => {
        const accepted = CHECK_PAIRS.filter((pair) => isCnpj(body + pair));
        expect(accepted).toEqual(CHECK_PAIRS.filter((pair) => isValidCnpj(body + pair, { version: 2 })));
      }),
      { examples: [["000000000000"], ["111111111111"]] },
    );
  });

  it("made by an independent library is accepted", () => {
    for (let round = 0; round < 200; round++) expect(isCnpj(generateCnpj())).toBe(true);
  });
});

describe("a tax id", () => {
  it("is compared without punctuation and in upper case", () => {
    expect(normalizeTaxId("529.982.247-25")).toBe("52998224725");
    expect(normalizeTaxId(" 12.abc.345/01de-35 ")).toBe("12ABC34501DE35");
    expect(normalizeTaxId("PT 501 964 843")).toBe("PT501964843");
  });

  it.each([
    ["52998224725", "***.982.247-**"],
    ["529.982.247-25", "***.982.247-**"],
    ["11222333000181", "11.222.333/0001-81"],
    ["12abc34501de35", "12.ABC.345/01DE-35"],
    ["501964843", "***"],
    ["", "***"],
  ])("%j is shown to others as %s", (text, masked) => {
    expect(maskTaxId(text)).toBe(masked);
  });
});
