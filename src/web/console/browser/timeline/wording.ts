import { fill, type MoneyEntry, piecesOf } from "../../../../base/kernel/message.js";
import { isNameOf } from "../../../../base/kernel/names.js";
import { ITEM_TEXTS } from "../../../../service/features/service-texts.js";
import { type Language, serviceTextsIn, textsIn } from "../texts/index.js";
import { type AttemptFailure, attemptError, serviceText } from "../words/service-texts.js";
import { duration, shortTime } from "../words/time.js";
import type { Item } from "./model.js";

/** The texts of the items of a timeline, in the language of the reader. Pure functions. */

function templateOf(code: Item["code"], language: Language): string {
  return (serviceTextsIn(language)?.timeline_items ?? ITEM_TEXTS)[code];
}

/** The reason why an attempt failed. */
export const failureOf = ({ data }: Item) => data as AttemptFailure;

interface Exchanged {
  readonly url?: string;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request of an attempt and the answer to it, exactly as they were. */
export function exchangeOf({ data }: Item): { readonly request?: Exchanged; readonly answer: Exchanged | null } {
  const { request, response } = data as { readonly request?: Exchanged; readonly response?: Exchanged | null };
  return { ...(request === undefined ? {} : { request }), answer: response ?? null };
}

export function exchangeText({ url, status, headers, body }: Exchanged): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [url === undefined ? String(status) : `POST ${url}`, ...head, "", body].join("\n");
}

/** The sentence about an attempt in pieces; the one named `error` may be in the words of a network. */
export function attemptPieces({ code, params }: Item, language: Language): ReturnType<typeof piecesOf> {
  const names: Readonly<Record<string, string>> = textsIn(language).chaos_kinds;
  const chaos = Array.isArray(params.chaos) ? params.chaos.map((kind) => names[String(kind)] ?? String(kind)) : null;
  // The answer stands beside the sentence.
  return piecesOf(templateOf(code, language), { ...params, chaos, answer: null });
}

function attemptText(item: Item, language: Language): string {
  const pieces = attemptPieces(item, language);
  return pieces.map(({ name, text }) => (name === "error" ? attemptError(failureOf(item), language) : text)).join("");
}

const isFee = ({ bucket }: MoneyEntry) => bucket.endsWith("_fees");

/** The movement of money in one sentence: the amount that came to its place, and the fees. */
function journalText({ code, params }: Item, language: Language): string {
  const entries = params.entries as readonly MoneyEntry[];
  const [most] = entries.filter((entry) => !isFee(entry)).toSorted((one, other) => other.amount - one.amount);
  const fees = entries.filter((entry) => isFee(entry) && entry.amount > 0).reduce((sum, { amount }) => sum + amount, 0);
  const kind = code.slice("journal.".length);
  const { settlement_later: later, ...table } = textsIn(language).timeline_money;
  const isLater = kind === "settlement" && most !== undefined && most.bucket !== "available";
  const template = isNameOf(table, kind) ? table[kind] : templateOf(code, language);
  return fill(isLater ? later : template, {
    amount: most?.amount ?? 0,
    currency: most?.currency ?? "BRL",
    fees: fees === 0 ? null : fees,
    entries,
  });
}

/** The distance that the clock moved, in place of the instants. */
function clockText({ code, data }: Item, language: Language): string {
  const words = fill(templateOf(code, language), {});
  const by = Date.parse(String(data.to)) - Date.parse(String(data.from));
  if (Number.isNaN(by) || by === 0) return words;
  return `${words}: ${by < 0 ? "−" : "+"}${duration(by)}`;
}

/** The instant is in the reader's time zone, as all others of the page: the service's text has UTC. */
function created({ params }: Item, language: Language): string {
  const at = params.expires_at;
  const local = typeof at === "string" && !Number.isNaN(Date.parse(at)) ? shortTime(Date.parse(at), language) : at;
  return fill(textsIn(language).timeline_created, { ...params, expires_at: local ?? null });
}

/** The sentence of an item. */
export function sentence(item: Item, language: Language): string {
  if (item.kind === "attempt") return attemptText(item, language);
  if (item.kind === "journal") return journalText(item, language);
  if (item.code === "transition.create") return created(item, language);
  return item.kind === "clock"
    ? clockText(item, language)
    : serviceText(serviceTextsIn(language)?.timeline_items, item);
}

/** The cause of an item in words. */
export function causeSentence({ cause, cause_code, cause_params }: Item, language: Language): string {
  const table = serviceTextsIn(language)?.timeline_causes;
  return serviceText(table, { code: cause_code, params: cause_params, text: cause });
}
