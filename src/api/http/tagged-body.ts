import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliCompressSync, brotliDecompress, constants, gzipSync } from "node:zlib";
import { once } from "../../base/kernel/once.js";
import type { Answer } from "./exchange.js";
import type { PageAnswer } from "./page.js";

/** An eighth smaller than with gzip. A better quality takes too long while a server runs. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

export type TaggedBody = ReturnType<typeof tagBody>;

/**
 * A body that stays the same while the server runs, with its tag. A browser that has it already gets a 304. It is
 * compressed for the first browser that accepts that.
 */
export function tagBody(
  body: string | Uint8Array<ArrayBuffer>,
  br: () => Uint8Array<ArrayBuffer> = once(() => brotliCompressSync(body, BROTLI)),
) {
  const etag = `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
  return { body, etag, br, gzip: once(() => gzipSync(body)) };
}

/** The build compresses the texts of pages, better than a server has time for, and adds this to their names. */
export const COMPRESSED = ".br";

const decompress = promisify(brotliDecompress);

/** The body of a text that the build has compressed. */
export async function unpackBody(br: Uint8Array<ArrayBuffer>): Promise<TaggedBody> {
  return tagBody(new Uint8Array(await decompress(br)), () => br);
}

/** Below this size, compression saves no time. */
const WORTH_COMPRESSING = 4_096;

/** Types that compress well: pictures and fonts are compressed already. */
const COMPRESSIBLE = /^(text\/|application\/(json|manifest\+json)|image\/svg)/;

type Encoding = "br" | "gzip";

/** True if an encoding is accepted by its name, or gzip as any. Browsers name brotli themselves where they take it. */
function takes(encoding: Encoding, { "accept-encoding": given = "" }: IncomingHttpHeaders): boolean {
  const name = encoding === "gzip" ? "(?:gzip|\\*)" : encoding;
  return new RegExp(`(^|,)\\s*${name}\\s*(;\\s*q=(?!0(\\.0*)?\\s*(,|$))[\\d.]+\\s*)?(,|$)`, "i").test(String(given));
}

function isKnown({ "if-none-match": given = "" }: IncomingHttpHeaders, etag: string): boolean {
  return given === "*" || given.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

type Headers = Readonly<Record<string, string>>;

/** True if compression shortens a body so much that it saves time. */
function isLong(body: string | Uint8Array, headers: Headers): boolean {
  return body.length >= WORTH_COMPRESSING && COMPRESSIBLE.test(headers["content-type"] ?? "");
}

/** The header of a body that depends on what its reader accepts. */
function varyOf({ vary }: Headers): Headers {
  return { vary: vary === undefined ? "accept-encoding" : `${vary}, accept-encoding` };
}

/** An answer of the API to a browser: a long one, such as a list of many rows, is compressed. */
export function compressAnswer({ status, text, headers }: Answer, request: IncomingHttpHeaders): PageAnswer {
  if (status === 204) return { status, headers, body: null };
  if (!isLong(text, headers)) return { status, headers, body: text };
  const all = { ...headers, ...varyOf(headers) };
  return takes("gzip", request)
    ? { status, headers: { ...all, "content-encoding": "gzip" }, body: gzipSync(text) }
    : { status, headers: all, body: text };
}

/** The answer with a body: compressed for browsers that accept it, or only the tag for those that have it. */
export function answerTagged(
  { body, etag, ...compressed }: TaggedBody,
  headers: Headers,
  request: IncomingHttpHeaders,
): PageAnswer {
  const isLarge = isLong(body, headers);
  const vary = isLarge ? varyOf(headers) : {};
  const encoding = isLarge ? (["br", "gzip"] as const).find((one) => takes(one, request)) : undefined;
  // The bodies mean the same but differ in bytes, which a weak tag expresses.
  const all = { ...headers, ...vary, etag: encoding === undefined ? etag : `W/${etag}` };
  if (isKnown(request, etag)) return { status: 304, headers: all, body: null };
  return encoding === undefined
    ? { headers: all, body }
    : { headers: { ...all, "content-encoding": encoding }, body: compressed[encoding]() };
}

/** The types of the files of pages, by the ends of their names. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

/** The type of a file; undefined for a kind that no page has. */
export function typeOf(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)];
}

/** Files that are read at their first use, and kept. */
export function cacheFiles(read: (name: string) => Promise<TaggedBody>): (name: string) => Promise<TaggedBody> {
  const known = new Map<string, TaggedBody>();
  return async (name) => {
    const file = known.get(name) ?? (await read(name));
    known.set(name, file);
    return file;
  };
}
