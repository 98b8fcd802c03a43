import { crc32, deflateSync } from "node:zlib";

/**
 * Draws a square of modules as a black-and-white PNG (W3C PNG, colour type 0, one bit per pixel). Each module is
 * `scale` pixels wide, with `margin` modules of white around the square. The file is a quarter of the size of a
 * full-colour one and is made at once, so that the answer of a create can carry it.
 */
export function squarePng(
  size: number,
  isDark: (row: number, column: number) => boolean,
  scale: number,
  margin: number,
) {
  const width = (size + 2 * margin) * scale;
  const stride = 1 + Math.ceil(width / 8);
  const pixels = Buffer.alloc(stride * width, 0xff);
  for (let y = 0; y < width; y++) pixels[y * stride] = 0;
  for (let row = 0; row < size; row++) {
    const first = (row + margin) * scale;
    for (let column = 0; column < size; column++) {
      if (isDark(row, column)) darken(pixels, first * stride + 1, (column + margin) * scale, scale);
    }
    for (let copy = 1; copy < scale; copy++)
      pixels.copy(pixels, (first + copy) * stride, first * stride, first * stride + stride);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header[8] = 1;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function darken(pixels: Buffer, line: number, from: number, count: number): void {
  for (let x = from; x < from + count; x++) {
    const at = line + (x >> 3);
    pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7));
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
