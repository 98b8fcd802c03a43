import truncatedWidth from "fast-string-truncated-width";

/** Breaks lines that are wider than the terminal. */

/** The spaces at which a line may end: not behind a currency sign, and not in front of a unit. */
const BREAK = /(?<!R\$) (?!ms\b)/;
/** Text that is copied as a whole: a Pix code, a text between backquotes, and a command at the end of a line. */
const WHOLE = /\b000201.{40,}6304[\dA-F]{4}\b|`[^`]+`|^\$ .*$|(?<=: )(?:npx qa-pay|node \S*qa-pay\.js|qa-pay) .*$/g;
/** Stands for a space that belongs to such a text. */
const KEPT = "\ue000";
/** The head of a line such as `Customer  Maria Silva`, which the other lines leave free. */
const HEAD = /^(\s*(?:\S+ )*\S+ {2,})\S/;

const STEP = 4;

const widthOf = (text: string) => truncatedWidth(text).width;

/** A word in parts of at most `room` columns. */
function cut(word: string, room: number): string[] {
  const { index } = truncatedWidth(word, { limit: room, ellipsis: "" });
  return index <= 0 || index >= word.length ? [word] : [word.slice(0, index), ...cut(word.slice(index), room)];
}

/**
 * Breaks a text into lines of at most `room` columns, between words. A word that is longer than a line has a line to
 * itself, unless `cutsWords` allows to break it. `text` must be free of colour codes.
 */
export function lineBreaks(text: string, room: number, cutsWords = false): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(BREAK).flatMap((one) => (cutsWords ? cut(one, room) : [one]))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || widthOf(longer) <= room) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/**
 * A line in parts that fit. What is copied as a whole (an id, an address, a code, a command) is not cut: when it does not
 * fit, it stands alone in a line, from its first column on.
 */
function breakLine(line: string, width: number): string[] {
  const [space = ""] = /^\s*/.exec(line) ?? [];
  const [, found = space] = HEAD.exec(line) ?? [];
  const isNarrow = widthOf(found) * 2 <= width;
  const head = isNarrow ? found : space;
  // Behind a head that leaves little room, further lines begin not much farther than the line itself.
  const indent = isNarrow ? " ".repeat(widthOf(head)) : `${space}${" ".repeat(STEP)}`;
  const units = line
    .slice(head.length)
    .replace(WHOLE, (text) => text.replaceAll(" ", KEPT))
    .split(BREAK)
    .map((unit) => unit.replaceAll(KEPT, " "));
  const lines: string[] = [];
  /** The current line: its beginning and its units. */
  let [start, words]: [string, string[]] = [head, []];
  const end = () => {
    const whole = (start + words.join(" ")).trimEnd();
    if (whole !== "") lines.push(whole);
    [start, words] = [indent, []];
  };
  for (const unit of units) {
    const fits = () => widthOf(start + [...words, unit].join(" ")) <= width;
    if (!fits()) end();
    if (fits()) words.push(unit);
    // Text of a script without spaces is cut. ASCII without a space is an address or a code.
    else if (/[^\p{Cc} -~]/u.test(unit)) lines.push(...cut(unit, width - indent.length).map((part) => indent + part));
    else lines.push(unit);
  }
  end();
  return lines;
}

/** A text whose lines are at most as wide as the terminal. */
export function breakLines(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (widthOf(line) <= width ? line : breakLine(line, width).join("\n")))
    .join("\n");
}
