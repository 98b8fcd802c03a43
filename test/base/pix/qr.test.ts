import jsqr from "jsqr";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { brCode } from "../../../src/base/pix/br-code.js";
import { qrPng, qrSvg } from "../../../src/base/pix/qr.js";

const QUIET_ZONE = 4;

const code = (amount: number, merchantName: string) =>
  brCode({
    payloadUrl: "pix.qa-pay.test/qr/v2/2353c790eefb11eaadc10242ac120002",
    amount,
    merchantName,
    merchantCity: "Sao Paulo",
  });

const CODES = [
  ["short", code(1, "A")],
  ["ordinary", code(12_345, "Loja Exemplo")],
  ["long", code(999_999_999_999, "KABUM COMERCIO ELETRONICO")],
] as const;

/** Reads a QR code from a picture of four bytes a pixel. */
function scan(pixels: Uint8ClampedArray, side: number): string | undefined {
  return jsqr.default(pixels, side, side)?.data;
}

function scanPng(text: string): string | undefined {
  const { data, width } = PNG.sync.read(qrPng(text));
  return scan(new Uint8ClampedArray(data), width);
}

/** Draws the strokes of the SVG, each a run of dark modules one unit high, at four pixels a unit. */
function rasterise(svg: string): { pixels: Uint8ClampedArray; side: number } {
  const scale = 4;
  const side = Number(/viewBox="0 0 (\d+) \d+"/.exec(svg)?.[1]) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const strokes = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? "";
  let x = 0;
  let y = 0;
  for (const [, command, first, second] of strokes.matchAll(/([Mmh])(-?[\d.]+)(?: ?(-?[\d.]+))?/g)) {
    const start = command === "M" ? 0 : x;
    if (command === "h") {
      for (let row = Math.floor(y) * scale; row < (Math.floor(y) + 1) * scale; row++) {
        for (let column = x * scale; column < (x + Number(first)) * scale; column++) {
          pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
        }
      }
    } else {
      y = (command === "M" ? 0 : y) + Number(second);
    }
    x = start + Number(first);
  }
  return { pixels, side };
}

describe("the PNG", () => {
  it.each(CODES)("of a %s BR Code is read back by a QR reader", (_, text) => {
    expect(scanPng(text)).toBe(text);
  });

  it.each(CODES)("of a %s BR Code is about 500 pixels wide and square", (_, text) => {
    const { width, height } = PNG.sync.read(qrPng(text));
    expect(width).toBe(height);
    expect(width).toBeGreaterThanOrEqual(450);
    expect(width).toBeLessThanOrEqual(520);
  });

  it("has a white quiet zone of four modules and dark right inside it", () => {
    const { data, width } = PNG.sync.read(qrPng(CODES[1][1]));
    const pixelsPerModule = 8;
    const edge = QUIET_ZONE * pixelsPerModule;
    const red = (x: number, y: number) => data[(y * width + x) * 4];
    for (let at = 0; at < width; at++) {
      expect([red(at, edge - 1), red(edge - 1, at), red(at, width - edge), red(width - edge, at)]).toEqual(
        Array(4).fill(255),
      );
    }
    expect(red(edge, edge)).toBe(0);
  });
});

describe("the SVG", () => {
  it.each(CODES)("of a %s BR Code is read back by a QR reader", (_, text) => {
    const { pixels, side } = rasterise(qrSvg(text));
    expect(scan(pixels, side)).toBe(text);
  });

  it("is a document of its own that states its size", () => {
    const svg = qrSvg(CODES[0][1]);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="400" height="400" viewBox="/);
    expect(svg.trimEnd()).toMatch(/<\/svg>$/);
  });
});

describe("a text too long for a QR code", () => {
  it("is refused by both", () => {
    expect(() => qrPng("x".repeat(2_332))).toThrow("Capacity overflow");
    expect(() => qrSvg("x".repeat(2_332))).toThrow("Capacity overflow");
  });

  it("is longer than 2 331 bytes", () => {
    expect(qrSvg("x".repeat(2_331))).toContain("<svg");
  });
});
