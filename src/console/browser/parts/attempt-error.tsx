import { language } from "../state/language.js";
import { type AttemptFailure, attemptError } from "../words/service-texts.js";

/** Why an attempt of a delivery failed: the answer of the receiver, else what the network said, in its own words. */
export function AttemptError({ of }: { of: AttemptFailure }) {
  return <span lang={of.error_code === null ? "en" : undefined}>{attemptError(of, language.value)}</span>;
}
