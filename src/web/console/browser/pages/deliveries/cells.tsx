import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { AnswerMark } from "../../parts/attempt-error.js";
import { Countdown, Status } from "../../parts/values.js";
import { texts } from "../../state/language.js";
import { targetParts } from "../../words/delivery-facts.js";

/** The cells of a delivery, in the lists of deliveries and on the page of an event. */

const words = texts("deliveries");

export type Row = OperationAnswer<"sandbox.deliveries.list">["data"][number];

/** What comes next: another try, or nothing more. A delivery that has arrived needs no word. */
function Next({ of: { status, nextRetryAt } }: { of: Row }) {
  if (status === "FAILED") return <span class="no-card"> · {words.value.given_up}</span>;
  if (status === "DELIVERED" || nextRetryAt === null) return null;
  return (
    <span class="no-card" title={words.value.next}>
      {" "}
      · {words.value.next_in} <Countdown to={nextRetryAt} />
    </span>
  );
}

/** How a delivery stands: the last answer, the number of tries where more than one was needed, and what comes next. */
export function Outcome({ of }: { of: Row }) {
  const { status, attempts, maxAttempts, lastStatusCode, lastError: error, lastErrorCode, lastErrorParams } = of;
  const failure = { error, error_code: lastErrorCode, error_params: lastErrorParams };
  const isUntried = attempts === 0 || status === "CANCELLED" || status === "PROCESSING";
  return (
    <span class="nowrap outcome-cell">
      {isUntried ? <Status status={status} /> : <AnswerMark status={lastStatusCode} of={failure} />}
      {attempts === 0 || (attempts === 1 && status === "DELIVERED") ? null : (
        <span class="hint" title={fill(words.value.attempts_made, { made: attempts, most: maxAttempts })}>
          {" "}
          {attempts}/{maxAttempts}
          <Next of={of} />
        </span>
      )}
    </span>
  );
}

/** The address of a receiver. A phone has no room for the host of this machine. */
export function Target({ url }: { url: string }) {
  const { host, rest } = targetParts(url);
  return (
    <span class="cut path" title={url}>
      {host === "" ? null : <span class="wide-only">{host}</span>}
      {rest}
    </span>
  );
}
