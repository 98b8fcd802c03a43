/** Whether a text is one word of plain characters, which a header and a line of a file can hold as it is. */
export function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
