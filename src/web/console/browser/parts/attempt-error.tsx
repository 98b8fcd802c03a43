import { language } from "../state/language.js";
import { type AttemptFailure, attemptError, isForeign, silenceOf } from "../words/service-texts.js";
import { HttpStatus, Status } from "./values.js";

/** The reason why an attempt of a delivery failed: the receiver's answer, else the network error in its own words. */
export function AttemptError({ of }: { of: AttemptFailure }) {
  return <span lang={isForeign(of) ? "en" : undefined}>{attemptError(of, language.value)}</span>;
}

/** The receiver's answer: its status, or why none arrived, with the whole error in the title. */
export function AnswerMark({ status, of }: { status: number | null; of: AttemptFailure }) {
  if (status !== null) return <HttpStatus status={status} />;
  return (
    <span title={attemptError(of, language.value)}>
      <Status status="—" tone="bad">
        {silenceOf(of, language.value)}
      </Status>
    </span>
  );
}
