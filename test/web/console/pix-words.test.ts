import { describe, expect, test } from "vitest";
import { type EmvField, isCrcRight, readEmv } from "../../../src/web/console/browser/words/emv.js";
import { endToEndParts } from "../../../src/web/console/browser/words/end-to-end-id.js";

const STATIC =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
const DYNAMIC =
  "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4";
const COMPOSITE =
  "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80740014br.gov.bcb.pix2552pix.example.com/rec/2353c790eefb11eaadc10242ac1200026304FB42";
const TWO_ARRANGEMENTS =
  "00020104141234567890123426580014BR.GOV.BCB.PIX0136123e4567-e12b-12d1-a456-42665544000027300012BR.COM.OUTRO011001234567895204000053039865406123.455802BR5917NOME DO RECEBEDOR6008BRASILIA61087007490062190515RP12345678-201980390012BR.COM.OUTRO01190123.ABCD.3456.WXYZ6304AD38";

const value = (fields: readonly EmvField[], id: string) => fields.find((field) => field.id === id)?.value;

describe("a BR Code taken apart", () => {
  test.each([
    ["the static example of the Central Bank", STATIC, "1D3D"],
    ["its dynamic example", DYNAMIC, "64E4"],
    ["its composite example", COMPOSITE, "FB42"],
    ["its example with two arrangements", TWO_ARRANGEMENTS, "AD38"],
  ])("%s has the checksum that it carries, and its fields together are the whole text", (_, text, crc) => {
    const code = readEmv(text);
    expect(code.crc).toEqual({ told: crc, computed: crc });
    expect(isCrcRight(code)).toBe(true);
    expect(code.rest).toBe("");
    const again = code.fields.map(({ id, length, value: text }) => id + String(length).padStart(2, "0") + text);
    expect(again.join("")).toBe(text);
  });

  test("the fields inside a template are found", () => {
    const { fields } = readEmv(DYNAMIC);
    const account = fields.find(({ id }) => id === "26")?.fields ?? [];
    expect(value(account, "00")).toBe("br.gov.bcb.pix");
    expect(value(account, "25")).toBe("pix.example.com/8b3da2f39a4140d1a91abd93113bd441");
    expect(value(fields.find(({ id }) => id === "62")?.fields ?? [], "05")).toBe("***");
    expect(value(fields, "59")).toBe("Fulano de Tal");
  });

  test("a changed code is detected by its checksum", () => {
    const code = readEmv(`${STATIC.slice(0, -4)}0000`);
    expect(code.crc).toEqual({ told: "0000", computed: "1D3D" });
    expect(isCrcRight(code)).toBe(false);
  });

  test("a text that breaks off keeps its whole fields and says what is left", () => {
    const code = readEmv(STATIC.slice(0, 40));
    expect(code.fields.map(({ id }) => id)).toEqual(["00"]);
    expect(code.rest).toBe(STATIC.slice(6, 40));
    expect(code.crc).toBeNull();
  });

  test.each(["", "hello", "0099", "63041D3"])("%j is no code and breaks nothing", (text) => {
    expect(isCrcRight(readEmv(text))).toBe(false);
  });

  test("text beyond ASCII has no checksum", () => {
    expect(readEmv("5904João63041234").crc).toEqual({ told: "1234", computed: null });
  });
});

describe("an end-to-end id taken apart", () => {
  test("the bank, the minute in UTC and the sequence are its parts", () => {
    expect(endToEndParts("E18236120202308111235s14fddf2801")).toEqual({
      kind: "E",
      ispb: "18236120",
      at: "2023-08-11T12:35:00Z",
      sequence: "s14fddf2801",
    });
  });

  test("the id of a return begins with D", () => {
    expect(endToEndParts("D54811417202508221647qjsBFT3ArbQ")?.kind).toBe("D");
  });

  test.each(["E12345678202009091221ghijk78901234", "E9999901012341234123412345678900", "", "hello"])(
    "%j is none",
    (id) => {
      expect(endToEndParts(id)).toBeNull();
    },
  );
});
