import type { Db } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { excerpt, hasWords } from "../../../base/kernel/text-search.js";
import { type Part, type Searchable, type SearchResult, searchRows, sumOf, toSearchResult } from "../searchable.js";
import type { EvidenceRow, MedCaseRow } from "./store.js";

const { charge, evidence, medCase } = ID_PREFIX;

function toCaseResult(row: MedCaseRow, reason?: string): SearchResult {
  const about: Part = { code: "about_charge", params: { charge: charge + row.transaction_id } };
  return toSearchResult(["med_case", medCase], row, sumOf(row), row.status, about, reason);
}

/** MED cases and their evidence. */
export function medSearch(db: Db): Searchable {
  const cases = searchRows<MedCaseRow>(db, "med_cases");
  const [casesById, byAmount] = [cases.byId(medCase), cases.by("amount")];
  const newest = cases.newest("created_at DESC, seq DESC");
  const files = searchRows<EvidenceRow>(db, "med_evidence", {
    select: "SELECT med_evidence.* FROM med_evidence JOIN med_cases c ON c.id = med_evidence.case_id",
    book: "c.book_id",
  });
  const filesById = files.byId(evidence);
  return {
    exact: (request) => [
      ...casesById(request).map((row) => toCaseResult(row)),
      ...filesById(request).map((row) =>
        toSearchResult(["evidence", evidence], row, { name: row.file_name, case: medCase + row.case_id }),
      ),
    ],
    values: (request) => byAmount(request, request.amount).map((row) => toCaseResult(row)),
    texts: (request) =>
      newest(request)
        .filter(({ reason }) => hasWords(reason, request.words))
        .map((row) => toCaseResult(row, excerpt(row.reason ?? "", request.words))),
  };
}
