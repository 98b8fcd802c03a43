import type { OperationAnswer } from "../../../../client/types.js";
import { type Language, perLanguage } from "../../words/per-language.js";
import { duration } from "../../words/time.js";

/** Fault rules and settings of webhook chaos as sentences. Pure functions. */

export type Rule = OperationAnswer<"sandbox.faults.list">["data"][number];
export type ChaosSettings = OperationAnswer<"sandbox.chaos.get">;
export type ChaosName = keyof ChaosSettings;

function percent(probability: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(probability);
}

const ruleWords = perLanguage(
  {
    any: (path: string) => (path === "" ? "request" : `request to ${path}`),
    each: (what: string) => `Each ${what}`,
    next: (count: number, what: string) => (count === 1 ? `The next ${what}` : `Each of the next ${count} × ${what}`),
    used: (what: string) => `Used up: a ${what}`,
    chance: (share: string) => `, with a probability of ${share},`,
    waits: (time: string) => `waits ${time}`,
    answered: (answer: string) => `is answered ${answer}`,
    before: "loses its connection before it is carried out",
    after: "is carried out, and its answer is lost",
    and: " and ",
  },
  {
    any: (path: string) => (path === "" ? "requisição" : `requisição a ${path}`),
    each: (what: string) => `Cada ${what}`,
    next: (count: number, what: string) =>
      count === 1 ? `O próximo ${what}` : `Cada um dos próximos ${count} × ${what}`,
    used: (what: string) => `Já usada: ${what}`,
    chance: (share: string) => `, com probabilidade de ${share},`,
    waits: (time: string) => `espera ${time}`,
    answered: (answer: string) => `recebe ${answer}`,
    before: "perde a conexão antes de ser executado",
    after: "é executado, e a resposta se perde",
    and: " e ",
  },
);

/** What a rule does, such as `Each of the next 2 × POST /v1/charges is answered 503 service_unavailable.` */
export function ruleSentence({ match, effect, probability, remaining }: Rule, language: Language): string {
  const words = ruleWords(language);
  const { method, path = "" } = match;
  const what = method === undefined ? words.any(path) : `${method} ${path}`.trim();
  const { latency_ms: latency, status, code, drop, retry_after: retryAfter } = effect;
  const answer = [status, code, retryAfter === undefined ? "" : `(Retry-After: ${retryAfter} s)`];
  const effects = [
    ...(latency === undefined ? [] : [words.waits(duration(latency))]),
    ...(status === undefined
      ? []
      : [words.answered(answer.filter((part) => part !== undefined && part !== "").join(" "))]),
    ...(drop === undefined ? [] : [words[drop]]),
  ];
  const counted = remaining === 0 ? words.used(what) : words.next(remaining ?? 0, what);
  const subject = remaining === null ? words.each(what) : counted;
  const chance = probability === 1 ? "" : words.chance(percent(probability, language));
  return `${subject}${chance} ${effects.join(words.and)}.`;
}

/** Whether a rule can still hit a request. */
export function isActive({ remaining, probability }: Pick<Rule, "remaining" | "probability">): boolean {
  return remaining !== 0 && probability > 0;
}

type Sentence = (share: string, time: string) => string;

const chaosSentences = perLanguage<Readonly<Record<ChaosName, Sentence>>>(
  {
    duplicate: (share) => `${share} of the delivered webhooks are sent once more.`,
    reorder: (share) => `${share} of the webhooks are held back, so that a later one overtakes them.`,
    delay_ms: (_share, time) => `Each webhook leaves ${time} of emulated time late.`,
    corrupt_signature: (share) => `${share} of the sendings have a wrong signature.`,
    stale_timestamp: (share) => `${share} of the sendings have a timestamp that is eleven minutes old.`,
    lose_med: (share) => `${share} of the events of MED cases are never published.`,
  },
  {
    duplicate: (share) => `${share} dos webhooks entregues são enviados mais uma vez.`,
    reorder: (share) => `${share} dos webhooks são retidos, para que um posterior passe à frente.`,
    delay_ms: (_share, time) => `Cada webhook sai com ${time} de tempo emulado de atraso.`,
    corrupt_signature: (share) => `${share} dos envios têm assinatura errada.`,
    stale_timestamp: (share) => `${share} dos envios têm um timestamp de onze minutos atrás.`,
    lose_med: (share) => `${share} dos eventos de casos MED nunca são publicados.`,
  },
);

export function chaosNames(language: Language): readonly ChaosName[] {
  return Object.keys(chaosSentences(language)) as ChaosName[];
}

/** What a setting of webhook chaos does at a value. */
export function chaosSentence(name: ChaosName, value: number, language: Language): string {
  return chaosSentences(language)[name](percent(value, language), duration(value));
}

/** Whether a message tells of a rule that was changed or took effect. */
export function changesRules({ kind, data }: { kind: string; data: Readonly<Record<string, unknown>> }): boolean {
  return kind === "fault" || (kind === "request" && typeof data.fault === "string");
}

/** How much is wrong on purpose now. */
export function countOn(rules: readonly Rule[], chaos: ChaosSettings | null): { rules: number; chaos: number } {
  const settings = chaos === null ? [] : Object.values(chaos);
  return { rules: rules.filter(isActive).length, chaos: settings.filter((value) => value > 0).length };
}
