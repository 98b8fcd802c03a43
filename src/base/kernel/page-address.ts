import { UUID_FORM } from "./ids.js";

/** The ids in addresses of console and checkout pages, which people copy from their browser. */

export interface PageAddress {
  /** Protocol and host, such as `http://127.0.0.1:4600`. */
  readonly origin: string;
  /** The part of the console that the page belongs to, such as `charges`; null for an address of any object. */
  readonly part: string | null;
  readonly id: string;
}

/** `/console/charges/ch_…`, and `/console/go/…` for any object. */
const CONSOLE = /^\/console\/([a-z-]+)\/([^/]+)\/?$/;
/** The pages of a payer: the id of the transaction is in the path, without a prefix. */
const PAYER = new RegExp(`^/(?:checkout|card|boleto|receipt|qr)/(${UUID_FORM})(?:\\.(?:pdf|png|svg)|/status)?/?$`);

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Decodes `%2F` and the like in a text. Returns a text with a wrong escape as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the id in the address of a page; null for an address of another kind, and for a text that is no address. */
export function pageAddress(text: string): PageAddress | null {
  if (!isWebAddress(text)) return null;
  const { origin, pathname } = new URL(text);
  const payer = PAYER.exec(pathname)?.[1];
  if (payer !== undefined) return { origin, part: "charges", id: payer };
  const [, part, id] = CONSOLE.exec(pathname) ?? [];
  if (part === undefined || id === undefined) return null;
  const object = percentDecoded(id);
  if (part !== "go") return { origin, part, id: object };
  return pageAddress(object) ?? { origin, part: null, id: object };
}

/**
 * The id in an address of a page; every other text as it is. The address may be percent-encoded, as it is in a path: a
 * router keeps `%2F` there.
 */
export function withoutAddress(text: string): string {
  return (pageAddress(text) ?? pageAddress(percentDecoded(text)))?.id ?? text;
}

/** The port of a server by default. */
export const USUAL_PORT = "4600";
