import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { AnswerMark } from "../../parts/attempt-error.js";
import { Countdown, Status, type Tone } from "../../parts/values.js";
import { language, texts } from "../../state/language.js";
import { targetParts } from "../../words/delivery-facts.js";
import { silenceOf } from "../../words/service-texts.js";

/** The cells of a delivery, in the lists of deliveries and on the page of an event. */

const words = texts("deliveries");
const endpointWords = texts("endpoints");

export type Row = OperationAnswer<"sandbox.deliveries.list">["data"][number];

/** What comes next: another try, or nothing more. A delivery that has arrived needs no word. */
function Next({ of: { status, nextRetryAt }, name }: { of: Pick<Row, "status" | "nextRetryAt">; name: string }) {
  if (status === "FAILED") return <span class="no-card"> · {words.value.given_up}</span>;
  if (status === "DELIVERED" || nextRetryAt === null) return null;
  return (
    <span class="no-card" title={words.value.next}>
      {" "}
      · {name} <Countdown to={nextRetryAt} />
    </span>
  );
}

type Sent = OperationAnswer<"sandbox.events">["data"][number]["deliveries"];

/** The tone of an event: red when nothing more is tried, and amber while something is. */
function toneOfSent({ missing }: Sent): Tone {
  if (missing === null) return "good";
  if (missing.attempts === 0) return "wait";
  return missing.status === "FAILED" ? "bad" : "warn";
}

/** How an event stands: how many endpoints have it, and why one has not. */
export function EventOutcome({ of }: { of: Sent }) {
  const { endpoints: all, arrived, missing } = of;
  if (all === 0) return <span class="hint">{words.value.no_listener}</span>;
  return (
    <span class="nowrap outcome-cell">
      <Status status="event" tone={toneOfSent(of)}>
        {fill(endpointWords.value.some_arrived, { arrived, all })}
      </Status>
      {missing === null || missing.attempts === 0 ? null : (
        <span class="hint">
          {missing.lastStatusCode ?? silenceOf({ error: missing.lastError }, language.value)}
          <Next of={missing} name={words.value.event_next} />
        </span>
      )}
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
          <Next of={of} name={words.value.next_in} />
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
