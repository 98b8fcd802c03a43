import { MINUTE } from "../../../../base/kernel/duration.js";
import { ID_PREFIX, rawId } from "../../../../base/kernel/ids.js";
import { isJsonObject } from "../../../../base/kernel/json.js";
import { formatMoney } from "../../../../base/kernel/money.js";
import { maskTaxId, normalizeTaxId } from "../../../../base/kernel/tax-id.js";
import { excerpt, hasWords, memberNaming, memberWithWords } from "../../../../base/kernel/text-search.js";
import { t, type Wording } from "../../../../base/kernel/wording.js";
import { endToEndMinute } from "../../../../base/pix/ids.js";
import { bareCode } from "../../../../base/pix/pasted-code.js";
import { type Question, readQuestion } from "../../../../service/features/search/question.js";
import { termsOf } from "../../../../service/features/search/terms.js";

/** Finds a text from a customer in a payment, as the service lists it. Pure functions. */

/** A row of the list. The host may be any, so no member is sure. */
type Row = Readonly<Record<string, unknown>>;

/** A part of a document that is long enough to tell people apart, as a masked one has it: `***.982.247-**`. */
const LEAST_DIGITS = 6;
/** Fields whose whole value is copied by people. */
const CODES = ["pixCopyPaste", "boletoLine", "boletoBarcode", "mbReference", "cryptoAddress"];

const WHOLE_UUID = 36;

const textField = (row: Row, field: string) => (typeof row[field] === "string" ? row[field] : null);

function hasId(id: string, { ids, text }: Question): boolean {
  const raw = rawId(id, ID_PREFIX.transaction) ?? id.toLowerCase();
  const isOfPayment = (prefix: string) => ["", ID_PREFIX.charge, ID_PREFIX.transaction, "prv_"].includes(prefix);
  return id === text || ids.some(({ prefix, start }) => isOfPayment(prefix) && raw.startsWith(start));
}

/** True if a Pix code, bare, has the address of the payload with this id. */
function isPayloadOf(code: string, id: string): boolean {
  return id.length === WHOLE_UUID && code.toLowerCase().includes(`qrv2${bareCode(id)}`);
}

function hasDocument(document: string, { text }: Question): boolean {
  const wanted = normalizeTaxId(text.replaceAll("*", ""));
  return wanted.length >= LEAST_DIGITS && /\d{3}/.test(wanted) && normalizeTaxId(document).includes(wanted);
}

/** A question, and what else its text may mean for a person. */
interface Asked extends Question {
  /** In the smallest unit: digits alone are centavos or reais. */
  readonly amounts: readonly number[];
  /** The first and the last millisecond of a day; null when the text names none. */
  readonly day: DaySpan | null;
}

export type DaySpan = readonly [first: number, last: number];

const DIGITS = /^\d{1,7}$/;

function askedBy(text: string, dayOf: (text: string) => DaySpan | null): Asked {
  const question = readQuestion(text);
  const { amount } = question;
  const reais = amount !== null && DIGITS.test(question.text) ? [amount * 100] : [];
  return { ...question, amounts: amount === null ? [] : [amount, ...reais], day: dayOf(question.text) };
}

/** Returns where a payment holds one search term; null when it does not. */
function placeOf(row: Row, question: Asked): Wording | null {
  const { amounts, day, words, text, order } = question;
  const [id, document] = [textField(row, "id"), textField(row, "customerDocument")];
  if (id !== null && hasId(id, question)) return t`id ${id}`;
  const wanted = bareCode(text);
  const isCode = (field: string) => {
    const own = bareCode(textField(row, field) ?? "");
    return own !== "" && (own === wanted || question.ids.some(({ start }) => isPayloadOf(own, start)));
  };
  const code = CODES.find(isCode);
  if (code !== undefined) return t`code ${excerpt(text)}`;
  if (document !== null && hasDocument(document, question)) return t`document ${maskTaxId(document)}`;
  const amount = amounts.find((one) => one === row.amount);
  if (amount !== undefined) return t`amount ${formatMoney(amount, textField(row, "currency") ?? "BRL")}`;
  const created = Date.parse(textField(row, "createdAt") ?? "");
  if (day !== null && day[0] <= created && created <= day[1]) return t`created ${text}`;
  const shown = (field: string) => {
    const value = textField(row, field);
    return value !== null && hasWords(value, words) ? excerpt(value, words) : null;
  };
  const [name, email] = [shown("customerName"), shown("customerEmail")];
  if (name !== null) return t`name ${name}`;
  if (email !== null) return t`e-mail ${email}`;
  const named = order === null ? null : memberNaming(row.metadata, [order]);
  const member = named ?? memberWithWords(row.metadata, words);
  return member === null ? null : t`metadata ${member}`;
}

const unique = (places: readonly Wording[]) => [...new Map(places.map((place) => [String(place), place])).values()];

/**
 * Returns for a payment where it holds the text, or each of its two to five terms; null when it does not hold them. `terms` counts for
 * each term the payments that hold it, and `since` is the first moment of a day that the text names. `dayOf` reads a day.
 */
export function matcher(text: string, dayOf: (text: string) => DaySpan | null = () => null) {
  const whole = askedBy(text, dayOf);
  const terms = termsOf(text).map((term) => ({ term, question: askedBy(term, dayOf), count: 0 }));
  const days = [whole, ...terms.map(({ question }) => question)].flatMap(({ day }) => day?.[0] ?? []);
  return {
    since: days.length === 0 ? null : Math.min(...days),
    terms: terms as readonly { readonly term: string; readonly count: number }[],
    placesIn(row: unknown): Wording[] | null {
      if (!isJsonObject(row)) return null;
      const place = placeOf(row, whole);
      if (place !== null) return [place];
      const places = terms.flatMap((one) => {
        const found = placeOf(row, one.question);
        if (found !== null) one.count += 1;
        return found ?? [];
      });
      return terms.length > 0 && places.length === terms.length ? unique(places) : null;
    },
  };
}

/**
 * True if a payment may have been paid by the Pix with this end-to-end id: it was there in that minute, and the money came
 * afterwards. Clocks of banks differ by a minute at most.
 */
export function mayBePaidBy(row: unknown, endToEndId: string): boolean {
  if (!isJsonObject(row) || !Array.isArray(row.paymentMethods) || !row.paymentMethods.includes("PIX")) return false;
  const at = Date.parse(endToEndMinute(endToEndId));
  if (Date.parse(String(row.createdAt)) > at + 2 * MINUTE) return false;
  // Without a time: the money came and is held for review, or went back at once.
  if (typeof row.paidAt !== "string") return row.status === "PROCESSING" || row.status === "REFUNDED";
  return Date.parse(row.paidAt) >= at - MINUTE;
}
