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
