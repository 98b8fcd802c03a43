import { ORDER_PHRASE } from "../../../base/kernel/order-name.js";

/** A search for several terms, such as an amount and a name. */

/** Each term is a search of its own, and the server answers no other request meanwhile. */
const MAX_TERMS = 5;
const TERM = new RegExp(`R\\$\\s*\\S+|\\d[\\d.,]*\\s+rea(?:l|is)\\b|${ORDER_PHRASE}|\\S+`, "giu");

/**
 * The terms of a text; empty for a single one, and for more than five. An amount with its currency sign is one term,
 * and so is an order with the word before it. A comma between two terms belongs to none of them.
 */
export function termsOf(q: string): string[] {
  const terms = (q.match(TERM) ?? []).map((term) => term.replace(/[,;]+$/, "")).filter((term) => term !== "");
  return terms.length < 2 || terms.length > MAX_TERMS ? [] : terms;
}
