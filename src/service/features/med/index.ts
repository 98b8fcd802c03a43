import { optional } from "../../../base/db/columns/rule.js";
import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { MAX_EVIDENCE_BYTES } from "./evidence-limits.js";
import { medJobs } from "./jobs.js";
import { medMachine } from "./machine.js";
import * as cases from "./operations/cases.js";
import * as evidence from "./operations/evidence.js";
import * as sandboxCases from "./operations/sandbox-cases.js";
import { MedCase } from "./resource.js";
import { medSearch } from "./search.js";
import { EVIDENCE, MED_CASE, MED_MONEY, type MedStore, medStore } from "./store.js";
import { medTimeline } from "./timeline.js";

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
  machines: [medMachine],
  operations: [
    cases.listCases,
    cases.getCase,
    cases.appeal,
    cases.accept,
    evidence.listEvidence,
    evidence.createEvidence,
    evidence.completeEvidence,
    sandboxCases.sandboxListCases,
    sandboxCases.sandboxOpenCase,
    sandboxCases.sandboxDecideCase,
    sandboxCases.sandboxWithdrawCase,
    sandboxCases.sandboxRequestEvidence,
  ],
  events: { med_case: MedCase, med: MedCase },
  jobs: medJobs,
  timeline: [medTimeline],
  search: [medSearch],
  money: [MED_MONEY],
});
