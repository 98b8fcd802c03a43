import type { AdviceCode } from "./advice-codes.js";
import type { TestCase } from "./cases.js";

/** Compares the answers of a receiver with the expected ones. */

export interface Answer {
  /** Null when there was no answer. */
  readonly status_code: number | null;
  readonly duration_ms: number;
  /** The reason why there was no answer; null when there was one. */
  readonly error: string | null;
}

interface Advice {
  readonly advice: string;
  readonly advice_code: AdviceCode;
}

/** The result of one case, in the form that `--json` prints. */
export interface Result {
  readonly name: string;
  readonly sends: string;
  readonly expected: string;
  /** True when the receiver is wrong if this case fails. */
  readonly required: boolean;
  readonly verdict: "passed" | "failed" | "noted";
  readonly answers: readonly Answer[];
  /** For a failed case: what to do. For other cases: a note on the answer, or null. */
  readonly advice: string | null;
  /** Null when there is no advice. */
  readonly advice_code: AdviceCode | null;
}

const EXPECTED = { accept: "2xx", refuse: "4xx", either: "2xx or 4xx" } as const;

const within = (answer: Answer, hundred: number) => Math.floor((answer.status_code ?? 0) / 100) === hundred;

function isRight({ expects }: TestCase, answer: Answer): boolean {
  // A 429 does not tell whether the receiver would accept or refuse the delivery.
  if (answer.status_code === 429) return false;
  return (expects !== "refuse" && within(answer, 2)) || (expects !== "accept" && within(answer, 4));
}

const advise = (code: AdviceCode, advice: string): Advice => ({ advice, advice_code: code });

/** The advice for an answer that was not expected. */
function adviceFor(one: TestCase, { status_code, error }: Answer): Advice {
  if (status_code === null) {
    const late = error?.startsWith("no answer within") ?? false;
    return late
      ? advise(
          "late",
          `There was ${error}: answer first and work afterwards. The service waits 30 seconds and then sends again.`,
        )
      : advise(
          "no_answer",
          `There was no answer (${error}): answer every request, and use a TLS certificate that clients trust.`,
        );
  }
  if (status_code >= 300 && status_code < 400) {
    return advise(
      "redirect",
      `A redirect (${status_code}) is not followed and counts as a failure: register the address it points to.`,
    );
  }
  if (status_code === 429) {
    return advise(
      "rate_limit",
      "The receiver limits the rate (429): the service would wait and send again. Remove the limit for this test.",
    );
  }
  const remedy = one.remedy ?? "Answer 2xx or 4xx.";
  if (status_code < 500) return advise("remedy", remedy);
  return one.expects === "accept"
    ? advise("failed", `The receiver failed (${status_code}). ${remedy}`)
    : advise(
        "failed_to_refuse",
        `The receiver failed (${status_code}) instead of refusing with a 4xx: the service would send again. ${remedy}`,
      );
}

function noteFor({ notes }: TestCase, answers: readonly Answer[]): Advice | null {
  const accepted = answers.filter((answer) => within(answer, 2)).length;
  const all = accepted === answers.length ? "accepted" : "refused";
  const code = notes?.accepted === undefined ? "passed" : all;
  if (notes?.accepted !== undefined && accepted > 0 && accepted < answers.length) {
    return advise("mixed", `${accepted} of ${answers.length} deliveries are accepted`);
  }
  const text = notes?.[code];
  return text === undefined ? null : advise(code, text);
}

export function judge(one: TestCase, answers: readonly Answer[]): Result {
  const wrong = answers.find((answer) => !isRight(one, answer));
  const required = one.expects !== "either";
  const passed = required ? "passed" : "noted";
  return {
    name: one.name,
    sends: one.sends,
    expected: EXPECTED[one.expects],
    required,
    verdict: wrong !== undefined && required ? "failed" : passed,
    answers,
    ...((wrong === undefined ? noteFor(one, answers) : adviceFor(one, wrong)) ?? { advice: null, advice_code: null }),
  };
}

/** A hint when all valid deliveries were refused: the receiver probably has another secret. */
export function commonCause(results: readonly Result[]): string | null {
  const valid = results.filter(({ expected }) => expected === EXPECTED.accept);
  const refused = valid.every(({ answers }) => answers.every((answer) => within(answer, 4)));
  if (valid.length < 2 || !refused) return null;
  return "All valid deliveries were refused. Does the receiver know this secret, and is this its address?";
}
