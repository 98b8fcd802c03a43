import { describe, expect, it } from "vitest";
import { FIXTURES } from "../../../src/api/fixtures/built-in-fixtures.js";
import { ATTEMPT_ERRORS, type AttemptError } from "../../../src/base/kernel/attempt-errors.js";
import { fill, type Params } from "../../../src/base/kernel/message.js";
import { namesOf } from "../../../src/base/kernel/names.js";
import { CASES } from "../../../src/emulator/receiver-check/cases.js";
import { judge } from "../../../src/emulator/receiver-check/judge.js";
import {
  CAUSE_TEXTS,
  DUE_TEXTS,
  FOUND_TEXTS,
  ITEM_TEXTS,
  PROBLEM_TEXTS,
} from "../../../src/service/features/service-texts.js";
import { serviceTextsIn } from "../../../src/web/console/browser/texts/index.js";
import { causeSentence, sentence } from "../../../src/web/console/browser/timeline/wording.js";
import {
  attemptError,
  dueText,
  fixtureDescription,
  hintText,
  isForeign,
  problemText,
  silenceOf,
  textsOfCase,
  whyPieces,
} from "../../../src/web/console/browser/words/service-texts.js";
import { item } from "../../support/timeline-items.js";
import "../../support/console-texts.js";

/** A value for each parameter of a template, by its format. */
const VALUES: Readonly<Record<string, unknown>> = {
  money: 1_990,
  time: "2026-11-22T10:00:00.000Z",
  entries: [{ bucket: "world", amount: -990, currency: "BRL" }],
  list: ["duplicate", "delay_ms"],
};

function paramsOf(template: string): Params {
  const named = [...template.matchAll(/\{(\w+):?(\w*)\}/g)].map(([, name = "", format = ""]) => [
    name,
    VALUES[format] ?? `<${name}>`,
  ]);
  return { currency: "BRL", ...Object.fromEntries(named) };
}

/** Checks that the Portuguese text has what the English one has, but for parameters that it does without. */
function expectSame(template: string, portuguese: string, without: readonly string[] = []): void {
  const marks = fill(template, paramsOf(template)).match(/<\w+>|R\$ [\d,]+|2026\S+ \S+ UTC|world \S+ [\d,]+/g);
  for (const mark of marks ?? []) if (!without.includes(mark)) expect(portuguese).toContain(mark);
  expect(portuguese).not.toContain("—");
  expect(portuguese).not.toMatch(/[{}[\]]|\b(the|with|was|has|not|by)\b/);
}

/** Texts in which the page has a distance or its own time zone in place of an instant in UTC. */
const isLocal = (code: string) => code.startsWith("clock") || code === "transition.create";

describe("the texts of the service in Portuguese", () => {
  it.each(namesOf(ITEM_TEXTS))("say all of %s", (code) => {
    const template = ITEM_TEXTS[code];
    const kind = code.startsWith("attempt") ? "attempt" : "event";
    const data = { error: "<error>", error_code: null, error_params: null };
    const text = sentence({ ...item("a", kind, 0, null, data), code, params: paramsOf(template) }, "pt-BR");
    expectSame(template, text, ["<answer>", ...(isLocal(code) ? ["2026-11-22 10:00:00 UTC"] : [])]);
  });

  it.each(namesOf(CAUSE_TEXTS))("name the cause %s", (code) => {
    const cause = { cause: "", cause_code: code, cause_params: paramsOf(CAUSE_TEXTS[code]) };
    expectSame(CAUSE_TEXTS[code], causeSentence({ ...item("a", "event", 0, null), ...cause }, "pt-BR"));
  });

  it.each(namesOf(DUE_TEXTS))("say that %s is due", (code) => {
    const params = paramsOf(DUE_TEXTS[code]);
    expectSame(DUE_TEXTS[code], dueText({ code, params, text: "" }, "pt-BR"));
  });

  it.each(namesOf(FOUND_TEXTS))("say that a search found %s", (code) => {
    expectSame(FOUND_TEXTS[code], fill(serviceTextsIn("pt-BR")?.found[code] ?? "", paramsOf(FOUND_TEXTS[code])));
  });

  it.each(namesOf(PROBLEM_TEXTS))("say what does not add up: %s", (code) => {
    const template = PROBLEM_TEXTS[code];
    const about = { journal: "<journal>", reference: "<reference>", currency: "BRL", bucket: "<bucket>" };
    const problem = { ...about, code, expected: 1_990, found: 1_990, more: null, text: "" };
    expectSame(template, problemText(problem, "pt-BR"), ["<kind>", "<entry>", "<of>"]);
    expect(problemText({ ...problem, text: "English" }, "en")).toBe("English");
    expect(problemText({ ...problem, more: 7 }, "pt-BR")).toBe("Há mais 7 problemas deste tipo.");
  });

  it.each(namesOf(ATTEMPT_ERRORS))("say why an attempt failed: %s", (code) => {
    const failure = { error: "English", error_code: code, error_params: paramsOf(ATTEMPT_ERRORS[code]) };
    expectSame(ATTEMPT_ERRORS[code], attemptError(failure, "pt-BR"));
    expect(attemptError(failure, "en")).toBe("English");
  });

  it("leave the words of a network as they are, but for a refused connection", () => {
    const of = (error: string) => ({ error, error_code: null, error_params: null });
    expect(attemptError(of("socket hang up"), "pt-BR")).toBe("socket hang up");
    const refused = of("connect ECONNREFUSED 127.0.0.1:9");
    expect([attemptError(refused, "pt-BR"), attemptError(refused, "en")]).toEqual([
      "conexão recusada",
      "connection refused",
    ]);
    expect([isForeign(of("socket hang up")), isForeign(refused)]).toEqual([true, false]);
  });

  it("say in two words why no answer came", () => {
    const said = ["connect ECONNREFUSED 127.0.0.1:9", "no answer within 30 seconds", "getaddrinfo ENOTFOUND a", "odd"];
    expect(said.map((error) => silenceOf({ error }, "en"))).toEqual([
      "refused",
      "timed out",
      "unknown host",
      "no answer",
    ]);
    expect(silenceOf({ error: null }, "pt-BR")).toBe("sem resposta");
  });

  it("name the planned faults of a webhook as the page of faults does", () => {
    const sentences = [{ code: "chaos" as const, params: { kinds: ["corrupt_signature", "unknown_fields", "newer"] } }];
    const text = (language: "en" | "pt-BR") =>
      whyPieces({ sentences }, language)
        .map((piece) => piece.text)
        .join("");
    expect(text("en")).toContain("(wrong signature, undocumented field, newer)");
    expect(text("pt-BR")).toContain("(assinatura errada, campo não documentado, newer)");
  });

  it("leave a code of a newer service in English", () => {
    expect(fixtureDescription("newer", "something new", "pt-BR")).toBe("something new");
  });

  it.each(CASES)("have every advice about $name", (one) => {
    const answer = (status_code: number | null, error: AttemptError | null = null) => ({
      status_code,
      duration_ms: 1,
      error,
    });
    const all = [[200], [400], [500], [307], [429], [200, 401]].map((statuses) => statuses.map((code) => answer(code)));
    const silent = [[answer(null, { code: "late", params: { seconds: 5 } })], [answer(null, "socket hang up")]];
    for (const result of [...all, ...silent].map((answers) => judge(one, answers))) {
      const shown = { ...result, answers: [] };
      const { sends, advice } = textsOfCase(shown, "pt-BR");
      expect(sends).not.toBe(result.sends);
      expect(advice === null).toBe(result.advice === null);
      if (advice !== null) expect(advice).not.toMatch(/[{}[\]—]|\b(the|with|was|has|not|by)\b/);
      expect(textsOfCase(shown, "en")).toEqual({ sends: result.sends, advice: result.advice });
    }
  });

  it("have the hint about a receiver and the fixtures that come along", () => {
    expect(hintText({ hint: "English", hint_code: "all_refused" }, "pt-BR")).toContain("conhece este segredo");
    expect(hintText({ hint: "English", hint_code: "all_refused" }, "en")).toBe("English");
    for (const name of Object.keys(FIXTURES)) expect(fixtureDescription(name, "English", "pt-BR")).not.toBe("English");
  });
});
