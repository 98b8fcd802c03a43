import { language, terms } from "../state/language.js";
import { type AttemptFailure, attemptError } from "../words/service-texts.js";
import { HttpStatus, Status } from "./values.js";

/** Why an attempt of a delivery failed: the answer of the receiver, else what the network said, in its own words. */
export function AttemptError({ of }: { of: AttemptFailure }) {
  return <span lang={of.error_code === null ? "en" : undefined}>{attemptError(of, language.value)}</span>;
}

/** How a receiver answered: the status, or that no answer came, with what the network said in the title. */
export function AnswerMark({ status, of }: { status: number | null; of: AttemptFailure }) {
  if (status !== null) return <HttpStatus status={status} />;
  return (
    <span title={attemptError(of, language.value)}>
      <Status status="—" tone="bad">
        {terms.value.no_answer}
      </Status>
    </span>
  );
}
