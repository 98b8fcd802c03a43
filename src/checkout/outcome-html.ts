import { escapeHtml } from "../kernel/html.js";
import type { Outcome } from "./outcome.js";

/**
 * Returns the element that shows an outcome. `after` is HTML behind the text. Without an outcome the element is hidden,
 * until the script of the page shows one.
 */
export function outcomeHtml(outcome: Outcome | null, after = ""): string {
  const { tone, title, text } = outcome ?? { tone: "plain", title: "", text: "" };
  return `<section class="outcome ${tone}" id="outcome" tabindex="-1" aria-labelledby="title"${outcome === null ? " hidden" : ""}>
<h1 id="title">${escapeHtml(title)}</h1><p id="text">${escapeHtml(text)}</p>${after}</section>`;
}
