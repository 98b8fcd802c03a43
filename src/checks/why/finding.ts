import { type Params, textOf } from "../../base/kernel/message.js";
import {
  type Sentence,
  type SentenceCode,
  sentence,
  WHY_TEXTS,
  type WhyCode,
} from "../../service/features/why-codes.js";

/** Why an object is in its present state: one cause, what shows it, and what to run next. */

export interface Evidence {
  /** When it happened (ISO 8601). */
  readonly at: string;
  readonly text: string;
}

export interface Finding {
  readonly code: WhyCode;
  /** The cause first, then what else there is to say of it. */
  readonly sentences: readonly Sentence[];
  /** Oldest first. */
  readonly evidence: readonly Evidence[];
  /** The words of the command to run next; null where nothing is to be done. */
  readonly command: readonly string[] | null;
}

/** A cause, and not yet what shows it. */
export type UnprovenFinding = Omit<Finding, "evidence">;

/** A cause in one sentence, which most often has the name of the cause. */
export function findingOf(
  code: WhyCode,
  of: SentenceCode = code as SentenceCode,
  params: Params = {},
  command: Finding["command"] = null,
): UnprovenFinding {
  return { code, sentences: [sentence(of, params)], command };
}

/** The parameters with their instants as a reader wants them. */
export function withTimes(params: Params, time: (iso: string) => string): Params {
  const readable = ([name, value]: [string, unknown]) =>
    [name, typeof value === "string" && name.endsWith("_at") ? time(value) : value] as const;
  return Object.fromEntries(Object.entries(params).map(readable));
}

/** The sentences in English. */
export function sentencesText({ sentences }: Pick<Finding, "sentences">, time = (iso: string) => iso): string {
  return sentences.map(({ code, params }) => textOf(WHY_TEXTS, { code, params: withTimes(params, time) })).join(" ");
}
