import type { OperationAnswer } from "../../../../api/client/types.js";
import { fill, type Params, piecesOf } from "../../../../base/kernel/message.js";
import type { Verdict } from "../../../../base/kernel/webhook-signature.js";
import { withTimes } from "../../../../checks/why/finding.js";
import { adviceText } from "../../../../emulator/receiver-check/texts.js";
import { WHY_TEXTS } from "../../../../service/features/why-codes.js";
import { type Language, serviceTextsIn, textsIn } from "../texts/index.js";
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

/** The reason why an attempt failed. Texts of a network or a system keep their own words. */
export function attemptError({ error, error_code: code, error_params }: AttemptFailure, language: Language): string {
  const text = error ?? "";
  if (code === null) return text;
  return serviceText(serviceTextsIn(language)?.attempt_errors, { code, params: error_params ?? {}, text });
}

export type WhyAnswer = OperationAnswer<"sandbox.why">;

/** The reason for an object's present state, in pieces. The instants are in the time zone of the reader. */
export function whyPieces({ sentences }: WhyAnswer, language: Language) {
  const table = serviceTextsIn(language)?.why ?? WHY_TEXTS;
  const time = (iso: string) => shortTime(Date.parse(iso), language);
  return sentences.flatMap(({ code, params }) => {
    const failure = params as unknown as AttemptFailure;
    const error = failure.error === undefined ? undefined : attemptError(failure, language);
    const pieces = piecesOf(`${table[code]} `, withTimes({ ...params, error }, time));
    // A network error keeps its own words.
    return pieces.map(({ name, text }) => ({ text, isEnglish: name === "error" && failure.error_code === null }));
  });
}

type Due = OperationAnswer<"sandbox.clock.due">["data"][number];

/** The text of due work. */
export function dueText(due: Pick<Due, "code" | "params" | "text">, language: Language): string {
  return serviceText(serviceTextsIn(language)?.due, due);
}

type Found = OperationAnswer<"sandbox.search">["data"][number];

/** The text of a search result, with its reason. */
export function foundText({ parts, text }: Pick<Found, "parts" | "text">, language: Language): string {
  const table = serviceTextsIn(language)?.found;
  return table === undefined ? text : parts.map(({ code, params }) => fill(table[code], params)).join(", ");
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
