import { UUID_FORM } from "../../base/kernel/ids.js";
import { isJsonObject, jsonIn } from "../../base/kernel/json.js";
import { withoutCredentials, withoutSecrets } from "../../base/kernel/secrets.js";
import type { StoryRow, StoryRows } from "../../service/features/timeline/story.js";
import { PERSONAL_COLUMNS } from "../../service/features/transactions/details.js";
import { KINDS, type Kind, KnownValues } from "./known-values.js";
import { type TextMask, textMask } from "./mask-text.js";
import { digitsOf } from "./pseudonyms.js";

/** Masks personal data in the rows of a story (docs/decisions/152-incidents.md). */

/**
 * The content of a column: one kind of personal data; `words` by people; `told`, words by a program; `json` of the service;
 * `metadata`, JSON of a merchant; the answer of a receiver; the address of a receiver.
 */
type Content = Kind | "words" | "told" | "json" | "metadata" | "answer" | "headers" | "address";

/** Every column that may hold personal data. All others are ids, states, amounts and instants. */
export const MASKED: Readonly<Record<string, Readonly<Record<string, Content>>>> = {
  accounts: { name: "merchant", city: "city", pix_key: "key" },
  transactions: {
    ...PERSONAL_COLUMNS,
    customer_tax_id: "document",
    metadata: "metadata",
    webhook_url: "address",
    script: "json",
    checkout_token: "token",
    failure: "json",
    payer_name: "name",
    payer_document: "document",
    med: "json",
  },
  refunds: { reason: "words", destination_key: "key", failure_reason: "words" },
  med_cases: { reason: "words", appeal_reason: "words" },
  med_evidence: { file_name: "file" },
  history: { data: "json", command: "told" },
  jobs: { payload: "json" },
  events: { data: "json" },
  endpoints: { url: "address" },
  deliveries: { target_url: "address", last_error: "told", last_response_body: "answer" },
  delivery_attempts: { url: "address", headers: "headers", body: "answer", error: "told" },
  emails: { recipient: "email", subject: "words", text: "words", html: "words" },
};

const isKind = (content: Content): content is Kind => KINDS.some((kind) => kind === content);

/** The names of JSON members with personal data, without punctuation. */
const MEMBERS: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:(?:customer|payer|buyer|client|full|first|last|holder|contact|owner|recipient|debtor)?name)$/, "name"],
  [/^(?:nome\w{0,20}|sobrenome|cliente|pagador|comprador|titular|destinatario)$/, "name"],
  [
    /^(?:(?:customer|expectedpayer|payer|buyer|client)?(?:document|taxid|cpf|cnpj|cpfcnpj)|documento\w{0,20}|nif|rg)$/,
    "document",
  ],
  [/e?mail$/, "email"],
  [/(?:phone|telefone|celular|whatsapp|mobile|fone)(?:number)?$/, "phone"],
  [/^(?:pixkey|chavepix|destinationkey)$/, "key"],
];

function kindOfMember(name: string): Kind | null {
  const plain = name.replace(/[^A-Za-z]/g, "").toLowerCase();
  return MEMBERS.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

/** The names of JSON members with texts by people. */
const FREE = /^(?:metadata|reason|description|appeal_reason|failure_reason|message|note|text)$/;

/** Long parts of an address are tokens: anybody who has the address may send there. */
const OPAQUE = /^(?=[\w-]*\d)[\w-]{24,}$/;
const UUID = new RegExp(UUID_FORM, "g");

/** Returns a function that cleans the addresses of a story. Ids of its objects stay, because the file has them anyway. */
function addressCleaner(rows: StoryRows): (url: string) => string {
  const ids = new Set(Object.values(rows).flatMap((all) => all.map(({ id }) => id)));
  const isSecret = (part: string) => OPAQUE.test(part.replace(UUID, (id) => (ids.has(id) ? "" : id)));
  return (url) => {
    if (!URL.canParse(url)) return url;
    const parsed = new URL(url);
    for (const part of ["username", "password", "search", "hash"] as const) parsed[part] = "";
    parsed.pathname = parsed.pathname
      .split("/")
      .map((part) => (isSecret(part) ? "token" : part))
      .join("/");
    return parsed.href;
  };
}

function* jsonTexts(rows: StoryRows): Generator<unknown> {
  for (const [table, all] of Object.entries(rows)) {
    const columns = Object.entries(MASKED[table] ?? {});
    for (const [column, content] of columns)
      if (["json", "metadata", "answer"].includes(content)) for (const row of all) yield jsonIn(String(row[column]));
  }
}

function collectFrom(value: unknown, values: KnownValues, member = ""): void {
  if (Array.isArray(value)) for (const one of value) collectFrom(one, values, member);
  else if (isJsonObject(value)) for (const [name, one] of Object.entries(value)) collectFrom(one, values, name);
  else if (typeof value === "string" || typeof value === "number") {
    const kind = kindOfMember(member);
    // A partly hidden document is replaced like the whole one, where that is known.
    if (kind !== null && !String(value).includes("*")) values.add(kind, String(value));
  }
}

function collectKnownValues(rows: StoryRows, secret: string): KnownValues {
  const values = new KnownValues(secret);
  for (const [table, all] of Object.entries(rows)) {
    for (const [column, content] of Object.entries(MASKED[table] ?? {})) {
      for (const { [column]: value } of all)
        if (isKind(content) && typeof value === "string") values.add(content, value);
    }
  }
  for (const value of jsonTexts(rows)) collectFrom(value, values);
  return values;
}

/** Draws the image of a QR code. Its library is loaded only for a story that has one. */
type Draw = (code: string) => string;

const IMAGES: readonly (readonly [image: string, code: string, before: string])[] = [
  ["qr_code_base64", "br_code", ""],
  ["pixQrCode", "pixCopyPaste", "data:image/png;base64,"],
];

/** Masks JSON. The names of members are words of the service, except in JSON of a merchant. */
function jsonMask(known: KnownValues, mask: TextMask, draw: Draw) {
  function number(value: number, kind: Kind | null, isFree: boolean): number {
    const text = String(value);
    if (kind !== null && Number.isSafeInteger(value)) return Number(digitsOf(known.replacementOf(kind, text)));
    if (!isFree || !Number.isSafeInteger(value) || value < 1e9) return value;
    // A CPF that is stored as a number has lost its leading zeros.
    const [found = text] = [text, text.padStart(11, "0")].filter((one) => mask(one, true) !== one);
    return Number(digitsOf(mask(found, true)));
  }
  function maskValue(value: unknown, isFree: boolean, member: string): unknown {
    const kind = kindOfMember(member);
    if (typeof value === "string") {
      const found = mask(value, isFree);
      if (kind === null || (value.includes("*") && found !== value)) return found;
      return known.replacementOf(kind, value);
    }
    if (typeof value === "number") return number(value, kind, isFree);
    if (Array.isArray(value)) return value.map((one) => maskValue(one, isFree, member));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([name, one]): [string, unknown] => [
      isFree ? mask(name, true) : name,
      maskValue(one, isFree || FREE.test(name), name),
    ]);
    const object = Object.fromEntries(members);
    for (const [image, code, before] of IMAGES) {
      if (typeof value[image] === "string" && typeof object[code] === "string")
        object[image] = before + draw(object[code]);
    }
    return object;
  }
  /** Text that is no JSON, or has nothing to replace, is returned unchanged. */
  return (text: string, isFree: boolean): string => {
    const value = jsonIn(text);
    if (typeof value !== "object" || value === null) return mask(text, isFree);
    const changed = JSON.stringify(maskValue(value, isFree, ""));
    return changed === JSON.stringify(value) ? text : changed;
  };
}

type Change = (content: Content, text: string) => string;

function changeRows(rows: StoryRows, change: Change): StoryRows {
  const changeRow = (table: string, row: StoryRow): StoryRow =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        const content = MASKED[table]?.[column];
        return [column, content === undefined || typeof value !== "string" ? value : change(content, value)];
      }),
    );
  return Object.fromEntries(
    Object.entries(rows).map(([table, all]) => [table, all.map((row) => changeRow(table, row))]),
  );
}

type Story = { readonly rows: StoryRows; readonly summary: readonly string[] };

/** The replacement of each address and of its secret parts, wherever they occur. */
function addressesIn(
  rows: StoryRows,
  cleanAddress: (url: string) => string,
): (readonly [told: string, instead: string])[] {
  const cleaned = new Map<string, string>();
  const collect: Change = (content, text) => {
    if (content !== "address" || !URL.canParse(text)) return text;
    const { search, pathname } = new URL(text);
    const clean = cleanAddress(text);
    if (clean === text) return text;
    cleaned.set(text, clean);
    cleaned.set(pathname + search, new URL(clean).pathname);
    if (search.length >= SHORTEST_QUERY) cleaned.set(search, "");
    return clean;
  };
  changeRows(rows, collect);
  return [...cleaned].sort(([one], [other]) => other.length - one.length);
}

const SHORTEST_QUERY = 6;

/** JSON of the service without secrets of a merchant. The service's own values, such as links, stay. */
function withoutMerchantSecrets(text: string): string {
  const value = jsonIn(text);
  const known = JSON.stringify(value);
  const changed = JSON.stringify(value, (name, member) => (FREE.test(name) ? withoutSecrets(member) : member));
  return withoutCredentials(changed === known ? text : changed);
}

/** No file has API keys, tokens, cookies, or parts of an address beside its path. */
export function withoutKeys({ rows, summary }: Story): Story {
  const cleanAddress = addressCleaner(rows);
  const addresses = addressesIn(rows, cleanAddress);
  // Addresses first: without the key in its query, an address would not be found any more.
  const clean = (text: string) =>
    addresses.reduce((left, [address, instead]) => left.replaceAll(address, instead), text);
  const change: Change = (content, text) => {
    if (content === "address") return cleanAddress(text);
    if (content === "headers") return JSON.stringify(withoutSecrets(jsonIn(clean(text))));
    return content === "json" ? withoutMerchantSecrets(clean(text)) : withoutSecrets(clean(text));
  };
  return { rows: changeRows(rows, change), summary: summary.map(clean) };
}

/** Returns the rows and the sentences about them without personal data. `secret` decides the invented values; it is not kept. */
export function maskStory({ rows, summary }: Story, secret: string, draw: Draw): Story {
  const values = collectKnownValues(rows, secret);
  const mask = textMask(values);
  const json = jsonMask(values, mask, draw);
  const cleanAddress = addressCleaner(rows);
  const change: Change = (content, text) => {
    if (isKind(content)) return values.replacementOf(content, text);
    if (content === "address") return cleanAddress(mask(text, true));
    if (content === "json" || content === "headers") return json(text, false);
    if (content === "metadata" || content === "answer") return json(text, true);
    return mask(text, content === "words");
  };
  return { rows: changeRows(rows, change), summary: summary.map((line) => mask(line, true)) };
}
