const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as XML, for the content of an element or the value of an attribute in double quotes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** A text as HTML, for the content of an element or the value of an attribute in quotes. */
export function escapeHtml(text: string): string {
  return escapeXml(text).replaceAll("'", "&#39;");
}
