import type { OperationAnswer } from "../../../../api/client/types.js";
import { fill, type Params, piecesOf } from "../../../../base/kernel/message.js";
import { namesOf } from "../../../../base/kernel/names.js";
import type { Verdict } from "../../../../base/kernel/webhook-signature.js";
import { withTimes } from "../../../../checks/why/finding.js";
import { expectationOf, RIGHT_ANSWERS } from "../../../../emulator/receiver-check/right-answers.js";
import { adviceText, ENGLISH } from "../../../../emulator/receiver-check/texts.js";
import { WHY_TEXTS } from "../../../../service/features/why-codes.js";
import { type Language, serviceTextsIn, type Texts, textsIn } from "../texts/index.js";
import { shortTime } from "./time.js";

/**
 * Texts that the service sends in English with their codes (docs/decisions/095-texts-in-files.md), in the language of
 * the reader. A code without a text here is one of a newer service, and stays in English. Pure functions.
 */

interface ServiceText<Code extends string> {
  readonly code: Code;
  readonly params: Params;
  readonly text: string;
}

/** The text by its code, where the table of the reader's language has it. */
export function serviceText<Code extends string>(
  table: Readonly<Record<Code, string>> | undefined,
  { code, params, text }: ServiceText<Code>,
): string {
  const template = table?.[code];
  return template === undefined ? text : fill(template, params);
}

type Attempt = OperationAnswer<"sandbox.deliveries.get">["attempts_log"][number];
export type AttemptFailure = Pick<Attempt, "error" | "error_code" | "error_params">;

/** True if nothing is listening at the address, by the message of the network. */
export const isNobody = ({ error, error_code: code }: Pick<AttemptFailure, "error" | "error_code">) =>
  code === null && error?.includes("ECONNREFUSED") === true;

/** True for the message of a network or a system that keeps its own words, because the page has none for it. */
export const isForeign = (failure: AttemptFailure) => failure.error_code === null && !isNobody(failure);

/** The reason why an attempt failed. Rare texts of a network or a system keep their own words. */
export function attemptError(failure: AttemptFailure, language: Language): string {
  const { error, error_code: code, error_params } = failure;
  const text = error ?? "";
  if (code !== null) {
    return serviceText(serviceTextsIn(language)?.attempt_errors, { code, params: error_params ?? {}, text });
  }
  return isNobody(failure) ? textsIn(language).silence.connection_refused : text;
}

type Silence = Exclude<keyof Texts["silence"], "connection_refused">;

/** The messages of a network, by what happened. */
const SILENCES: readonly (readonly [RegExp, Silence])[] = [
  [/ECONNREFUSED/, "refused"],
  [/^no answer within/, "late"],
  [/ENOTFOUND|EAI_AGAIN/, "no_host"],
  [/certificate|\b(TLS|SSL)\b|CERT_/i, "tls"],
  [/closed|reset/, "cut"],
];

/** Why no answer came, in two words. */
export function silenceOf({ error }: Pick<AttemptFailure, "error">, language: Language): string {
  const kind = SILENCES.find(([pattern]) => pattern.test(error ?? ""))?.[1] ?? "no_answer";
  return textsIn(language).silence[kind];
}

export type WhyAnswer = OperationAnswer<"sandbox.why">;

/** The faults that were planned for a webhook, by their names for people. */
function faultNames({ kinds }: Params, language: Language): unknown {
  const names: Readonly<Record<string, string>> = textsIn(language).chaos_kinds;
  return Array.isArray(kinds) ? kinds.map((kind: unknown) => names[String(kind)] ?? kind) : kinds;
}

/** The reason for an object's present state, in pieces. The instants are in the time zone of the reader. */
export function whyPieces({ sentences }: Pick<WhyAnswer, "sentences">, language: Language) {
  const table = serviceTextsIn(language)?.why ?? WHY_TEXTS;
  const time = (iso: string) => shortTime(Date.parse(iso), language);
  return sentences.flatMap(({ code, params }) => {
    const failure = params as unknown as AttemptFailure;
    const error = failure.error === undefined ? undefined : attemptError(failure, language);
    const pieces = piecesOf(
      `${table[code]} `,
      withTimes({ ...params, error, kinds: faultNames(params, language) }, time),
    );
    // A network error keeps its own words.
    return pieces.map(({ name, text }) => ({ text, isEnglish: name === "error" && isForeign(failure) }));
  });
}

type Due = OperationAnswer<"sandbox.clock.due">["data"][number];

/** The text of due work. */
export function dueText(due: Pick<Due, "code" | "params" | "text">, language: Language): string {
  return serviceText(serviceTextsIn(language)?.due, due);
}

type Problem = OperationAnswer<"sandbox.ledger.check">["problems"][number];

/** The text of a problem in the ledger. */
export function problemText({ code, text, more, ...params }: Problem, language: Language): string {
  if (more !== null) return fill(textsIn(language).more_wallet_problems, { more });
  const given = { code, text, params: { ...params, currency: params.currency ?? "BRL" } };
  return serviceText(serviceTextsIn(language)?.wallet_problems, given);
}

/** The description of a built-in fixture's scenario. */
export function fixtureDescription(name: string, english: string, language: Language): string {
  return serviceText<string>(serviceTextsIn(language)?.scenarios_fixture, { code: name, params: {}, text: english });
}

type Report = OperationAnswer<"sandbox.receivers.test">;

/** The cases of the receiver check before it runs: each with its requests and the right answer; null where two are right. */
export function casesIn(language: Language) {
  const { cases } = serviceTextsIn(language)?.receiver_case ?? ENGLISH;
  // Only after a rotation there is an old secret.
  const usual = namesOf(cases).filter((name) => name !== "old-secret");
  return usual.map((name) => {
    const expects = expectationOf(name);
    return { name, sends: cases[name].sends, right: expects === "either" ? null : RIGHT_ANSWERS[expects] };
  });
}

/** The texts of a case of the receiver check: its requests and its advice. */
export function textsOfCase(one: Report["cases"][number], language: Language) {
  const receiver = serviceTextsIn(language)?.receiver_case;
  if (receiver === undefined) return { sends: one.sends, advice: one.advice };
  const { name, advice_code: code, advice_params: params } = one;
  const advice = code === null ? null : adviceText(receiver, name, { code, params: params ?? {} });
  return { sends: receiver.cases[name].sends, advice };
}

export function hintText({ hint, hint_code: code }: Pick<Report, "hint" | "hint_code">, language: Language) {
  const table = serviceTextsIn(language)?.receiver_case.hints;
  return code === null ? null : serviceText(table, { code, params: {}, text: hint ?? "" });
}

/** The verdict of the signature bench. In English it is that of `qa-pay webhooks verify`. */
export function verdictText({ code, reason, seconds }: Verdict, language: Language): string {
  const table = serviceTextsIn(language)?.receiver_verdicts;
  const said = serviceText(table, { code, params: { seconds }, text: reason });
  return `${textsIn(language).receiver_outcomes[code === "valid" ? "valid" : "refused"]}: ${said}.`;
}
