import { optional } from "../../../base/db/columns/rule.js";
import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { MAX_EVIDENCE_BYTES } from "./evidence-limits.js";
import { medJobs } from "./jobs.js";
import { medSearch } from "./search.js";
import { EVIDENCE, MED_CASE, MED_MONEY, type MedStore, medStore } from "./store.js";

declare module "../tx.js" {
  interface Stores {
    readonly med: MedStore;
  }
}

const content = optional({
  sql: (column: string) => `typeof(${column}) = 'blob' AND length(${column}) <= ${MAX_EVIDENCE_BYTES}`,
});

/** Contested payments and their evidence. */
export const med = noun({
  tables: { med_cases: { seq: key, ...MED_CASE }, med_evidence: { seq: key, ...EVIDENCE, content } },
  stores: { med: medStore },
  jobs: medJobs,
  search: [medSearch],
  money: [MED_MONEY],
});
