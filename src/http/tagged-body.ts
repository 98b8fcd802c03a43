import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { PageAnswer } from "./page.js";

/** A body that stays the same while the server runs, with its tag. A browser that has it already gets a 304. */
export interface TaggedBody {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

export function tagged(body: TaggedBody["body"]): TaggedBody {
  return { body, etag: `"${hash("sha256", body, "base64url").slice(0, 22)}"` };
}

function isKnown({ "if-none-match": given = "" }: IncomingHttpHeaders, etag: string): boolean {
  return given === "*" || given.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

export function taggedAnswer(
  { body, etag }: TaggedBody,
  headers: Readonly<Record<string, string>>,
  asked: IncomingHttpHeaders,
): PageAnswer {
  const all = { ...headers, etag };
  return isKnown(asked, etag) ? { status: 304, headers: all, body: null } : { headers: all, body };
}

/** The types of the files that pages are made of, by the ends of their names. */
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
export function keptFiles(
  read: (name: string) => Promise<Uint8Array<ArrayBuffer>>,
): (name: string) => Promise<TaggedBody> {
  const known = new Map<string, TaggedBody>();
  return async (name) => {
    const file = known.get(name) ?? tagged(await read(name));
    known.set(name, file);
    return file;
  };
}
