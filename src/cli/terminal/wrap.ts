import truncatedWidth from "fast-string-truncated-width";

/**
 * Breaks a text into lines of at most `room` columns, between words. A word that is longer than a line has a line to
 * itself and is never cut: it may be an id or an address, which is useless in part. `text` must be free of colour codes.
 */
export function lineBreaks(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || truncatedWidth(longer).width <= room) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
