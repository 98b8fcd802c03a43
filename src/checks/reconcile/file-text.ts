import { isAscii, isUtf8 } from "node:buffer";
import { t, type Wording, type Words } from "../../base/kernel/wording.js";
import { InputError } from "./input-error.js";

/**
 * The text of a file as spreadsheets write it: UTF-8 with any number of byte order marks, UTF-16 with its mark, and Windows-1252.
 * Lines end with LF alone in what comes out.
 */

/** The refusal of a file that a spreadsheet can save in another form. */
export function notReadable(line: number, what: Words): InputError {
  return new InputError(line, what, "saving");
}

/** The beginnings of files that are no text, in Latin-1. */
const BEGINNINGS: Readonly<Record<string, Wording>> = {
  "\xd0\xcf\x11\xe0": t`an old workbook of Excel (.xls)`,
  "%PDF": t`a PDF`,
  "{\\rtf": t`a document of a word processor (.rtf)`,
  "\x1f\x8b": t`compressed with gzip`,
  "Rar!": t`an archive (.rar)`,
  "7z\xbc\xaf": t`an archive (.7z)`,
  "SQLite format 3": t`a database of SQLite`,
  "\xff\xfe\0\0": t`in UTF-32`,
  "\0\0\xfe\xff": t`in UTF-32`,
};

function archiveOf(head: string): Wording {
  if (head.includes("opendocument.spreadsheet")) return t`a spreadsheet of LibreOffice (.ods)`;
  if (/\[Content_Types\]\.xml|_rels\/|xl\/|docProps\//.test(head)) return t`a workbook of Excel (.xlsx)`;
  return t`a ZIP archive, as a workbook of Excel (.xlsx) is one`;
}

/** The number of bytes that show the form of a file. */
const HEAD = 1_024;

function refuseOthers(head: Buffer): void {
  const text = head.toString("latin1", 0, HEAD);
  const begin = Object.keys(BEGINNINGS).find((one) => text.startsWith(one));
  const what = begin === undefined ? null : BEGINNINGS[begin];
  if (what) throw notReadable(1, t`The file is ${what}, and neither CSV nor JSON.`);
  if (text.startsWith("PK\x03\x04")) throw notReadable(1, t`The file is ${archiveOf(text)}, and neither CSV nor JSON.`);
}

/** The characters of the bytes 80 to 9F in Windows-1252; a blank where it has none. All other bytes are as in Latin-1. */
const WINDOWS = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

type Encoding = "utf8" | "windows";

const NAMES: Readonly<Record<Encoding, string>> = { utf8: "UTF-8", windows: "Windows-1252 (ANSI)" };

/** Decodes pieces of a file. `line` is the line of the first byte that was not decoded yet. Throws InputError. */
interface Decoder {
  take(chunk: Buffer, line: number): string;
  end(line: number): string;
}

/** Decodes UTF-8 or Windows-1252. The first line that is not ASCII decides, and all others must be like it. */
class LineDecoder implements Decoder {
  #encoding: Encoding | null;
  #rest: Buffer[] = [];

  constructor(isMarked: boolean) {
    this.#encoding = isMarked ? "utf8" : null;
  }

  take(chunk: Buffer, line: number): string {
    let end = chunk.length;
    // Up to here no character and no line end is divided.
    while (end > 0 && ((chunk[end - 1] ?? 0) >= 0x80 || chunk[end - 1] === 13)) end--;
    if (end === 0) {
      this.#rest.push(chunk);
      return "";
    }
    const whole = Buffer.concat([...this.#rest, chunk.subarray(0, end)]);
    this.#rest = end === chunk.length ? [] : [chunk.subarray(end)];
    return this.#decode(whole, line);
  }

  end(line: number): string {
    return this.#decode(Buffer.concat(this.#rest), line);
  }

  #decode(block: Buffer, first: number): string {
    if (isAscii(block)) return block.toString("latin1");
    if (this.#encoding !== "windows" && isUtf8(block)) {
      this.#encoding = "utf8";
      return block.toString();
    }
    const lines = block.toString("latin1").split(/(?<=\n)|(?<=\r)(?!\n)/);
    return lines.map((line, index) => this.#lineOf(Buffer.from(line, "latin1"), first + index)).join("");
  }

  #lineOf(bytes: Buffer, line: number): string {
    if (isAscii(bytes)) return bytes.toString("latin1");
    const encoding: Encoding = isUtf8(bytes) ? "utf8" : "windows";
    const text = bytes.toString("latin1");
    if (encoding === "windows" && /[\x81\x8d\x8f\x90\x9d]/.test(text)) {
      throw notReadable(line, t`This line is neither in UTF-8 nor in Windows-1252 (ANSI).`);
    }
    this.#encoding ??= encoding;
    if (encoding !== this.#encoding) {
      throw notReadable(line, t`This line is in ${NAMES[encoding]}, but the file begins in ${NAMES[this.#encoding]}.`);
    }
    if (encoding === "utf8") return bytes.toString();
    return text.replace(/[\x80-\x9f]/g, (byte) => WINDOWS.charAt(byte.charCodeAt(0) - 0x80));
  }
}

function utf16Decoder(label: "utf-16le" | "utf-16be"): Decoder {
  const decoder = new TextDecoder(label, { fatal: true });
  let rest = "";
  const decode = (line: number, chunk?: Buffer): string => {
    try {
      const text = rest + (chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }));
      rest = chunk !== undefined && text.endsWith("\r") ? "\r" : "";
      return text.slice(0, text.length - rest.length);
    } catch {
      throw notReadable(line, t`The file begins in UTF-16, but is not in it from about here on.`);
    }
  };
  return { take: (chunk, line) => decode(line, chunk), end: (line) => decode(line) };
}

function decoderOf(head: Buffer): Decoder {
  if (head[0] === 0xff && head[1] === 0xfe) return utf16Decoder("utf-16le");
  if (head[0] === 0xfe && head[1] === 0xff) return utf16Decoder("utf-16be");
  return new LineDecoder(head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf);
}

/** Returns the bytes in pieces. The first one is large enough to show the form of the file. */
async function* withHead(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  let head: Buffer[] | null = [];
  let size = 0;
  for await (const chunk of bytes) {
    const piece = Buffer.from(chunk);
    if (head === null) {
      yield piece;
      continue;
    }
    head.push(piece);
    size += piece.length;
    if (size < HEAD) continue;
    yield Buffer.concat(head);
    head = null;
  }
  if (head !== null) yield Buffer.concat(head);
}

/** Throws InputError for a file that is no text, with the first line that cannot be text. */
export async function* fileText(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  let decoder: Decoder | null = null;
  let line = 1;
  let isBegun = false;
  const cleanText = (decoded: string): string => {
    let text = decoded.includes("\r") ? decoded.replace(/\r\n?/g, "\n") : decoded;
    if (!isBegun) text = text.replace(/^\ufeff+/, "");
    isBegun ||= text !== "";
    const nul = text.indexOf("\0");
    if (nul !== -1) {
      const at = line + text.slice(0, nul).split("\n").length - 1;
      throw notReadable(at, t`This is no text: it may be UTF-16 without its byte order mark.`);
    }
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) line++;
    return text;
  };
  for await (const chunk of withHead(bytes)) {
    if (decoder === null) refuseOthers(chunk);
    decoder ??= decoderOf(chunk);
    yield cleanText(decoder.take(chunk, line));
  }
  if (decoder !== null) yield cleanText(decoder.end(line));
}
