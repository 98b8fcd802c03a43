import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { isUndecided, type MedStatus } from "../../../../../service/features/med/machine.js";
import { codeName } from "../../parts/codes.js";
import { Icon } from "../../parts/icon.js";
import { Countdown, Status, Time } from "../../parts/values.js";
import { labelOf } from "../../resource/known-fields.js";
import { now } from "../../state/clock.js";
import { texts } from "../../state/language.js";
import { byDeadline } from "../overview/figures.js";

/** The parts that the list, the board and the page of a case share: its customer, its time to answer, and what comes next. */

const words = texts("med");

export type Listed = OperationAnswer<"sandbox.med.list">["data"][number];

/** The customer of the contested payment, as people name the case. */
export const customerOf = ({ customer_name: name }: Listed) =>
  name === null || name === "" ? `— ${words.value.no_name}` : name;

/** The time that is left to answer. Nobody waits for the merchant once there is an answer. */
function Deadline({ to }: { to: string | null }) {
  if (to === null) return <span class="hint">{words.value.no_deadline}</span>;
  const isLate = now.value !== null && Date.parse(to) < now.value;
  if (!isLate) return <Countdown to={to} />;
  return (
    <Status status="late" tone="bad">
      {words.value.late} <Countdown to={to} />
    </Status>
  );
}

/** The time that is left to answer, as a share of the time from the opening of the case to its deadline. */
function TimeLeft({ from, to }: { from: string; to: string }) {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const left = Math.max(0, end - Math.max(start, now.value ?? start));
  return <progress max={end - start} value={left} aria-label={words.value.time_left} />;
}

/** The time that is left, in the head of a case. */
export function DeadlineBar({ from, to }: { from: string; to: string }) {
  return (
    <span class="flow deadline">
      <b>
        {words.value.left} <Deadline to={to} />
      </b>
      <TimeLeft from={from} to={to} />
      <Time at={to} />
    </span>
  );
}

/** What comes next in a case of the list, and until when; of a decided one who won, which needs nothing any more. */
export function Next({ of }: { of: Listed }) {
  const { status, response_deadline: deadline, money_outcome: outcome } = of;
  const { value } = words;
  if (status === "open") {
    return (
      <>
        <span class="flow deadline">
          <b>
            <Deadline to={deadline} />
          </b>
          {deadline === null ? null : <TimeLeft from={of.opened_at} to={deadline} />}
        </span>
        <span class="under">{value.to_answer}</span>
      </>
    );
  }
  if (isUndecided(status)) {
    return (
      <>
        <span class="cut short-line">{value.bank_decides}</span>
        {of.appealed_at === null ? null : <Since name="appealed_at" at={of.appealed_at} />}
      </>
    );
  }
  const isWon = outcome === "refunded_to_merchant";
  return (
    <>
      <span class="decided">
        <Icon name={isWon ? "check" : "x"} /> {isWon ? value.result.won : value.result.lost}
      </span>
      {of.closed_at === null ? null : <Since name="closed_at" at={of.closed_at} />}
    </>
  );
}

function Since({ name, at }: { name: "appealed_at" | "closed_at"; at: string }) {
  return (
    <span class="under">
      {labelOf(name)} <Time at={at} />
    </span>
  );
}

type OpenCase = Pick<Listed, "amount" | "response_deadline">;

/** The open cases in one line: their number, their amount, and the nearest deadline. */
export function OpenCases({ of }: { of: readonly OpenCase[] }) {
  const amount = of.reduce((sum, one) => sum + one.amount, 0);
  const deadline = byDeadline(of)[0]?.response_deadline ?? null;
  return (
    <>
      {fill(words.value.open_cases, { count: of.length, amount, currency: "BRL" })}
      {deadline === null ? null : (
        <>
          {words.value.answer_by} <Countdown to={deadline} />
        </>
      )}
    </>
  );
}

/** The progress of a case in three steps, the present one marked. A case may be decided without an appeal. */
export function CaseSteps({ status }: { status: MedStatus }) {
  const present = isUndecided(status) ? status : "decided";
  return (
    <ol class="flow case-steps" aria-label={words.value.steps}>
      {(["open", "appealed", "decided"] as const).map((step) => (
        <li key={step} aria-current={step === present ? "step" : undefined}>
          {step === "decided" ? words.value.decided : codeName(step)}
        </li>
      ))}
    </ol>
  );
}
