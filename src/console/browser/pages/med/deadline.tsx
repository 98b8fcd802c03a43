import { isUndecided, type MedStatus } from "../../../../features/med/machine.js";
import { Countdown, Status, Time } from "../../parts/values.js";
import { now } from "../../state/clock.js";
import { words } from "./words.js";

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
