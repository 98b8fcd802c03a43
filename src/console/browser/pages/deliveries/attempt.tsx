import { useLocation } from "preact-iso/router";
import { AttemptError } from "../../parts/attempt-error.js";
import { Code } from "../../parts/json.js";
import { HttpStatus, Status, Time } from "../../parts/values.js";
import { waitAfter } from "../../words/delivery-facts.js";
import { duration } from "../../words/time.js";
import type { Attempt, Delivery } from "./types.js";
import { words } from "./words.js";

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** What chaos did to an attempt. */
function ChaosMarks({ of }: { of: Attempt["chaos"] }) {
  return (
    <>
      {of.map((kind) => (
        <Status key={kind} status={kind} tone="warn">
          {words.value.chaos}: {words.value[`chaos_${kind}`]}
        </Status>
      ))}
    </>
  );
}

/** How a receiver answered: the status, or that no answer came. */
export function AnswerMark({ of }: { of: Attempt["response"] }) {
  return of === null ? (
    <Status status="—" tone="bad">
      {words.value.no_answer}
    </Status>
  ) : (
    <HttpStatus status={of.status} />
  );
}

/** So much of a body stands beside what went wrong; the whole body follows below. */
const REASON_LENGTH = 200;

/** What went wrong, with the reason that the receiver gave in its body. */
function Problem({ of }: { of: Attempt }) {
  const { error, response } = of;
  if (error === null) return null;
  const body = response?.body.trim() ?? "";
  const reason = body.length > REASON_LENGTH ? `${body.slice(0, REASON_LENGTH)}…` : body;
  return (
    <p class="problem">
      <AttemptError of={of} />
      {reason === "" ? null : (
        <>
          : <code>{reason}</code>
        </>
      )}
    </p>
  );
}

interface AttemptProps {
  readonly attempt: Attempt;
  readonly delivery: Delivery;
  /** The first wait of the retry schedule; null while it is not known. */
  readonly baseMs: number | null;
  readonly isLatest: boolean;
}

/** How the wait for the next attempt came about. */
function WaitText({ attempt, delivery, baseMs, isLatest }: AttemptProps) {
  const isArrived = attempt.response !== null && attempt.response.status >= 200 && attempt.response.status < 300;
  if (isArrived || delivery.status === "CANCELLED") return null;
  if (isLatest && delivery.status === "FAILED") return <p class="hint">{words.value.last_attempt}</p>;
  if (baseMs === null) return null;
  const { ms, retryAfter } = waitAfter(attempt, baseMs);
  if (retryAfter !== null) return <p class="hint">{words.value.wait_retry_after(retryAfter)}</p>;
  const formula = `${duration(baseMs)} × 2^(${attempt.number} − 1), ≤ 6 h`;
  return <p class="hint">{words.value.wait(formula, duration(ms))}</p>;
}

/** One attempt: the request as it was sent, and the answer. */
export function AttemptPart(props: AttemptProps) {
  const { attempt, isLatest } = props;
  const { query } = useLocation();
  const { number, at, duration_ms, request, response, chaos } = attempt;
  const isOpen = query.attempt === undefined ? isLatest : query.attempt === String(number);
  return (
    <details class="attempt" open={isOpen}>
      <summary>
        <strong>{words.value.attempt(number)}</strong> <Time at={at} /> <AnswerMark of={response} />{" "}
        <span class="hint">{words.value.took(duration_ms)}</span> <ChaosMarks of={chaos} />
      </summary>
      <Problem of={attempt} />
      <WaitText {...props} />
      <div class="two-sides">
        <div class="side">
          <h3>{words.value.request}</h3>
          <Code label={words.value.headers} text={`POST ${request.url}\n${headerLines(request.headers)}`} />
          <Code
            label={`${words.value.body}, ${words.value.bytes(new TextEncoder().encode(request.body).length)}`}
            text={request.body}
          />
        </div>
        {response === null ? null : (
          <div class="side">
            <h3>{words.value.answer}</h3>
            <Code label={words.value.headers} text={`${response.status}\n${headerLines(response.headers)}`} />
            {response.body === "" ? (
              <p class="hint">{words.value.empty_body}</p>
            ) : (
              <Code label={words.value.body} text={response.body} />
            )}
          </div>
        )}
      </div>
    </details>
  );
}
