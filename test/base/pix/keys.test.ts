import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PIX_KEY_TYPES, pixKeyType, resolvesPixKey } from "../../../src/base/pix/keys.js";

/** Pix keys are exchanged bare (BCB, operational manual of the DICT, section 1). */

const UUID = "f47ac10b-58cc-4372-a567-0e02b2c3d479";

describe("a Pix key", () => {
  it.each([
    ["52998224725", "CPF"],
    ["12345678909", "CPF"],
    ["00000000191", "CPF"],
    ["11222333000181", "CNPJ"],
    ["12ABC34501DE35", "CNPJ"],
    ["maria@example.com", "EMAIL"],
    ["maria.silva+loja@sub.example.com.br", "EMAIL"],
    ["a@b.co", "EMAIL"],
    ["+5511987654321", "PHONE"],
    ["+551133334444", "PHONE"],
    ["+351912345678", "PHONE"],
    [UUID, "RANDOM"],
    ["123e4567-e12b-12d1-a456-426655440000", "RANDOM"],
  ])("%s is a %s", (key, type) => {
    expect(pixKeyType(key)).toBe(type);
  });

  it.each([
    ["a punctuated CPF", "529.982.247-25"],
    ["a CPF with wrong check digits", "52998224724"],
    ["a CPF of one digit repeated", "11111111111"],
    ["a punctuated CNPJ", "11.222.333/0001-81"],
    ["a CNPJ with wrong check digits", "11222333000180"],
    ["a CNPJ in small letters", "12abc34501de35"],
    ["ten digits", "5299822472"],
    ["a phone without a plus", "5511987654321"],
    ["a phone without a country", "11987654321"],
    ["a phone with spaces", "+55 11 98765-4321"],
    ["a phone that starts with zero", "+0511987654321"],
    ["a phone of 16 digits", "+1234567890123456"],
    ["an e-mail address in capitals", "Maria@Example.com"],
    ["an e-mail address without a dot in its domain", "maria@localhost"],
    ["an e-mail address with two at signs", "maria@@example.com"],
    ["an e-mail address with a space", "maria silva@example.com"],
    ["an e-mail address of 78 characters", `${"m".repeat(66)}@example.com`],
    ["a random key in capitals", UUID.toUpperCase()],
    ["a random key without hyphens", UUID.replaceAll("-", "")],
    ["a line break after it", "52998224725\n"],
    ["a space before it", " 52998224725"],
    ["nothing", ""],
  ])("is not %s", (_what, text) => {
    expect(pixKeyType(text)).toBeNull();
    expect(resolvesPixKey(text)).toBe(false);
  });

  it("of an e-mail address may have 77 characters", () => {
    expect(pixKeyType(`${"m".repeat(65)}@example.com`)).toBe("EMAIL");
  });

  it("is checked quickly, however long the text is", () => {
    for (const long of [
      "a".repeat(100_000),
      `a@${"a.".repeat(50_000)}`,
      `a@${"-".repeat(100_000)}`,
      "+1".repeat(50_000),
    ]) {
      expect(pixKeyType(long)).toBeNull();
    }
  });

  it("is of one type or of none, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.emailAddress(), fc.uuid(), fc.stringMatching(/^\+?\d{8,16}$/)), (text) => {
        const type = pixKeyType(text);
        expect([null, ...PIX_KEY_TYPES]).toContain(type);
        if (type === null) expect(resolvesPixKey(text)).toBe(false);
      }),
    );
  });
});

describe("the emulated key directory", () => {
  it.each(["52998224725", "11222333000181", "maria@example.com", "+5511987654321", UUID])(
    "knows who owns %s",
    (key) => {
      expect(resolvesPixKey(key)).toBe(true);
    },
  );

  it.each(["maria@shop.invalid", "a@deep.down.invalid", "00000000-0000-0000-0000-000000000000"])(
    "knows that nobody owns %s, though it is a key",
    (key) => {
      expect(pixKeyType(key)).not.toBeNull();
      expect(resolvesPixKey(key)).toBe(false);
    },
  );

  it("knows the owner of an address whose domain only resembles `.invalid`", () => {
    expect(resolvesPixKey("maria@invalid.example.com")).toBe(true);
    expect(resolvesPixKey("maria@notinvalid.com")).toBe(true);
  });
});
