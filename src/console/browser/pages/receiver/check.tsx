import { type Signal, useSignal } from "@preact/signals";
import type { OperationAnswer } from "../../../../client/types.js";
import { Action, Actions, FormAction } from "../../parts/action.js";
import { Status, type Tone } from "../../parts/values.js";
import { words } from "./words.js";

type Report = OperationAnswer<"sandbox.receivers.test">;
type Case = Report["cases"][number];

const TONES: Readonly<Record<Case["verdict"], Tone>> = { passed: "good", failed: "bad", noted: "plain" };

/** The answers in the order of the deliveries; the same ones in a row are told once, with their number. */
function answersText({ answers }: Case): string {
  const texts = answers.map(({ status_code, error }) =>
    status_code === null ? `${words.value.no_answer} (${error})` : String(status_code),
  );
  const counted = [...new Set(texts)].map((text) => ({ text, count: texts.filter((one) => one === text).length }));
  return counted.map(({ text, count }) => (count === 1 ? text : `${count} × ${text}`)).join(", ");
}

/** The case with a sentence about its answers. What the service says of it is English in both languages. */
function CaseItem({ of }: { of: Case }) {
  return (
    <li>
      <p>
        <Status status={of.verdict} tone={TONES[of.verdict]}>
          {words.value[of.verdict]}
        </Status>{" "}
        <code>{of.name}</code>{" "}
        <span class="hint" lang="en">
          {of.sends}
        </span>
      </p>
      <p>{words.value.answered(answersText(of), of.expected)}</p>
      {of.advice === null ? null : (
        <p class={of.verdict === "failed" ? "problem" : "hint"} lang="en">
          {of.advice}
        </p>
      )}
    </li>
  );
}

function summaryOf({ reachable, reason, passed, summary, cases }: Report): string {
  if (!reachable) return words.value.unreachable(reason ?? "");
  return passed
    ? words.value.all_right(cases.filter(({ required }) => required).length)
    : words.value.some_wrong(summary.failed);
}

/** Wrong answers first: they are what somebody has to do. */
const ORDER: readonly Case["verdict"][] = ["failed", "passed", "noted"];

function Grid({ of }: { of: Report }) {
  const cases = [...of.cases].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  return (
    <>
      <p class={of.passed ? "outcome" : "outcome outcome-bad"} role="status">
        {summaryOf(of)} {of.hint === null ? null : <span lang="en">{of.hint}</span>}
      </p>
      <ul class="plain cases">
        {cases.map((one) => (
          <CaseItem key={one.name} of={one} />
        ))}
      </ul>
    </>
  );
}

const keep = (report: Signal<Report | null>) => (answer: Report) => {
  report.value = answer;
  return null;
};

/** The check of one endpoint; without one, of a URL that the person gives. */
export function ReceiverCheck({ endpoint }: { endpoint: string | null }) {
  const report = useSignal<Report | null>(null);
  return (
    <>
      <p class="hint">{words.value.check_text}</p>
      <Actions>
        {endpoint === null ? null : (
          <Action
            id="sandbox.receivers.test"
            label={words.value.run}
            kind="main"
            input={{ body: { endpoint } }}
            done={keep(report)}
          />
        )}
        <FormAction
          id="sandbox.receivers.test"
          label={words.value.run_url}
          fields={[
            { name: "url", label: "URL", required: true, value: "http://127.0.0.1:3000/webhooks" },
            { name: "secret", label: words.value.secret },
          ]}
          input={({ url, secret }) => ({ body: { url, ...(secret ? { secret } : {}) } })}
          done={keep(report)}
        />
      </Actions>
      {report.value === null ? null : <Grid of={report.value} />}
    </>
  );
}
