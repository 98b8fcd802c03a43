import { crc32, deflateSync } from "node:zlib";

/** A whole number of bytes: a module is then one byte of a line. */
const PIXELS_PER_MODULE = 8;
// The usual level takes four times as long for a picture of the same size.
const COMPRESSION = { level: 4 };

/**
 * Draws a square of modules, true for dark, as a black-and-white PNG (W3C PNG, colour type 0, one bit per pixel), eight pixels
 * a module. The file is small and drawn at once, so that the answer of a create can contain it.
 */
export function squarePng(lines: readonly (readonly boolean[])[]): Buffer {
  const width = lines.length * PIXELS_PER_MODULE;
  // A line begins with the number of its filter: none.
  const stride = 1 + lines.length;
  const pixels = Buffer.alloc(stride * width, 0xff);
  for (const [row, line] of lines.entries()) {
    const first = row * PIXELS_PER_MODULE * stride;
    pixels[first] = 0;
    for (const [column, isDark] of line.entries()) if (isDark) pixels[first + 1 + column] = 0;
    for (let copy = 1; copy < PIXELS_PER_MODULE; copy++)
      pixels.copyWithin(first + copy * stride, first, first + stride);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header[8] = 1;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, COMPRESSION)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
