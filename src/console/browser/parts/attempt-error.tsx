import { language } from "../state/language.js";
import { attemptError } from "../words/attempt-errors.js";

/** Why an attempt of a delivery failed: the answer of the receiver, else what the network said, in its own words. */
export function AttemptError({ text }: { text: string }) {
  const told = attemptError(text, language.value);
  return <span lang={told === null ? "en" : undefined}>{told ?? text}</span>;
}
