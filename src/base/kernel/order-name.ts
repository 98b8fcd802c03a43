import { trimPasted } from "./pasted-text.js";

/** The names of orders as people write them: `#2041`, `pedido 2041`, `Order no. A-17`. */

/** Words before the name of an order, in the languages of shops and of this product. */
const WORDS = "(?:pedido|compra|encomenda|ordem|order|purchase)";
const NUMBER = "(?:n[º°ᵒ]\\.?|nr?o?\\.|n[uú]mero|number)";
const HEAD = `(?:${WORDS}(?:\\s+(?:id\\b|${NUMBER})[\\s:#]*|[\\s:#]+)|#)`;

/** A name with such words before it, within a text. Only what has a digit is a name. */
export const ORDER_PHRASE = `${HEAD}\\s*[^\\s,;]*\\d[^\\s,;]*`;
const WHOLE = new RegExp(`^${HEAD}\\s*(\\S*\\d\\S*)$`, "iu");

/** The name of an order without the words before it; null for a text that has none. */
export function orderIn(text: string): string | null {
  return WHOLE.exec(trimPasted(text))?.[1] ?? null;
}

/** A name of an order, by which two spellings of it are compared. */
export function orderKey(text: string): string {
  return (orderIn(text) ?? trimPasted(text)).toLowerCase();
}
