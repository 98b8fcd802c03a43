import { type AttemptError, attemptErrorOf } from "../../base/kernel/attempt-errors.js";
import type { Message, Params } from "../../base/kernel/message.js";
import type { TestCase } from "./cases.js";
import { RIGHT_ANSWERS } from "./right-answers.js";
import { type AdviceCode, adviceText, type CaseName, ENGLISH, type HintCode } from "./texts.js";

/** Compares the answers of a receiver with the expected ones. */

export interface Answer {
  /** Null when there was no answer. */
  readonly status_code: number | null;
  readonly duration_ms: number;
  /** The reason why there was no answer; null when there was one. */
  readonly error: AttemptError | null;
}

export const VERDICTS = ["passed", "failed", "noted"] as const;

/** The result of one case. */
export interface Result {
  readonly name: CaseName;
  readonly sends: string;
  readonly expected: string;
  /** True when the receiver is wrong if this case fails. */
  readonly required: boolean;
  readonly verdict: (typeof VERDICTS)[number];
  readonly answers: readonly Answer[];
  /** For a failed case the advice. For other cases a note on the answer, or null. */
  readonly advice: string | null;
  /** Null when there is no advice. */
  readonly advice_code: AdviceCode | null;
  readonly advice_params: Params | null;
}

const within = (answer: Answer, hundred: number) => Math.floor((answer.status_code ?? 0) / 100) === hundred;

function isRight({ expects }: TestCase, answer: Answer): boolean {
  // A 429 does not show whether the receiver would accept or refuse the delivery.
  if (answer.status_code === 429) return false;
  return (expects !== "refuse" && within(answer, 2)) || (expects !== "accept" && within(answer, 4));
}

/** The advice for an answer that was not expected. */
function adviceFor({ expects }: TestCase, { status_code: status, error }: Answer): Message<AdviceCode> {
  if (status === null) {
    const { error: text, error_code } = attemptErrorOf(error);
    return { code: error_code?.startsWith("late") ? "late" : "no_answer", params: { error: text } };
  }
  if (status >= 300 && status < 400) return { code: "redirect", params: { status } };
  // A 429 says nothing about the delivery.
  if (status === 429) return { code: "rate_limit", params: {} };
  if (status < 500) return { code: "remedy", params: {} };
  return { code: expects === "accept" ? "failed" : "failed_to_refuse", params: { status } };
}

/** A note on answers that are not wrong. */
function noteFor({ expects }: TestCase, answers: readonly Answer[]): Message<AdviceCode> {
  if (expects !== "either") return { code: "passed", params: {} };
  const accepted = answers.filter((answer) => within(answer, 2)).length;
  if (accepted > 0 && accepted < answers.length) return { code: "mixed", params: { accepted, all: answers.length } };
  return { code: accepted === 0 ? "refused" : "accepted", params: {} };
}

export function judge(one: TestCase, answers: readonly Answer[]): Result {
  const wrong = answers.find((answer) => !isRight(one, answer));
  const required = one.expects !== "either";
  const passed = required ? "passed" : "noted";
  const { code, params } = wrong === undefined ? noteFor(one, answers) : adviceFor(one, wrong);
  // Null when the case has no advice of this code.
  const advice = adviceText(ENGLISH, one.name, { code, params });
  return {
    name: one.name,
    sends: ENGLISH.cases[one.name].sends,
    expected: RIGHT_ANSWERS[one.expects],
    required,
    verdict: wrong !== undefined && required ? "failed" : passed,
    answers,
    advice,
    advice_code: advice === null ? null : code,
    advice_params: advice === null ? null : params,
  };
}

/** The answers and the time of the slowest one, such as `10 × 204, 31 ms`. */
export function answersText({ answers }: Result): string {
  const words = answers.map(({ status_code }) => (status_code === null ? "no answer" : String(status_code)));
  const counted = [...new Set(words)].map((word) => {
    const count = words.filter((other) => other === word).length;
    return count === 1 ? word : `${count} × ${word}`;
  });
  return `${counted.join(", ")}, ${Math.max(...answers.map(({ duration_ms }) => duration_ms))} ms`;
}

/** The sum of the results, in the form that `--json` prints. */
export function summaryOf(results: readonly Result[]) {
  const count = (wanted: Result["verdict"]) => results.filter(({ verdict }) => verdict === wanted).length;
  const failed = count("failed");
  const summary = { passed: count("passed"), failed, noted: count("noted") };
  const cause = commonCause(results);
  const withErrorText = (answer: Answer) => ({ ...answer, error: attemptErrorOf(answer.error).error });
  const cases = results.map((result) => ({ ...result, answers: result.answers.map(withErrorText) }));
  return { passed: failed === 0, summary, hint: cause === null ? null : ENGLISH.hints[cause], cases };
}

/** A hint when all valid deliveries were refused: the receiver probably has another secret. */
export function commonCause(results: readonly Result[]): HintCode | null {
  const valid = results.filter(({ expected }) => expected === RIGHT_ANSWERS.accept);
  const refused = valid.every(({ answers }) => answers.every((answer) => within(answer, 4)));
  if (valid.length < 2 || !refused) return null;
  return "all_refused";
}
