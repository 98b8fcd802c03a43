import { formatMoney } from "./money.js";

/**
 * Sentences for people as data: the code of a sentence, and its parameters. A table has a template for each code. `{name}` in a
 * template is a parameter, `{name:format}` one that is written in a format. A part in brackets is left out when one of its
 * parameters is missing. Plurals are written as in ICU: `{count, plural, =1 {1 row} other {{count} rows}}`.
 */

export type Params = Readonly<Record<string, unknown>>;

export interface Message<Code extends string = string> {
  readonly code: Code;
  readonly params: Params;
}

/** A part of a journal: the amount that an account of the ledger got, or lost when it is negative. */
export interface MoneyEntry {
  readonly bucket: string;
  readonly amount: number;
  readonly currency: string;
}

function entryText({ bucket, amount, currency }: MoneyEntry): string {
  return `${bucket} ${amount < 0 ? "−" : "+"}${formatMoney(Math.abs(amount), currency)}`;
}

/** These formats are the same in every language. */
const FORMATS: Readonly<Record<string, (value: unknown, params: Params) => string>> = {
  /** `R$ 19,90`; the currency is a parameter of its own. */
  money: (value, { currency }) => formatMoney(typeof value === "bigint" ? value : Number(value), String(currency)),
  /** `2026-11-22 03:20:33 UTC` */
  time: (value) => `${String(value).slice(0, 19).replace("T", " ")} UTC`,
  /** `available +R$ 19,60, world −R$ 19,90` */
  entries: (value) => (value as readonly MoneyEntry[]).map(entryText).join(", "),
  list: (value) => (Array.isArray(value) ? value.join(", ") : String(value)),
};

const isMissing = (value: unknown) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const PLURAL = /\{(\w+), plural, ((?:=\d+ \{(?:[^{}]|\{\w+\})*\} )*)other \{((?:[^{}]|\{\w+\})*)\}\}/g;
const BRANCH = /=(\d+) \{((?:[^{}]|\{\w+\})*)\}/g;

function withPlurals(template: string, params: Params): string {
  return template.replace(PLURAL, (_, name: string, branches: string, other: string) => {
    const exact = [...branches.matchAll(BRANCH)].find(([, number]) => number === String(params[name]));
    return exact?.[2] ?? other;
  });
}

/** The sentence in pieces, each with the name of its parameter; null for the words between them. */
export function piecesOf(template: string, params: Params): { readonly name: string | null; readonly text: string }[] {
  const whole = withPlurals(template, params).replace(/\[([^\]]*)\]/g, (_, section: string) => {
    const names = [...section.matchAll(/\{(\w+)/g)].map(([, name = ""]) => name);
    return names.some((name) => isMissing(params[name])) ? "" : section;
  });
  return whole.split(/(\{\w+(?::\w+)?\})/).map((text) => {
    const [, name, format = ""] = /^\{(\w+)(?::(\w+))?\}$/.exec(text) ?? [];
    if (name === undefined) return { name: null, text };
    const value = params[name] ?? null;
    return { name, text: value === null ? "—" : (FORMATS[format]?.(value, params) ?? String(value)) };
  });
}

export function fill(template: string, params: Params): string {
  return piecesOf(template, params)
    .map(({ text }) => text)
    .join("");
}

export function textOf<Code extends string>(
  table: Readonly<Record<Code, string>>,
  { code, params }: Message<Code>,
): string {
  return fill(table[code], params);
}
