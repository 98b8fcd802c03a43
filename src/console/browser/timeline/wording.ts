import { ITEM_TEXTS, type MoveCode } from "../../../features/service-texts.js";
import { fill, type MoneyEntry, piecesOf } from "../../../kernel/message.js";
import { formatMoney } from "../../../kernel/money.js";
import { en, pt } from "../texts/index.js";
import { type AttemptFailure, attemptError } from "../words/attempt-errors.js";
import { codeNameIn } from "../words/codes.js";
import { type Language, perLanguage } from "../words/per-language.js";
import { serviceText, type TextTable } from "../words/service-text.js";
import { duration, shortTime } from "../words/time.js";
import type { Group, Item } from "./model.js";

/** What the items of a timeline say, in English and Portuguese. Pure functions. */

const itemTexts = perLanguage<TextTable<Item["code"]>>(null, pt.timeline_items);

const causeTexts = perLanguage<TextTable<Item["cause_code"]>>(null, pt.timeline_causes);

const groupWords = perLanguage<Readonly<Record<Group, string>>>(en.timeline_groups, pt.timeline_groups);

export function groupWord(group: Group, language: Language): string {
  return groupWords(language)[group];
}

/** Kinds of objects whose moves have words. */
export type MovedKind = MoveCode extends `${infer Kind}.${string}` ? Exclude<Kind, "clock"> : never;

/** The words for a move, without particulars; its name when nobody has words for it. */
export function moveWord(kind: MovedKind, move: string, language: Language): string {
  const texts: Readonly<Record<string, string>> = itemTexts(language) ?? ITEM_TEXTS;
  const template = texts[`${kind}.${move}`];
  return template === undefined ? move : fill(template, {});
}

/** Why an attempt failed. */
export function failureOf({ data }: Item): AttemptFailure {
  return data as AttemptFailure;
}

/** The sentence about an attempt in pieces; that with the name `error` may be in the words of a network. */
export function attemptPieces({ code, params }: Item, language: Language): ReturnType<typeof piecesOf> {
  // The answer stands beside the sentence.
  return piecesOf((itemTexts(language) ?? ITEM_TEXTS)[code], { ...params, answer: null });
}

function attemptText(item: Item, language: Language): string {
  return attemptPieces(item, language)
    .map(({ name, text }) => (name === "error" ? attemptError(failureOf(item), language) : text))
    .join("");
}

/** What a journal moved: from where to where when there are two places, else what each of them got or gave. */
function entriesText(entries: readonly MoneyEntry[], language: Language): string {
  const name = ({ bucket }: MoneyEntry) => codeNameIn(language, bucket);
  const money = ({ amount, currency }: MoneyEntry) => formatMoney(Math.abs(amount), currency);
  const [from, to, ...others] = [...entries].sort((a, b) => a.amount - b.amount);
  if (from === undefined || to === undefined || others.length > 0 || from.amount + to.amount !== 0) {
    return entries.map((one) => `${name(one)} ${one.amount < 0 ? "−" : "+"}${money(one)}`).join(", ");
  }
  return `${money(to)}, ${name(from)} → ${name(to)}`;
}

function journalText({ code, params }: Item, language: Language): string {
  const entries = params.entries as readonly MoneyEntry[];
  return piecesOf((itemTexts(language) ?? ITEM_TEXTS)[code], params)
    .map(({ name, text }) => (name === "entries" ? entriesText(entries, language) : text))
    .join("");
}

/** How far the clock went, in place of the instants. */
function clockText({ code, data }: Item, language: Language): string {
  const words = fill((itemTexts(language) ?? ITEM_TEXTS)[code], {});
  const by = Date.parse(String(data.to)) - Date.parse(String(data.from));
  if (Number.isNaN(by) || by === 0) return words;
  return `${words}: ${by < 0 ? "−" : "+"}${duration(by)}`;
}

/** The instant is in the time zone of the reader, as all others of the page: the text of the service has it in UTC. */
const createdText = perLanguage(en.timeline_created, pt.timeline_created);

function created({ params }: Item, language: Language): string {
  const at = params.expires_at;
  const local = typeof at === "string" && !Number.isNaN(Date.parse(at)) ? shortTime(Date.parse(at), language) : at;
  return fill(createdText(language), { ...params, expires_at: local ?? null });
}

/** The sentence of an item. */
export function sentence(item: Item, language: Language): string {
  if (item.kind === "attempt") return attemptText(item, language);
  if (item.kind === "journal") return journalText(item, language);
  if (item.code === "transition.create") return created(item, language);
  return item.kind === "clock" ? clockText(item, language) : serviceText(itemTexts(language), item);
}

/** The cause of an item in words. */
export function causeSentence({ cause, cause_code, cause_params }: Item, language: Language): string {
  return serviceText(causeTexts(language), { code: cause_code, params: cause_params, text: cause });
}
