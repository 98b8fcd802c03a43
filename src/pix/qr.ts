import { squarePng } from "./png.js";

/**
 * Pictures of a BR Code. Both have the quiet zone of four modules that the QR standard (ISO/IEC 18004) asks for, and
 * error correction M (15 %), usual on screens: more would only make the modules smaller.
 */

const MARGIN = 4;
const LEVEL = { errorCorrectionLevel: "M" } as const;

// A whole number of pixels per module keeps the edges sharp. A BR Code takes 45 to 53 modules and 8 of margin, so this
// makes a picture of 371 to 427 pixels.
const PIXELS_PER_MODULE = 7;

const SVG_WIDTH = 400;

type Encoder = typeof import("qrcode");
let loaded: Encoder | null = null;

/** Loads the encoder. It is left out of the start of a server, which may never show a picture. */
export async function loadQr(): Promise<Encoder> {
  loaded ??= (await import("qrcode")).default;
  return loaded;
}

function png(encoder: Encoder, text: string): Buffer {
  const { modules } = encoder.create(text, LEVEL);
  return squarePng(modules.size, (row, column) => modules.get(row, column) === 1, PIXELS_PER_MODULE, MARGIN);
}

/**
 * The QR code of `text` as a PNG file, seven pixels a module.
 *
 * @throws Error when the text is too long for a QR code (2 331 bytes).
 */
export async function qrPng(text: string): Promise<Buffer> {
  return png(await loadQr(), text);
}

/** The same PNG in base64, without waiting: `loadQr` must have been awaited before (`--qr base64` does at start). */
export function qrBase64(text: string): string {
  if (loaded === null) throw new Error("the QR encoder is not loaded yet");
  return png(loaded, text).toString("base64");
}

/**
 * The QR code of `text` as an SVG document 400 units wide, which scales with the element that shows it.
 *
 * @throws Error when the text is too long for a QR code (2 331 bytes).
 */
export async function qrSvg(text: string): Promise<string> {
  return (await loadQr()).toString(text, { ...LEVEL, margin: MARGIN, type: "svg", width: SVG_WIDTH });
}
