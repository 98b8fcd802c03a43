import { useSignal } from "@preact/signals";
import { asSent } from "../../../../client/request-text.js";
import { fill } from "../../../../kernel/message.js";
import { type AnswerAgain, hasKey, sendAgain } from "../../api/send-again.js";
import { allRoutes } from "../../facts/all-routes.js";
import { Json } from "../../parts/json.js";
import { OutcomeText, useOutcome } from "../../parts/outcome.js";
import { Section } from "../../parts/page.js";
import { HttpStatus } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { withBook } from "../../state/book.js";
import { connection } from "../../state/connection.js";
import { texts } from "../../state/language.js";
import { reasonNotToSend } from "../../words/request-lines.js";
import type { Logged } from "./outcome.js";

const words = texts("requests");

function Answered({ answer, hadKey }: { answer: AnswerAgain; hadKey: boolean }) {
  const { status, isReplayed, number } = answer;
  const isNew = hadKey && !isReplayed && status < 300;
  return (
    <>
      <HttpStatus status={status} /> {fill(words.value.again_done, { status })}{" "}
      {isReplayed ? words.value.replayed : null} {isNew ? words.value.not_replayed : null}{" "}
      {number === null ? null : (
        <a href={withBook(`/console/requests/${number}`)}>{fill(words.value.new_request, { number })}</a>
      )}
    </>
  );
}

/** Why the request cannot be sent again now; null when it can. */
function obstacle(entry: Logged): string | null {
  if (!connection.isWorking) return shared.value.cut_off;
  const reason = reasonNotToSend(asSent(entry, allRoutes));
  return reason === null ? null : words.value[reason];
}

/** Buttons that send the request again: with its idempotency key, which must replay the answer, and with a new one. */
export function Again({ entry }: { entry: Logged }) {
  const body = useSignal<unknown>(null);
  const { outcome, isRunning, run } = useOutcome();
  const why = obstacle(entry);
  const withKey = hasKey(entry);
  const send = async (key: string | null) => {
    body.value = null;
    const answer = await sendAgain(entry, key);
    body.value = answer.body;
    return <Answered answer={answer} hadKey={withKey} />;
  };
  const isOff = why !== null || isRunning.value;
  const button = (label: string, key: () => string | null) => (
    <button
      type="button"
      aria-disabled={isOff ? "true" : undefined}
      aria-describedby={why === null ? undefined : "why-not-again"}
      onClick={() => isOff || void run(() => send(key()))}
    >
      {label}
    </button>
  );
  return (
    <Section title={words.value.again}>
      <div class="actions">
        {withKey ? button(words.value.new_key, () => crypto.randomUUID()) : null}
        {button(withKey ? words.value.same_key : words.value.again, () => null)}
      </div>
      {why === null ? null : (
        <p id="why-not-again" class="hint">
          {why}
        </p>
      )}
      <OutcomeText of={outcome} />
      {typeof body.value === "object" && body.value !== null ? (
        <Json label={words.value.new_answer} value={body.value} />
      ) : null}
    </Section>
  );
}
