import { isJsonObject, jsonIn } from "./json.js";

/**
 * JSON as other languages print it. A receiver that parses a body and prints it again verifies such a text, which has other bytes than
 * the one that was sent. Pure functions.
 */

interface Layout {
  readonly comma: string;
  readonly colon: string;
  /** The indent of each level; without it, all is one line. */
  readonly indent?: string;
  /** An object or list with nothing in it, where it is not `{}` or `[]`. */
  readonly empty?: (open: string, close: string, margin: string) => string;
  readonly hasListsInLine?: boolean;
}

function group([open, close]: readonly [string, string], members: readonly string[], layout: Layout, margin: string) {
  const { comma, indent, empty, hasListsInLine } = layout;
  if (members.length === 0) return empty?.(open, close, margin) ?? open + close;
  if (open === "[" && hasListsInLine) return `[ ${members.join(", ")} ]`;
  if (indent === undefined) return open + members.join(comma) + close;
  const line = `\n${margin}${indent}`;
  return `${open}${line}${members.join(comma + line)}\n${margin}${close}`;
}

function laidOut(value: unknown, layout: Layout, margin = ""): string {
  const inner = margin + (layout.indent ?? "");
  if (Array.isArray(value)) {
    const at = layout.hasListsInLine ? margin : inner;
    return group(
      ["[", "]"],
      value.map((one) => laidOut(one, layout, at)),
      layout,
      margin,
    );
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => JSON.stringify(name) + layout.colon + laidOut(member, layout, inner),
  );
  return group(["{", "}"], members, layout, margin);
}

const compact: Layout = { comma: ",", colon: ":" };
const indentLines = (indent: string): Layout => ({ comma: ",", colon: ": ", indent });
const [two, four, tab] = [indentLines("  "), indentLines("    "), indentLines("\t")] as const;
const oldRuby: Layout = {
  ...two,
  empty: (open, close, margin) => `${open}\n${open === "[" ? "\n" : ""}${margin}${close}`,
};
const jackson: Layout = {
  ...{ ...two, colon: " : ", hasListsInLine: true },
  empty: (open, close) => `${open} ${close}`,
};

type Change = (text: string) => string;

const escaped =
  (characters: RegExp, written: Change = (digits) => digits): Change =>
  (text) =>
    text.replace(characters, (one) => `\\u${written(one.charCodeAt(0).toString(16).padStart(4, "0"))}`);

const plain: Change = (text) => text;
const ascii = escaped(/[\u007f-\uffff]/g);
const slashes: Change = (text) => text.replaceAll("/", "\\/");
const html = escaped(/[<>&\u2028\u2029]/g);
const gson = escaped(/[<>&='\u2028\u2029]/g);
const dotNet: Change = (text) =>
  escaped(/[<>&'+`\u007f-\uffff]/g, (digits) => digits.toUpperCase())(
    text.replace(/\\./g, (pair) => (pair === '\\"' ? "\\u0022" : pair)),
  );

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name])]));
}

/** In associative arrays of PHP, an empty object and an empty list are the same. */
function withoutEmptyObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyObjects);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value);
  return members.length === 0 ? [] : Object.fromEntries(members.map(([name, one]) => [name, withoutEmptyObjects(one)]));
}

const asItIs = (value: unknown) => value;

interface Printer {
  readonly values: readonly ((value: unknown) => unknown)[];
  readonly layouts: readonly Layout[];
  readonly escapes: readonly Change[];
}

/** Each printer is tried with every combination of its settings. */
const PRINTERS: readonly Printer[] = [
  // Python, with and without sort_keys, ensure_ascii, separators and indent. JavaScript prints some of the same.
  {
    values: [asItIs, sortMembers],
    layouts: [
      { comma: ", ", colon: ": " },
      compact,
      { comma: ",", colon: ": " },
      { comma: ", ", colon: ":" },
      two,
      four,
      tab,
    ],
    escapes: [plain, ascii],
  },
  // PHP, as objects and as arrays, with and without its flags for Unicode, slashes and indented text.
  {
    values: [asItIs, withoutEmptyObjects],
    layouts: [compact, four],
    escapes: [(text) => slashes(ascii(text)), slashes, ascii, plain],
  },
  // Rails, and structs of Go; maps of Go.
  { values: [asItIs, sortMembers], layouts: [compact, two, four, tab], escapes: [html] },
  // Old versions of Ruby; Jackson, Gson and System.Text.Json.
  { values: [asItIs], layouts: [oldRuby, jackson], escapes: [plain] },
  { values: [asItIs], layouts: [compact, two], escapes: [gson, dotNet] },
];

function printingsOf(value: unknown): string[] {
  return PRINTERS.flatMap(({ values, layouts, escapes }) =>
    values.flatMap((changed) =>
      layouts.flatMap((layout) => {
        const text = laidOut(changed(value), layout);
        return escapes.map((change) => change(text));
      }),
    ),
  );
}

/** The other texts that a body may become when it is parsed and printed again, each once; none for a text that is no JSON. */
export function printAgain(body: string): string[] {
  const value = jsonIn(body);
  return value === undefined ? [] : [...new Set(printingsOf(value))].filter((text) => text !== body);
}

/** JSON in one line with the escapes that PHP writes by itself. */
export const phpText = (value: unknown) => slashes(ascii(laidOut(value, compact)));

/** True if a text is JSON in another form than the service prints, which is one line, without blanks and without sorted names. */
export function isPrintedElsewhere(body: string): boolean {
  const value = jsonIn(body);
  if (!isJsonObject(value)) return false;
  return (
    JSON.stringify(value) !== body || (Object.keys(value).length > 2 && JSON.stringify(sortMembers(value)) === body)
  );
}
