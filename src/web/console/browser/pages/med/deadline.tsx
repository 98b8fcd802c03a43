import { ID_PREFIX } from "../../../../../base/kernel/ids.js";
import { isUndecided, type MedStatus } from "../../../../../service/features/med/machine.js";
import { useCall } from "../../api/use-call.js";
import { codeName } from "../../parts/codes.js";
import { Countdown, Status, Time } from "../../parts/values.js";
import { now } from "../../state/clock.js";
import { texts } from "../../state/language.js";

/** The parts that the list, the board and the page of a case share: its customer, and its time to answer. */

const words = texts("med");

/** The contested payment of a case, which knows its customer. */
export const usePayment = (of: { readonly charge_id: string } | null) =>
  useCall("payments.get", { params: { id: of?.charge_id.replace(ID_PREFIX.charge, "") ?? "" } }, { when: of !== null });

/** The payer of the contested payment. The place is as wide before the name is read. */
export function Customer({ of }: { of: { readonly charge_id: string } }) {
  const { data } = usePayment(of).state.value;
  const name = data?.customerName ?? "";
  return (
    <span class="cut customer" title={name}>
      {data === null || name !== "" ? name : <span class="missing">— {words.value.no_name}</span>}
    </span>
  );
}

/** The time to answer. It is counted while an answer is still possible. */
export function Deadline({ to, status }: { to: string | null; status: MedStatus }) {
  if (to === null) return <span class="hint">{words.value.no_deadline}</span>;
  if (!isUndecided(status)) return <Time at={to} />;
  const isLate = now.value !== null && Date.parse(to) < now.value;
  if (!isLate) return <Countdown to={to} />;
  return (
    <Status status="late" tone="bad">
      {words.value.late} <Countdown to={to} />
    </Status>
  );
}

/** The time that is left to answer, as a share of the time from the opening of the case to its deadline. */
export function DeadlineBar({ from, to, status }: { from: string; to: string; status: MedStatus }) {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return (
    <span class="deadline">
      <b>
        {words.value.left} <Deadline to={to} status={status} />
      </b>
      <progress
        max={end - start}
        value={Math.max(0, end - Math.max(start, now.value ?? start))}
        aria-label={words.value.time_left}
      />
      <Time at={to} />
    </span>
  );
}

/** The progress of a case in three steps, the present one marked. A case may be decided without an appeal. */
export function CaseSteps({ status }: { status: MedStatus }) {
  const present = isUndecided(status) ? status : "decided";
  return (
    <ol class="case-steps" aria-label={words.value.steps}>
      {(["open", "appealed", "decided"] as const).map((step) => (
        <li key={step} aria-current={step === present ? "step" : undefined}>
          {step === "decided" ? words.value.decided : codeName(step)}
        </li>
      ))}
    </ol>
  );
}
