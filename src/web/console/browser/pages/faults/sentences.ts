import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { namesOf } from "../../../../../base/kernel/names.js";
import { type Language, textsIn } from "../../texts/index.js";
import { exactDuration, percent } from "../../words/numbers.js";

/** Planned faults as sentences: rules for requests, and settings for webhooks. Pure functions. */

export type Rule = OperationAnswer<"sandbox.faults.list">["data"][number];
export type ChaosSettings = OperationAnswer<"sandbox.chaos.get">;
export type ChaosName = keyof ChaosSettings;

/** What a rule is for, as one request and as several: `POST /v1/charges`, `requests to /v1/payments/*`. */
function subjectsOf({ match: { method, path }, probability, remaining, times }: Rule, language: Language) {
  const words = textsIn(language).fault_sentences;
  const [one, many] = method === undefined ? [words.one, words.many] : [words.call_one, words.call_many];
  const params = { one: fill(one, { method, path }), many: fill(many, { method, path }) };
  // A finished rule says what it was for.
  const count = remaining === 0 ? times : remaining;
  const isMany = probability < 1 || (count ?? 1) > 1;
  const share = percent(probability, language);
  if (probability < 1) return { isMany, text: fill(words.share, { ...params, share, count }) };
  if (count === null) return { isMany, text: fill(words.every, params) };
  return { isMany, text: fill(isMany ? words.next_many : words.next_one, { ...params, count }) };
}

/** The effect of a rule, such as `The next 2 POST /v1/charges are answered 503 service_unavailable.` */
export function ruleSentence(rule: Rule, language: Language): string {
  const words = textsIn(language).fault_sentences;
  const { latency_ms: latency, status, code, drop, retry_after: retryAfter } = rule.effect;
  const { isMany, text } = subjectsOf(rule, language);
  const answer = [status, code, retryAfter === undefined ? "" : `(Retry-After: ${retryAfter} s)`]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
  const verbs = isMany ? words.verbs_many : words.verbs_one;
  const effects = [
    ...(latency === undefined ? [] : [fill(verbs.takes, { time: exactDuration(latency, language) })]),
    ...(status === undefined ? [] : [fill(verbs.answered, { answer })]),
    ...(drop === undefined ? [] : [verbs[drop]]),
  ];
  return `${text} ${effects.join(words.and)}.`;
}

/** True if a rule can still hit a request. */
export function isActive({ remaining, probability }: Pick<Rule, "remaining" | "probability">): boolean {
  return remaining !== 0 && probability > 0;
}

export function chaosNames(language: Language): readonly ChaosName[] {
  return namesOf(textsIn(language).chaos_sentences);
}

/** The effect of a setting at a value. */
export function chaosSentence(name: ChaosName, value: number, language: Language): string {
  const share = percent(value, language);
  return fill(textsIn(language).chaos_sentences[name], { share, time: exactDuration(value, language) });
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
