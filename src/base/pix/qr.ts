import { encodeQR } from "qr";
import { createCache } from "../kernel/cache.js";
import { squarePng } from "./png.js";

/**
 * Pictures of a BR Code. PNG and SVG have the quiet zone of four modules that the QR standard (ISO/IEC 18004) requires, and
 * error correction M (15 %), which is usual on screens: a higher level would only make the modules smaller.
 */

const MARGIN = 4;

const SVG_WIDTH = 400;

/**
 * The lines of modules of `text`, the margin included; true is dark. Throws Error when the text is too long for a QR code (2 331 bytes).
 */
function linesOf(text: string, margin: number): boolean[][] {
  return encodeQR(text, "raw", { ecc: "medium", border: margin });
}

/** The QR code of `text` as a PNG file, 456 to 520 pixels wide. Throws as `linesOf` does. */
export function qrPng(text: string): Buffer {
  return squarePng(linesOf(text, MARGIN));
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
 * The QR code of `text` as an SVG document 400 units wide, which scales with the element that shows it. Each run of dark
 * modules is a stroke. Throws as `linesOf` does.
 */
export function qrSvg(text: string): string {
  const lines = linesOf(text, MARGIN).map((line) => line.map(Number).join(""));
  const strokes = lines.flatMap((line, y) =>
    Array.from(line.matchAll(/1+/g), ({ index, 0: run }) => `M${index} ${y}.5h${run.length}`),
  );
  const side = lines.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SVG_WIDTH}" height="${SVG_WIDTH}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#ffffff" d="M0 0h${side}v${side}H0z"/><path stroke="#000000" d="${strokes.join("")}"/></svg>\n`;
}

/** A narrower quiet zone, because a terminal has little room. */
const BLOCKS_MARGIN = 2;
/** Each character shows two modules, one above the other. Light are: neither, the lower, the upper, both. */
const BLOCKS = [" ", "▄", "▀", "█"] as const;

/** The QR code of `text` as lines of block characters, one character a module. The light modules are drawn. */
export function qrBlocks(text: string): string[] {
  const lines = linesOf(text, BLOCKS_MARGIN);
  const light = (row: number, column: number) => Number(lines[row]?.[column] === false);
  return Array.from({ length: Math.ceil(lines.length / 2) }, (_, line) =>
    lines.map((_module, column) => BLOCKS[light(2 * line, column) * 2 + light(2 * line + 1, column)]).join(""),
  );
}
