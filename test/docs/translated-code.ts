import { isOutput, showsSpeech } from "./samples.js";

/**
 * The code of pages in other languages: that of the English page, with its comments in the language of the page. `npm run docs`
 * writes it into each block, so a translator writes an empty one. The comments of a language stand in `comments.json` of its folder.
 * Where a page shows commands that speak the language of the person, its outputs stay: `npm run docs:samples` writes those.
 */

/** A block of code, with what stands before the fences. */
const BLOCK = /^( *)```[^\n`]*\n[\s\S]*?^\1```$/gm;

const LINES = {
  "//": String.raw`^[ \t]*\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*|(?<=[ \t])\/\/ [^\n]*|\/\*[\s\S]*?\*\/`,
  "#": String.raw`^[ \t]*#(?![!{])[^\n]*(?:\n[ \t]*#[^\n]*)*|(?<=[ \t])# [^\n]*`,
  '"""': String.raw`(?<=:\n[ \t]*|^\x60{3}[^\n]*\n)"""[\s\S]*?"""`,
};
const C_LIKE = new RegExp(LINES["//"], "gm");
const SCRIPT = new RegExp(LINES["#"], "gm");
const PYTHON = new RegExp(`${LINES["#"]}|${LINES['"""']}`, "gm");
/** The comments of each language of code. A block in another one, such as an output, has none. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  go: C_LIKE,
  java: C_LIKE,
  js: C_LIKE,
  php: C_LIKE,
  ts: C_LIKE,
  python: PYTHON,
  ruby: SCRIPT,
  sh: SCRIPT,
  toml: SCRIPT,
  yaml: SCRIPT,
};
/** Comments that are for a program, such as `frozen_string_literal: true`, and names of files. */
const FOR_PROGRAMS = /^(?:[\w-]+: \w+|@\w+ \w+|[\w./-]+)$/;
const WIDEST_LINE = 120;

/** The marks around the text of a comment: before its first line, before the others, and at its end. */
interface Marks {
  readonly first: string;
  readonly next: string;
  readonly last: string;
}

function marksOf(comment: string): Marks {
  const indent = /^[ \t]*/.exec(comment)?.[0] ?? "";
  const isLong = comment.includes("\n");
  const at = (after: string) => /\n([ \t]*)[^\n]*$/.exec(after)?.[1] ?? "";
  if (comment.startsWith("/*")) {
    const [open = ""] = /^\/\*+/.exec(comment) ?? [];
    return isLong
      ? { first: `${open}\n${at(comment)}* `, next: `${at(comment)}* `, last: `\n${at(comment)}*/` }
      : { first: `${open} `, next: "", last: " */" };
  }
  if (comment.startsWith('"""')) {
    return { first: '"""', next: at(comment), last: /\n[ \t]*"""$/.exec(comment)?.[0] ?? '"""' };
  }
  const [mark = ""] = /\/\/|#/.exec(comment) ?? [];
  return { first: `${indent}${mark} `, next: `${indent}${mark} `, last: "" };
}

/** Where a text begins anew: below an empty line, or with a capital letter below a line that ends without a stop. */
const BREAK = /(\n{2,}|(?<![.,])\n(?=[A-Z]))/;

/** The texts of a comment, each as one line, and between two of them the lines that part them. */
function partsOf(comment: string): string[] {
  const inner = comment.replace(/^\s*(?:\/\*+|""")|(?:\*\/|""")$/g, "");
  const lines = inner.split("\n").map((line) => line.replace(/^\s*(?:\/\/|#|\*(?!\/))?/, "").trim());
  return lines
    .join("\n")
    .trim()
    .split(BREAK)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\s+/g, " ")));
}

/** Lines of at most that many characters. */
function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function written(comment: string, parts: readonly string[], isAlone: boolean): string {
  const marks = marksOf(comment);
  const width = isAlone ? WIDEST_LINE - marks.next.length : Number.POSITIVE_INFINITY;
  const text = parts.map((part, index) => (index % 2 === 1 ? part : wrapped(part, width).join("\n"))).join("");
  return marks.first + text.replaceAll("\n", `\n${marks.next}`).replace(/[ \t]+$/gm, "") + marks.last;
}

/** Texts of comments in English and the same in the language of a page. */
export type Translations = Readonly<Record<string, string>>;

/** The block with other comments. `translate` gets one text of a comment. */
function withComments(block: string, translate: (text: string) => string): string {
  const language = /^ *```(\w*)/.exec(block)?.[1] ?? "";
  const comments = COMMENTS[language];
  if (comments === undefined) return block;
  return block.replace(comments, (comment: string, at: number) => {
    const parts = partsOf(comment);
    if (FOR_PROGRAMS.test(parts.join(""))) return comment;
    const texts = parts.map((part, index) => (index % 2 === 1 ? part : translate(part)));
    return written(comment, texts, /\n[ \t]*$/.test(block.slice(0, at)));
  });
}

/** The texts of all comments of a page's code. */
export function commentsOf(page: string): string[] {
  const found: string[] = [];
  const note = (text: string) => {
    found.push(text);
    return text;
  };
  for (const block of page.match(BLOCK) ?? []) withComments(block, note);
  return found;
}

/** The page with the blocks of code of its English page, in their order. */
export function withTranslatedCode(page: string, english: string, comments: Translations): string {
  const blocks = english.match(BLOCK) ?? [];
  const hasOutputs = showsSpeech(english);
  return page.replace(BLOCK, (own) => {
    const block = blocks.shift() ?? own;
    const isOwn = hasOutputs && infoOf(own) === infoOf(block) && isOutput({ info: infoOf(block) });
    return isOwn ? own : withComments(block, (text) => comments[text] ?? text);
  });
}

/** Returns the words after the fence of a block. */
const infoOf = (block: string) => /^ *```([^\n]*)/.exec(block)?.[1] ?? "";

/** The page without the outputs that are in the language of the person. */
export function withoutSpeech(page: string): string {
  return page.replace(BLOCK, (block) => (isOutput({ info: infoOf(block) }) ? "" : block));
}
