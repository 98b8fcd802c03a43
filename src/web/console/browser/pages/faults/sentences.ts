import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { namesOf } from "../../../../../base/kernel/names.js";
import { type Language, textsIn } from "../../texts/index.js";
import { duration } from "../../words/time.js";

/** Fault rules and settings of webhook chaos as sentences. Pure functions. */

export type Rule = OperationAnswer<"sandbox.faults.list">["data"][number];
export type ChaosSettings = OperationAnswer<"sandbox.chaos.get">;
export type ChaosName = keyof ChaosSettings;

function percent(probability: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(probability);
}

/** The effect of a rule, such as `Each of the next 2 × POST /v1/charges is answered 503 service_unavailable.` */
export function ruleSentence({ match, effect, probability, remaining }: Rule, language: Language): string {
  const words = textsIn(language).fault_sentences;
  const { method, path = "" } = match;
  const what = method === undefined ? fill(words.any, { path }) : `${method} ${path}`.trim();
  const { latency_ms: latency, status, code, drop, retry_after: retryAfter } = effect;
  const answer = [status, code, retryAfter === undefined ? "" : `(Retry-After: ${retryAfter} s)`];
  const effects = [
    ...(latency === undefined ? [] : [fill(words.waits, { time: duration(latency) })]),
    ...(status === undefined
      ? []
      : [fill(words.answered, { answer: answer.filter((part) => part !== undefined && part !== "").join(" ") })]),
    ...(drop === undefined ? [] : [words[drop]]),
  ];
  const counted = remaining === 0 ? fill(words.used, { what }) : fill(words.next, { count: remaining ?? 0, what });
  const subject = remaining === null ? fill(words.each, { what }) : counted;
  const chance = probability === 1 ? "" : fill(words.chance, { share: percent(probability, language) });
  return `${subject}${chance} ${effects.join(words.and)}.`;
}

/** True if a rule can still hit a request. */
export function isActive({ remaining, probability }: Pick<Rule, "remaining" | "probability">): boolean {
  return remaining !== 0 && probability > 0;
}

export function chaosNames(language: Language): readonly ChaosName[] {
  return namesOf(textsIn(language).chaos_sentences);
}

/** The effect of a setting of webhook chaos at a value. */
export function chaosSentence(name: ChaosName, value: number, language: Language): string {
  return fill(textsIn(language).chaos_sentences[name], { share: percent(value, language), time: duration(value) });
}

/** True if a message reports that a rule was changed or took effect. */
export function changesRules({ kind, data }: { kind: string; data: Readonly<Record<string, unknown>> }): boolean {
  return kind === "fault" || (kind === "request" && typeof data.fault === "string");
}

/** The number of active rules and chaos settings. */
export function countOn(rules: readonly Rule[], chaos: ChaosSettings | null): { rules: number; chaos: number } {
  const settings = chaos === null ? [] : Object.values(chaos);
  return { rules: rules.filter(isActive).length, chaos: settings.filter((value) => value > 0).length };
}
