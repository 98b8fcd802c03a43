import { createRequire } from "node:module";
import { createCache } from "../kernel/cache.js";
import { squarePng } from "./png.js";

/**
 * Pictures of a BR Code. PNG and SVG have the quiet zone of four modules that the QR standard (ISO/IEC 18004) asks for,
 * and error correction M (15 %), which is usual on screens: a higher level would only make the modules smaller.
 */

const MARGIN = 4;
const LEVEL = { errorCorrectionLevel: "M" } as const;

// A whole number of pixels per module keeps the edges sharp. A BR Code takes 45 to 53 modules and 8 of margin, so this
// makes a picture of 371 to 427 pixels.
const PIXELS_PER_MODULE = 7;

const SVG_WIDTH = 400;

type Encoder = typeof import("qrcode");
const load = createRequire(import.meta.url);
let loaded: Encoder | null = null;

/** The encoder is loaded when the first picture is drawn: a server may never draw one. */
function encoder(): Encoder {
  loaded ??= load("qrcode") as Encoder;
  return loaded;
}

/**
 * The QR code of `text` as a PNG file, seven pixels a module.
 *
 * @throws Error when the text is too long for a QR code (2 331 bytes).
 */
export function qrPng(text: string): Buffer {
  const { modules } = encoder().create(text, LEVEL);
  return squarePng(modules.size, (row, column) => modules.get(row, column) === 1, PIXELS_PER_MODULE, MARGIN);
}

const KEPT_BYTES = 8 * 1_048_576;
const kept = createCache<string>(KEPT_BYTES, (picture) => picture);

/** Returns the same PNG in base64. A payment is read many times with the same code, so the latest pictures are kept. */
export function qrBase64(text: string): string {
  let picture = kept.get(text);
  if (picture === undefined) {
    picture = qrPng(text).toString("base64");
    kept.keep(text, picture);
  }
  return picture;
}

/**
 * The QR code of `text` as an SVG document 400 units wide, which scales with the element that shows it.
 *
 * @throws Error when the text is too long for a QR code (2 331 bytes).
 */
export function qrSvg(text: string): Promise<string> {
  return encoder().toString(text, { ...LEVEL, margin: MARGIN, type: "svg", width: SVG_WIDTH });
}

/** A narrower quiet zone, because a terminal has little room. */
const BLOCKS_MARGIN = 2;
/** Each character shows two modules, one above the other. Light are: neither, the lower, the upper, both. */
const BLOCKS = [" ", "▄", "▀", "█"] as const;

/** The QR code of `text` as lines of block characters, one character a module. The light modules are drawn. */
export function qrBlocks(text: string): string[] {
  const { modules } = encoder().create(text, LEVEL);
  const side = modules.size + 2 * BLOCKS_MARGIN;
  const isDark = (row: number, column: number) => {
    const inside = [row, column].every((at) => at >= 0 && at < modules.size);
    return inside && modules.get(row, column) === 1;
  };
  return Array.from({ length: Math.ceil(side / 2) }, (_, line) => {
    const light = (row: number, column: number) =>
      Number(row < side && !isDark(row - BLOCKS_MARGIN, column - BLOCKS_MARGIN));
    const block = (column: number) => BLOCKS[light(2 * line, column) * 2 + light(2 * line + 1, column)];
    return Array.from({ length: side }, (_module, column) => block(column)).join("");
  });
}
