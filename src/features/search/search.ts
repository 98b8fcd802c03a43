import { type Steps, stepReader } from "../../db/long-read.js";
import { refusedCursor } from "../../kernel/cursor-page.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { maskTaxId } from "../../kernel/tax-id.js";
import { fingerprint, hashKey } from "../access/keys.js";
import type { FoundCode } from "../service-texts.js";
import type { TransactionRow } from "../transactions/store.js";
import type { Reader } from "../tx.js";
import { found, foundText, type Part, partsOf, type SearchResult } from "./describe.js";
import { withAllTerms } from "./merge.js";
import { type Question, readQuestion } from "./question.js";
import { SEARCHED_PAYMENTS, searchStore, type TransactionTexts } from "./store.js";
import { termsOf } from "./terms.js";
import { excerpt, fold, hasWords, memberInJson } from "./texts.js";

/** Searches all kinds of objects by any of their values (docs/decisions/046-search.md). */

/** The longest text that is looked for: longer than every address and every BR Code. */
export const MAX_LENGTH = 2_000;
const MAX_FOUND = 50;
/** How many objects of each other kind, newest first, are searched for texts. */
const SEARCHED_OTHERS = 1_000;
/** So many payments are looked through before others have their turn. */
const CHUNK = 200;
/** Texts are compared here and not by the database, so a step takes a millisecond or two of a processor. */
const readSearch = stepReader(4);
const LIMIT = MAX_FOUND + 1;

export interface SearchQuery {
  readonly bookId: number;
  readonly accountId: string;
  readonly q: string;
  /** The `next_cursor` of the search that this one goes on with. */
  readonly after?: string | undefined;
}

interface SearchContext {
  readonly reader: Reader;
  readonly bookId: number;
  readonly accountId: string;
  readonly question: Question;
}

const P = ID_PREFIX;

function withIds({ reader, bookId, question }: SearchContext): SearchResult[] {
  const { byId, endpoints, workingKeys } = reader.search;
  return question.ids.flatMap(({ prefix: given, start }): SearchResult[] => {
    const prefix = given === P.transaction || given === "prv_" ? P.charge : given;
    // In the order of characters, the tilde comes after every character of a UUID.
    const range = [start, `${start}~`, bookId, LIMIT] as const;
    const ifOf = <Row>(own: string, list: (...values: typeof range) => Row[]) =>
      prefix === "" || prefix === own ? list(...range) : [];
    const starts = ({ id }: { readonly id: string }) => id.replace(/^[a-z]+_/, "").startsWith(start);
    return [
      ...ifOf(P.charge, byId.transactions).map((row) => found.transaction(row)),
      ...ifOf(P.refund, byId.refunds).map((row) => found.refund(row)),
      ...ifOf(P.payout, byId.payouts).map((row) => found.payout(row)),
      ...ifOf(P.medCase, byId.cases).map((row) => found.case(row)),
      ...ifOf(P.evidence, byId.evidence).map(found.evidence),
      ...ifOf(P.email, byId.emails).map(found.email),
      ...ifOf(P.event, byId.events).map(found.event),
      ...ifOf(P.delivery, byId.deliveries).map(found.delivery),
      ...ifOf(P.endpoint, () => endpoints(bookId).filter(starts)).map(found.endpoint),
      ...ifOf(P.apiKey, () => workingKeys(bookId).filter(starts)).map((row) => found.key(row)),
    ];
  });
}

/** The account of the caller and its users, by id, name or e-mail address. */
function accountResults({ reader, accountId, question }: SearchContext): SearchResult[] {
  const { text, words } = question;
  const account = reader.accounts.byId(accountId);
  const users = reader.users.ofAccount(accountId);
  return [
    ...(account !== null && (account.id === text || hasWords(account.name, words)) ? [found.account(account)] : []),
    ...users
      .filter(({ id, name, email }) => id === text || hasWords(name, words) || hasWords(email, words))
      .map(found.user),
  ];
}

function withCodes({ reader, bookId, question: { endToEndId: id, txid, text } }: SearchContext): SearchResult[] {
  const { transactionsOf, refundsOf, payoutsOf, workingKeys } = reader.search;
  const hash = /^qa_(?:test|live)_/.test(text) ? hashKey(text) : null;
  const byPix = (code: FoundCode): Part => ({ code, params: { id } });
  const exact = [id, bookId, LIMIT] as const;
  const byCode = [
    ...transactionsOf.end_to_end_id(...exact).map((row) => found.transaction(row, byPix("paid_by_pix"))),
    ...transactionsOf.return_id(...exact).map((row) => found.transaction(row, byPix("returned_by_pix"))),
    ...refundsOf.end_to_end_id(...exact).map((row) => found.refund(row, byPix("sent_by_pix"))),
    ...payoutsOf.end_to_end_id(...exact).map((row) => found.payout(row, byPix("sent_by_pix"))),
  ];
  const byTxid = txid === null ? [] : transactionsOf.txid(txid, bookId, LIMIT);
  const keys = workingKeys(bookId).filter((key) => key.hash === hash || fingerprint(key.hash) === text);
  const ofKey: Part | undefined = hash === null ? { code: "fingerprint", params: { fingerprint: text } } : undefined;
  return [
    ...byCode,
    ...byTxid.map((row) => found.transaction(row, { code: "with_txid", params: { txid } })),
    ...keys.map((row) => found.key(row, ofKey)),
  ];
}

const toKey = ({ pix_key: key }: { readonly pix_key: string }): Part => ({ code: "to_key", params: { key } });

function withValues({ reader, bookId, question: { documents, amount, text } }: SearchContext): SearchResult[] {
  const { transactionsOf, refundsOf, payoutsOf, casesOf } = reader.search;
  const of = (rows: TransactionRow[], code: FoundCode) =>
    rows.map((row) => found.transaction(row, { code, params: { document: maskTaxId(text) } }));
  const byDocument = documents.flatMap((document) => [
    ...of(transactionsOf.customer_tax_id(document, bookId, LIMIT), "customer_document"),
    ...of(transactionsOf.payer_document(document, bookId, LIMIT), "payer_document"),
    ...of(transactionsOf.expected_payer_tax_id(document, bookId, LIMIT), "expected_payer"),
  ]);
  const keys = [...new Set([text, text.toLowerCase(), ...documents])];
  const byKey = keys.flatMap((key) => payoutsOf.pix_key(key, bookId, LIMIT));
  const others = [...byDocument, ...byKey.map((row) => found.payout(row, toKey(row)))];
  if (amount === null) return others;
  return [
    ...others,
    ...transactionsOf.amount(amount, bookId, LIMIT).map((row) => found.transaction(row)),
    ...refundsOf.amount(amount, bookId, LIMIT).map((row) => found.refund(row)),
    ...payoutsOf.amount(amount, bookId, LIMIT).map((row) => found.payout(row)),
    ...casesOf.amount(amount, bookId, LIMIT).map((row) => found.case(row)),
  ];
}

/** Why a payment matches the words, and whether one of its texts is nothing but these words; null when none matches. */
function matchOf(row: TransactionTexts, words: readonly string[]): { why: Part; whole: boolean } | null {
  const texts = [
    ["payer", row.payer_name],
    ["customer", row.customer_name],
    ["customer_email", row.customer_email],
    ["customer_phone", row.customer_phone],
    ["customer_id", row.customer_id],
  ] as const;
  for (const [code, text] of texts) {
    if (text === null || !hasWords(text, words)) continue;
    return { why: { code, params: { text: excerpt(text, words) } }, whole: fold(text) === words.join(" ") };
  }
  const member = memberInJson(row.metadata, words);
  return member === null ? null : { why: { code: "metadata", params: { text: member } }, whole: false };
}

/** A place in the order of payments, the newest first. */
type Place = Pick<TransactionTexts, "created_at" | "seq">;

const NEWEST: Place = { created_at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

interface Texts {
  readonly whole: readonly SearchResult[];
  readonly parts: readonly SearchResult[];
  /** The last payment that was looked at, when there are older ones; else null. */
  readonly stoppedAt: Place | null;
}

/** Looks for the words in the texts of payments behind `place`, until `room` payments are found. */
function* inPayments({ reader, bookId, question: { words } }: SearchContext, place: Place, room: number): Steps<Texts> {
  const whole: SearchResult[] = [];
  const parts: SearchResult[] = [];
  const { recent, transaction } = reader.search;
  let last = place;
  for (let searched = 0; searched < SEARCHED_PAYMENTS; searched += CHUNK) {
    const most = Math.min(CHUNK, SEARCHED_PAYMENTS - searched);
    const rows = recent(bookId, last, most);
    for (const row of rows) {
      if (whole.length + parts.length >= room) return { whole, parts, stoppedAt: last };
      last = row;
      const match = matchOf(row, words);
      if (match === null) continue;
      (match.whole ? whole : parts).push(...transaction(row).map((full) => found.transaction(full, match.why)));
    }
    if (rows.length < most) return { whole, parts, stoppedAt: null };
    yield;
  }
  return { whole, parts, stoppedAt: recent(bookId, last, 1).length > 0 ? last : null };
}

function inOthers({ reader, bookId, question: { words, text } }: SearchContext): SearchResult[] {
  const { newestPayouts, newestCases, newestEmails, endpoints, workingKeys } = reader.search;
  return [
    ...newestPayouts(bookId, SEARCHED_OTHERS)
      .filter(({ pix_key: key }) => hasWords(key, words))
      .map((row) => found.payout(row, toKey(row))),
    ...newestCases(bookId, SEARCHED_OTHERS)
      .filter(({ reason }) => hasWords(reason, words))
      .map((row) => found.case(row, words)),
    ...newestEmails(bookId, SEARCHED_OTHERS)
      .filter(({ recipient, subject }) => hasWords(recipient, words) || hasWords(subject, words))
      .map(found.email),
    ...endpoints(bookId)
      .filter(({ url }) => hasWords(url, words))
      .map(found.endpoint),
    ...workingKeys(bookId)
      .filter(({ prefix, label }) => hasWords(label, words) || prefix.startsWith(text) || text.startsWith(prefix))
      .map((row) => found.key(row)),
  ];
}

const newestFirst = (found: readonly SearchResult[]) => found.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));

const TOO_MANY = `There are more than ${MAX_FOUND} of these. Write more of what you look for.`;
const OLDER =
  "Older payments were not looked through for this text. Go on with --after, or look through all with --all.";

const cursorOf = ({ created_at, seq }: Place) => `${created_at}~${seq}`;

function placeOf(cursor: string): Place {
  const [, at = "", seq = ""] = /^(\d{1,16})~(\d{1,16})$/.exec(cursor) ?? [];
  if (seq === "") throw refusedCursor();
  return { created_at: Number(at), seq: Number(seq) };
}

/** Ids, codes and values, and the texts of everything but payments. They are few, so the first page has them all. */
function firstFinds(searched: SearchContext): { exact: SearchResult[]; values: SearchResult[]; parts: SearchResult[] } {
  const exact = [...withIds(searched), ...withCodes(searched)];
  const values = withValues(searched);
  return { exact, values, parts: exact.length > 0 ? [] : [...inOthers(searched), ...accountResults(searched)] };
}

/**
 * Finds what a text may mean: exact ids and codes first, then exact values, then parts; the newest first of each. A page
 * that begins at `after` has payments only, which are older and have the text. When nothing has the text, finds what has all
 * of its terms.
 */
export function search(reader: Reader, query: SearchQuery) {
  const read = (store: Reader["search"]) => searchSteps({ ...reader, search: store }, query);
  return readSearch(reader.long, reader.search, searchStore, read);
}

function* searchSteps(reader: Reader, query: SearchQuery) {
  const whole = yield* searchText(reader, query);
  const terms = whole.data.length > 0 || query.after !== undefined ? [] : termsOf(query.q);
  const found: SearchResult[][] = [];
  for (const q of terms) found.push((yield* searchText(reader, { ...query, q })).data);
  const data = terms.length === 0 ? whole.data : withAllTerms(terms, found);
  return {
    ...whole,
    data: data.map((one) => ({ kind: one.kind, id: one.id, text: foundText(one), parts: partsOf(one) })),
  };
}

function* searchText(reader: Reader, { bookId, accountId, q, after }: SearchQuery) {
  const searched: SearchContext = { reader, bookId, accountId, question: readQuestion(q) };
  const first = after === undefined ? firstFinds(searched) : { exact: [], values: [], parts: [] };
  const known = first.exact.length + first.values.length + first.parts.length;
  const place = after === undefined ? NEWEST : placeOf(after);
  // A person who searches for an id or a code wants its object, and not a text that contains the id.
  const texts: Texts =
    first.exact.length > 0
      ? { whole: [], parts: [], stoppedAt: null }
      : yield* inPayments(searched, place, Math.max(0, MAX_FOUND - known));
  const ranked = [first.exact, [...first.values, ...texts.whole], [...texts.parts, ...first.parts]].flatMap(
    newestFirst,
  );
  const distinct = [...new Map(ranked.toReversed().map((one) => [one.id, one])).values()].toReversed();
  const older = texts.stoppedAt === null ? null : OLDER;
  return {
    data: distinct.slice(0, MAX_FOUND),
    /** Names the payment behind which a search for a text goes on; null when nothing is left. */
    next_cursor: texts.stoppedAt === null ? null : cursorOf(texts.stoppedAt),
    note: distinct.length > MAX_FOUND ? TOO_MANY : older,
  };
}
