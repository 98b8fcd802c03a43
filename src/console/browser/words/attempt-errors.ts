import { type Language, perLanguage } from "./per-language.js";

/** Why an attempt failed, where the service itself says it. What a network or a system says stays in its own words. */
const wordsIn = perLanguage(
  {
    answered: (status: string) => `the endpoint answered ${status}`,
    late: (seconds: string) => `no answer within ${seconds} ${seconds === "1" ? "second" : "seconds"}`,
    given_up: "the attempt was given up",
  },
  {
    answered: (status: string) => `o endpoint respondeu ${status}`,
    late: (seconds: string) => `nenhuma resposta em ${seconds} ${seconds === "1" ? "segundo" : "segundos"}`,
    given_up: "a tentativa foi abandonada",
  },
);

/** Null for a text that is not the service's own. */
export function attemptError(text: string, language: Language): string | null {
  const words = wordsIn(language);
  const [, status] = /^the endpoint answered (\d+)$/.exec(text) ?? [];
  if (status !== undefined) return words.answered(status);
  const [, seconds] = /^no answer within ([\d.]+) seconds?$/.exec(text) ?? [];
  if (seconds !== undefined) return words.late(seconds);
  return text === "the attempt was given up" ? words.given_up : null;
}
