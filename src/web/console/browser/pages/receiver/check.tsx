import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { Actions } from "../../parts/action.js";
import { AttemptError } from "../../parts/attempt-error.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status, type Tone } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { language, terms, texts } from "../../state/language.js";
import { hostOf } from "../../words/delivery-facts.js";
import { grouped } from "../../words/due-work.js";
import { casesIn, hintText, isNobody, silenceOf, textsOfCase } from "../../words/service-texts.js";
import { RECEIVER_URL } from "../../words/usual-receiver.js";

const words = texts("receiver");

type Report = OperationAnswer<"sandbox.receivers.test">;
type Case = Report["cases"][number];

/** Wrong answers first: they need work. */
const TONES = { failed: "bad", passed: "good", noted: "plain" } as const satisfies Record<Case["verdict"], Tone>;
const ORDER = Object.keys(TONES);

/** The answers in the order of the deliveries; equal ones are shown once, with their number. */
function Answers({ of: { answers } }: { of: Case }) {
  return grouped(answers, ({ status_code, error }) => `${status_code ?? error}`).map(
    ([key, [answer, ...others]], index) => (
      <span key={key}>
        {index === 0 ? null : ", "}
        {others.length === 0 ? null : `${others.length + 1} × `}
        {answer?.status_code ?? (
          <>
            {answer && silenceOf(answer, language.value)} ({answer && <AttemptError of={answer} />})
          </>
        )}
      </span>
    ),
  );
}

function Summary({ of }: { of: Report }) {
  const { reachable, reason, reason_code, reason_params, passed, summary, cases } = of;
  const { value } = words;
  if (!reachable) {
    const failure = { error: reason, error_code: reason_code, error_params: reason_params };
    if (isNobody(failure)) return <>{fill(value.nothing_there, { host: hostOf(of.url) })}</>;
    return (
      <>
        {value.unreachable} <AttemptError of={failure} />
      </>
    );
  }
  if (passed) return <>{fill(value.all_right, { count: cases.filter(({ required }) => required).length })}</>;
  return (
    <>
      {fill(value.some_wrong, { failed: summary.failed, all: cases.length })} {hintText(of, language.value)}
    </>
  );
}

/** A case: what is sent, and after the check the answers and the advice about them. */
function Sends({ of }: { of: Case }) {
  const { sends, advice } = textsOfCase(of, language.value);
  const isWrong = of.verdict === "failed";
  return (
    <>
      <div class={isWrong ? "hint" : undefined}>{sends}</div>
      {advice === null ? null : <div class={isWrong ? undefined : "hint"}>{advice}</div>}
    </>
  );
}

/** All cases with their results, the wrong ones first. */
function Results({ of }: { of: Report }) {
  const cases = [...of.cases].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  return (
    <Table
      label={words.value.cases}
      kind="cards"
      rows={cases}
      keyOf={({ name }) => name}
      columns={[
        {
          head: terms.value.status,
          cell: ({ verdict }) => (
            <Status status={verdict} tone={TONES[verdict]}>
              {words.value[verdict]}
            </Status>
          ),
        },
        { head: words.value.case, isHead: true, cell: ({ name }) => <code class="nowrap">{name}</code> },
        {
          head: words.value.right,
          isSecond: true,
          cardLabel: words.value.right,
          class: "nowrap",
          cell: ({ required, expected }) => (required ? expected : words.value.either),
        },
        {
          head: words.value.answered,
          isSecond: true,
          cardLabel: words.value.answered,
          cell: (one) => <Answers of={one} />,
        },
        { head: words.value.sends, isSecond: true, wraps: true, cell: (one) => <Sends of={one} /> },
      ]}
    />
  );
}

/** The cases before the check has run. */
function Plan() {
  return (
    <Table
      label={words.value.cases}
      kind="cards"
      rows={casesIn(language.value)}
      keyOf={({ name }) => name}
      columns={[
        { head: words.value.case, cell: ({ name }) => <code class="nowrap">{name}</code> },
        {
          head: words.value.right,
          class: "nowrap card-end",
          cell: ({ right }) => right ?? words.value.either,
        },
        { head: words.value.sends, isSecond: true, class: "grows", cell: ({ sends }) => sends },
      ]}
    />
  );
}

interface CheckProps {
  readonly endpoint: string | null;
  /** True on the page of the check: it shows the cases before they run, and checks any address. */
  readonly isWhole?: boolean;
  /** The choice of the endpoint. */
  readonly children?: ComponentChildren;
}

/** The check of one endpoint; without one, of a URL that the person enters. */
export function ReceiverCheck({ endpoint, isWhole = false, children }: CheckProps) {
  const report = useSignal<Report | null>(null);
  const { sending, check_text: about, run, run_url: runUrl } = words.value;
  const running = [`${sending} `, <progress key="progress" aria-label={sending} />];
  const check = (spec: Parameters<typeof act<"sandbox.receivers.test">>[1]) =>
    act("sandbox.receivers.test", {
      running,
      done: (answer) => {
        report.value = answer;
        return null;
      },
      ...spec,
    });
  const { value: shown } = report;
  return (
    <>
      <Section title={words.value.check}>
        <p class="hint">{about}</p>
        <div class="flow">
          {children}
          <Actions>
            {endpoint === null ? null : check({ label: run, kind: "main", body: { endpoint } })}
            {isWhole
              ? check({
                  label: runUrl,
                  ...(endpoint === null ? { kind: "main" } : {}),
                  ask: [
                    { name: "url", required: true, value: RECEIVER_URL },
                    { name: "secret", label: "receiver_secret" },
                  ],
                })
              : null}
          </Actions>
        </div>
        {shown === null ? null : (
          <p class={shown.passed ? "outcome" : "outcome outcome-bad"} role="status">
            <Summary of={shown} />
          </p>
        )}
      </Section>
      {shown === null ? null : <Results of={shown} />}
      {shown === null && isWhole ? <Plan /> : null}
    </>
  );
}
