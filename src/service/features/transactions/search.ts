import { type Db, lister } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { maskTaxId } from "../../../base/kernel/tax-id.js";
import { excerpt, fold, hasWords, memberInJson, memberNaming } from "../../../base/kernel/text-search.js";
import {
  type CreationPlace,
  type FoundByText,
  LIMIT,
  type Part,
  type Searchable,
  type SearchRequest,
  type SearchResult,
  searchRows,
  sumOf,
  toSearchResult,
} from "../searchable.js";
import type { FoundCode } from "../service-texts.js";
import { hasMethod } from "./catalogue.js";
import { PUBLIC_STATUS } from "./machine.js";
import type { TransactionRow } from "./store.js";

/** The number of payments, newest first, that are searched for names, e-mail addresses and metadata. */
export const SEARCHED_PAYMENTS = 20_000;
/** The maximum of them in memory at once. */
const CHUNK = 1_000;

/** The columns that are searched for a text. A payment has many others, and reading them takes longer. */
const TEXTS = [
  "seq",
  "created_at",
  "payer_name",
  "customer_name",
  "customer_email",
  "customer_phone",
  "customer_id",
  "metadata",
] as const;
type TransactionTexts = Pick<TransactionRow, (typeof TEXTS)[number]>;

/** The parts that name a person: the payer is not repeated beside them. */
const PERSONS: ReadonlySet<FoundCode> = new Set([
  "payer",
  "customer",
  "customer_id",
  "customer_document",
  "payer_document",
  "expected_payer",
]);

function personOf({ payer_name: payer, customer_name: customer }: TransactionRow): Part | null {
  if (payer) return { code: "payer", params: { text: excerpt(payer) } };
  return customer ? { code: "customer", params: { text: excerpt(customer) } } : null;
}

function toResult(row: TransactionRow, why?: Part): SearchResult {
  const as = hasMethod(row, "PIX")
    ? (["charge", ID_PREFIX.charge] as const)
    : (["payment", ID_PREFIX.transaction] as const);
  const person = why !== undefined && PERSONS.has(why.code) ? null : personOf(row);
  return { ...toSearchResult(as, row, sumOf(row), PUBLIC_STATUS[row.status], why), person };
}

/** The reason why a payment matches the words or the order; `whole` if one of its texts is just these words; else null. */
function matchOf(
  row: TransactionTexts,
  { words, order }: Pick<SearchRequest, "words" | "order">,
): { why: Part; whole: boolean } | null {
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
  const named = order === null ? null : memberInJson(row.metadata, [order], memberNaming);
  const member = named ?? memberInJson(row.metadata, words);
  return member === null ? null : { why: { code: "metadata", params: { text: member } }, whole: false };
}

/** For a column whose index leaves out the waiting payments. Of these, only the newest are searched, without an index. */
function withWaiting(db: Db, column: "txid" | "amount") {
  const decided = lister<TransactionRow>(
    db,
    `SELECT * FROM transactions WHERE ${column} = ? AND book_id = ? AND status <> 'WAITING_PAYMENT'
      ORDER BY seq DESC LIMIT ${LIMIT}`,
  );
  const newest = lister<TransactionRow>(
    db,
    `SELECT * FROM (SELECT * FROM transactions WHERE book_id = ? AND status = 'WAITING_PAYMENT'
                     ORDER BY created_at DESC, seq DESC LIMIT ${SEARCHED_PAYMENTS})
      WHERE ${column} = ? LIMIT ${LIMIT}`,
  );
  return ({ bookId }: SearchRequest, value: string | number | null) =>
    value === null ? [] : [...decided(value, bookId), ...newest(bookId, value)];
}

function exactSearch(db: Db): Required<Pick<Searchable, "exact" | "values">> {
  const rows = searchRows<TransactionRow>(db, "transactions");
  const byId = rows.byId(ID_PREFIX.charge, ID_PREFIX.transaction, "prv_");
  const byEndToEndId = rows.by("end_to_end_id", { isUnique: true });
  const byReturnId = rows.by("return_id", { isUnique: true });
  const [byTxid, byAmount] = [withWaiting(db, "txid"), withWaiting(db, "amount")];
  const byDocument = [
    [rows.by("customer_tax_id"), "customer_document"],
    [rows.by("payer_document"), "payer_document"],
    [rows.by("expected_payer_tax_id"), "expected_payer"],
  ] as const;
  return {
    exact(request) {
      const { endToEndId: id, txid } = request;
      return [
        ...byId(request).map((row) => toResult(row)),
        ...byEndToEndId(request, id).map((row) => toResult(row, { code: "paid_by_pix", params: { id } })),
        ...byReturnId(request, id).map((row) => toResult(row, { code: "returned_by_pix", params: { id } })),
        ...byTxid(request, txid).map((row) => toResult(row, { code: "with_txid", params: { txid } })),
      ];
    },
    values(request) {
      const params = { document: maskTaxId(request.text) };
      const ofPersons = request.documents.flatMap((document) =>
        byDocument.flatMap(([by, code]) => by(request, document).map((row) => toResult(row, { code, params }))),
      );
      return [...ofPersons, ...byAmount(request, request.amount).map((row) => toResult(row))];
    },
  };
}

/** Returns the search for payments: exactly by indexed values, and by words in texts from the newest on. */
export function transactionSearch(db: Db): Searchable {
  const behind = lister<TransactionTexts>(
    db,
    `SELECT ${TEXTS.join()} FROM transactions WHERE book_id = ? AND (created_at, seq) < (?, ?)
      ORDER BY created_at DESC, seq DESC LIMIT ?`,
  );
  const rowOf = lister<TransactionRow>(db, "SELECT * FROM transactions WHERE seq = ?");
  return {
    ...exactSearch(db),
    /** Searches the texts of payments after `place` for the words, until `room` payments are found. */
    textsBehind({ bookId, ...wanted }: SearchRequest, place: CreationPlace, room: number): FoundByText {
      const whole: SearchResult[] = [];
      const parts: SearchResult[] = [];
      let last = place;
      for (let searched = 0; searched < SEARCHED_PAYMENTS; searched += CHUNK) {
        const most = Math.min(CHUNK, SEARCHED_PAYMENTS - searched);
        const rows = behind(bookId, last.created_at, last.seq, most);
        for (const row of rows) {
          if (whole.length + parts.length >= room) return { whole, parts, stoppedAt: last };
          last = row;
          const match = matchOf(row, wanted);
          if (match === null) continue;
          (match.whole ? whole : parts).push(...rowOf(row.seq).map((full) => toResult(full, match.why)));
        }
        if (rows.length < most) return { whole, parts, stoppedAt: null };
      }
      return { whole, parts, stoppedAt: behind(bookId, last.created_at, last.seq, 1).length > 0 ? last : null };
    },
  };
}
