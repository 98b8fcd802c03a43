import { useSignal } from "@preact/signals";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { Actions } from "../../parts/action.js";
import { AttemptError } from "../../parts/attempt-error.js";
import { Strip } from "../../parts/strip.js";
import { Status, type Tone } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { language, texts } from "../../state/language.js";
import { hostOf } from "../../words/delivery-facts.js";
import { grouped } from "../../words/due-work.js";
import { hintText, isNobody, silenceOf, textsOfCase } from "../../words/service-texts.js";
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

/** The case with a sentence about its answers. */
function CaseText({ of }: { of: Case }) {
  const { sends, advice } = textsOfCase(of, language.value);
  return (
    <div class="sunken stack">
      <h3>
        <Status status={of.verdict} tone={TONES[of.verdict]}>
          {words.value[of.verdict]}
        </Status>{" "}
        <code>{of.name}</code>
      </h3>
      <p>{sends}</p>
      <p>
        {words.value.answered} <Answers of={of} />;{" "}
        {fill(words.value.right, { expected: of.required ? of.expected : words.value.either })}
      </p>
      {advice === null ? null : <p class={of.verdict === "failed" ? "problem" : "hint"}>{advice}</p>}
    </div>
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

/** All cases side by side, the wrong ones first; one of them is shown below, at first the first wrong one. */
function Grid({ of }: { of: Report }) {
  const cases = [...of.cases].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  const chosen = useSignal<string | undefined>(undefined);
  const shown = cases.find(({ name }) => name === chosen.value) ?? cases[0];
  return (
    <>
      <p class={of.passed ? "outcome" : "outcome outcome-bad"} role="status">
        <Summary of={of} />
      </p>
      <Strip
        label={words.value.cases}
        of={cases.map(({ name, verdict }) => ({
          key: name,
          tone: TONES[verdict],
          text: name,
          more: words.value[verdict],
          isChosen: name === shown?.name,
          onChoose: () => {
            chosen.value = name;
          },
        }))}
      />
      {shown === undefined ? null : <CaseText of={shown} />}
    </>
  );
}

/** The check of one endpoint; without one, of a URL that the person enters. */
export function ReceiverCheck({ endpoint }: { endpoint: string | null }) {
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
  return (
    <>
      <p class="hint">{about}</p>
      <Actions>
        {endpoint === null ? null : check({ label: run, kind: "main", body: { endpoint } })}
        {check({
          label: runUrl,
          ask: [
            { name: "url", required: true, value: RECEIVER_URL },
            { name: "secret", label: "receiver_secret" },
          ],
        })}
      </Actions>
      {report.value === null ? null : <Grid of={report.value} />}
    </>
  );
}
