import { ATTEMPT_ERRORS, wordingOf } from "../../base/kernel/attempt-errors.js";
import { isJsonObject } from "../../base/kernel/json.js";
import { type Params, textOf } from "../../base/kernel/message.js";
import { isNameOf } from "../../base/kernel/names.js";
import { joinWords, t, Wording, type Words } from "../../base/kernel/wording.js";
import {
  type Sentence,
  type SentenceCode,
  sentence,
  WHY_TEXTS,
  type WhyCode,
} from "../../service/features/why-codes.js";

/** The reason for an object's present state: one cause, its evidence, and the next command. */

export interface Evidence {
  /** When it happened (ISO 8601). */
  readonly at: string;
  readonly text: Words;
}

export interface WhyFinding {
  readonly code: WhyCode;
  /** The cause first, then further sentences about it. */
  readonly sentences: readonly Sentence[];
  /** Oldest first. */
  readonly evidence: readonly Evidence[];
  /** The words of the command to run next; null where nothing is to be done. */
  readonly command: readonly string[] | null;
}

/** A cause without its evidence. */
export type UnprovenFinding = Omit<WhyFinding, "evidence">;

/** A cause in one sentence, which most often has the name of the cause. */
export function findingOf(
  code: WhyCode,
  of: SentenceCode = code as SentenceCode,
  params: Params = {},
  command: WhyFinding["command"] = null,
): UnprovenFinding {
  return { code, sentences: [sentence(of, params)], command };
}

/** The parameters with their instants as a reader wants them. */
export function withTimes(params: Params, time: (iso: string) => string): Params {
  const readable = ([name, value]: [string, unknown]) =>
    [name, typeof value === "string" && name.endsWith("_at") ? time(value) : value] as const;
  return Object.fromEntries(Object.entries(params).map(readable));
}

/** Usual messages of a network, which a language may have too. */
const OF_NETWORKS = [
  t`connection refused (ECONNREFUSED)`,
  t`connection timed out (ETIMEDOUT)`,
  t`the connection was closed before an answer came (ECONNRESET)`,
  t`the host name does not resolve (ENOTFOUND)`,
];

/** The error of a webhook with its code, as a sentence of the service. */
export function errorOf({ error, error_code: code, error_params: params }: Params): Words | null {
  if (typeof code !== "string" || !isNameOf(ATTEMPT_ERRORS, code))
    return typeof error === "string" ? (OF_NETWORKS.find((one) => String(one) === error) ?? error) : null;
  return wordingOf({ code, params: isJsonObject(params) ? params : {} });
}

/** The sentences, which each reader has in their own language. */
export function sentencesWording({ sentences }: Pick<WhyFinding, "sentences">, time: (iso: string) => string): Wording {
  const wordings = sentences.map(
    ({ code, params }) => new Wording(WHY_TEXTS[code], { ...withTimes(params, time), error: errorOf(params) }),
  );
  return joinWords(wordings, " ");
}

/** The sentences in English. */
export function sentencesText({ sentences }: Pick<WhyFinding, "sentences">, time = (iso: string) => iso): string {
  return sentences.map(({ code, params }) => textOf(WHY_TEXTS, { code, params: withTimes(params, time) })).join(" ");
}
