import { formatMoney } from "../../../../base/kernel/money.js";
import { namesOf } from "../../../../base/kernel/names.js";
import { useAccounts } from "../api/use-accounts.js";
import { Time } from "../parts/values.js";
import { book } from "../state/book.js";
import { language, terms, texts } from "../state/language.js";
import { download } from "../words/download.js";
import { type CaseInput, caseHtml, caseJson } from "./case-file.js";
import type { TimelineAnswer } from "./model.js";

const words = texts("case_file_actions");

interface CaseFileProps {
  readonly timeline: TimelineAnswer;
  readonly head: { readonly amount: number; readonly currency: string; readonly status: string };
  readonly objects: CaseInput["objects"];
}

/** Buttons that export the whole timeline as a file or on paper, and the head of the paper. */
export function CaseFile({ timeline, head, objects }: CaseFileProps) {
  const { account: id, mode } = book.value;
  const account = useAccounts().chosen?.name ?? id;
  const given = (): CaseInput => ({
    timeline,
    objects,
    account,
    mode,
    address: location.href,
    language: language.value,
    facts: [
      [terms.value.amount, formatMoney(head.amount, head.currency)],
      [terms.value.status, head.status],
    ],
  });
  const exports = {
    html: () => download(`${timeline.subject}.html`, "text/html;charset=utf-8", caseHtml(given())),
    json: () => download(`${timeline.subject}.json`, "application/json", caseJson(given())),
    print: () => window.print(),
  };
  return (
    <>
      <fieldset class="flow actions" aria-label={words.value.label}>
        {namesOf(exports).map((name) => (
          <button key={name} type="button" class="small" onClick={exports[name]}>
            {words.value[name]}
          </button>
        ))}
      </fieldset>
      <p class="print-only">
        {words.value.account}: {account} ({mode}) · {terms.value.emulated_time}: <Time at={timeline.now} /> (
        {timeline.now}) · {location.href}
      </p>
    </>
  );
}
