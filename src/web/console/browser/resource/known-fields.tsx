import type { ComponentChildren } from "preact";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { codeName } from "../parts/codes.js";
import type { Column } from "../parts/table.js";
import { IdText, Money, ObjectLink, Status, Time } from "../parts/values.js";
import { language, terms } from "../state/language.js";
import type { Texts } from "../texts/index.js";

/** The fields of answers as people read them. Their names are in the texts; how a value is shown follows from its name. */

export type Label = keyof Texts["terms"];

type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : "";

/** The fields of an object that have a name in the texts. The older routes write `createdAt`, the newer ones `created_at`. */
export type FieldName<One> = {
  [Name in keyof One & string]: Snake<Name> extends Label ? Name : never;
}[keyof One & string];

/** A name as the newer routes write it. */
export const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The name of a field in the language of the page; without one, its API name. */
export function labelOf(name: string): string {
  const known: Readonly<Record<string, string>> = terms.value;
  return known[snake(name)] ?? name;
}

type Show = (value: unknown, of: { readonly currency?: unknown }) => ComponentChildren;

const text: Show = (value) => String(value);
const money: Show = (value, { currency }) => <Money amount={Number(value)} currency={String(currency ?? "BRL")} />;
const link: Show = (value) => <ObjectLink id={String(value)} />;
const code: Show = (value) => <code>{String(value)}</code>;
const idText: Show = (value) => <IdText id={String(value)} />;
const path: Show = (value) => (
  <span class="cut path" title={String(value)}>
    {String(value)}
  </span>
);

const SHOWN: Readonly<Record<string, Show>> = {
  amount: money,
  net_amount: money,
  provider_fee: money,
  platform_fee: money,
  case_id: link,
  charge_id: link,
  subject: link,
  transaction_id: (value) => <ObjectLink id={`${ID_PREFIX.transaction}${value}`} />,
  end_to_end_id: idText,
  fault: idText,
  fingerprint: code,
  key_fingerprint: code,
  request_id: code,
  path,
  url: path,
  duration_ms: (value) => <span class="nowrap">{new Intl.NumberFormat(language.value).format(Number(value))} ms</span>,
  payment_methods: (value) => (Array.isArray(value) ? value.map((one) => codeName(String(one))).join(", ") : ""),
  status: (value) => <Status status={String(value)} />,
};

const NUMBERS: readonly string[] = ["amount", "net_amount", "count", "duration_ms"];

/** The value of a field; nothing for an empty one. */
function shownValue<One>(one: One, name: FieldName<One>): ComponentChildren {
  const value: unknown = one[name];
  if (value === null || value === undefined || value === "") return null;
  const known = snake(name);
  if (/(^|_)at$/.test(known)) return <Time at={String(value)} />;
  return (SHOWN[known] ?? text)(value, one as { readonly currency?: unknown });
}

/**
 * A shown part of an object: a field by its name, a field with its place in a table, or a name of the texts with the
 * content below it.
 */
export type Shown<One> =
  | FieldName<One>
  | (Omit<Column<One>, "head" | "cell"> &
      (
        | { readonly field: FieldName<One>; readonly label?: Label }
        | { readonly label: Label; readonly show: (one: One) => ComponentChildren }
      ));

function parts<One>(shown: Shown<One>): { readonly name: string; readonly show: (one: One) => ComponentChildren } {
  if (typeof shown === "string") return { name: shown, show: (one) => shownValue(one, shown) };
  if ("show" in shown) return { name: shown.label, show: shown.show };
  return { name: shown.label ?? shown.field, show: (one) => shownValue(one, shown.field) };
}

export function columnsOf<One>(all: readonly Shown<One>[]): readonly Column<One>[] {
  return all.map((shown) => {
    const { name, show } = parts(shown);
    const place = typeof shown === "string" ? {} : shown;
    const cell = (row: One) => show(row) ?? <span class="missing">—</span>;
    return { isNumber: NUMBERS.includes(snake(name)), ...place, head: labelOf(name), cell };
  });
}

/** The same as names with values, for a list of facts. */
export function factsOf<One>(one: One, all: readonly Shown<One>[]): readonly (readonly [string, ComponentChildren])[] {
  return all.map((shown) => {
    const { name, show } = parts(shown);
    return [labelOf(name), show(one)] as const;
  });
}
