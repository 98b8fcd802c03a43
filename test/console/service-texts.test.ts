import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TimeOver } from "../../src/client/exchange.js";
import { caseTexts, textsOfCase } from "../../src/console/browser/pages/receiver/case-texts.js";
import { fixtureWords } from "../../src/console/browser/pages/scenarios/fixture-texts.js";
import { problemText } from "../../src/console/browser/pages/wallets/problem-texts.js";
import { journalWords } from "../../src/console/browser/timeline/wording.js";
import { attemptError } from "../../src/console/browser/words/attempt-errors.js";
import { dueText } from "../../src/console/browser/words/due-texts.js";
import { foundText } from "../../src/console/browser/words/found-texts.js";
import { FIXTURES } from "../../src/fixtures/built-in-fixtures.js";
import { WORK_KINDS } from "../../src/jobs/due-work.js";
import { ADVICE_CODES } from "../../src/receiver-check/advice-codes.js";
import { CASES, type TestCase } from "../../src/receiver-check/cases.js";
import { judge, type Result } from "../../src/receiver-check/judge.js";

const source = (path: string) => readFileSync(new URL(`../../src/${path}`, import.meta.url), "utf8");

/** Every sentence that the service writes about due work, as its source has it. */
const DUE_SENTENCES = [...source("jobs/handlers.ts").matchAll(/"((?:charge|refund|payer's|acquirer) [^"]+)"/g)].map(
  ([, text = ""]) => text,
);

const isEnglish = (text: string) => /\b(the|is|are|and|of|with|was|has|not|by)\b/.test(text);

const CODE_OF_STATUS = { 400: "remedy", 500: "failed", 307: "redirect", 429: "rate_limit" } as const;

describe("texts of the service in Portuguese", () => {
  const texts = caseTexts("pt-BR");
  /** The results of a case for every kind of answers that it can get. */
  const resultsOf = (one: TestCase): Result[] => {
    const answer = (status_code: number | null, error: string | null = null) => ({
      status_code,
      duration_ms: 1,
      error,
    });
    const statuses = [200, ...Object.keys(CODE_OF_STATUS).map(Number)];
    const silent = [answer(null, "no answer within 5 seconds"), answer(null, "socket hang up")];
    return [
      ...statuses.map((status) => judge(one, [answer(status), answer(status)])),
      ...silent.map((none) => judge(one, [none])),
      judge(one, [answer(200), answer(401)]),
    ];
  };

  it("has every case of the check of a receiver, and every advice of it", () => {
    const codes = new Set<string>();
    for (const one of CASES) {
      for (const result of resultsOf(one)) {
        const { sends, advice } = textsOfCase(texts, { ...result, answers: [...result.answers] });
        expect([sends.lang, isEnglish(sends.text)], one.name).toEqual([undefined, false]);
        expect(advice.text === null, one.name).toBe(result.advice === null);
        if (result.advice_code === null) continue;
        codes.add(result.advice_code);
        expect([advice.lang, isEnglish(advice.text ?? "")], `${one.name} ${result.advice_code}`).toEqual([
          undefined,
          false,
        ]);
        expect(advice.text).not.toBe(result.advice);
      }
    }
    expect([...codes].sort()).toEqual([...ADVICE_CODES].sort());
    expect(Object.keys(texts?.of ?? {}).sort()).toEqual(CASES.map(({ name }) => name).sort());
  });

  it("leaves a case of a newer server in English, and marks it", () => {
    const result = judge({ name: "newer", sends: "something new", expects: "accept", deliveries: () => [] }, []);
    const told = textsOfCase(texts, { ...result, advice: "Do this.", advice_code: "remedy", answers: [] });
    expect(told.sends).toEqual({ text: "something new", lang: "en" });
    expect(told.advice).toEqual({ text: "Do this.", lang: "en" });
    expect(textsOfCase(caseTexts("en"), { ...result, answers: [] }).sends.text).toBe("something new");
  });

  it("says why an attempt failed where the service says it, and leaves the words of a network", () => {
    expect(attemptError("the endpoint answered 500", "pt-BR")).toBe("o endpoint respondeu 500");
    expect(attemptError(new TimeOver(30_000).message, "pt-BR")).toBe("nenhuma resposta em 30 segundos");
    expect(attemptError(new TimeOver(1_000).message, "pt-BR")).toBe("nenhuma resposta em 1 segundo");
    expect(attemptError(new TimeOver(1_000).message, "en")).toBe("no answer within 1 second");
    expect(attemptError("connect ECONNREFUSED 127.0.0.1:9", "pt-BR")).toBeNull();
  });

  it("has every sentence about due work", () => {
    expect(DUE_SENTENCES.length).toBeGreaterThan(8);
    for (const text of DUE_SENTENCES) {
      const told = WORK_KINDS.map((kind) => dueText({ kind, text }, "pt-BR"));
      const unknown = WORK_KINDS.map((kind) => dueText({ kind, text: "something new" }, "pt-BR"));
      expect(told.filter((one, index) => one !== unknown[index])).toHaveLength(1);
      expect(told.filter(isEnglish)).toEqual([]);
      expect(dueText({ kind: "transaction.pay", text }, "en")).toBe(text);
    }
  });

  it("keeps the amounts, the numbers and the addresses in a sentence about due work", () => {
    expect(dueText({ kind: "wallet.release", text: "R$ 19,60 of the charge becomes available" }, "pt-BR")).toBe(
      "R$ 19,60 da cobrança fica disponível",
    );
    const attempt = { kind: "delivery.attempt", text: "attempt 2 of charge.paid to http://127.0.0.1:3000/to" } as const;
    expect(dueText(attempt, "pt-BR")).toBe("tentativa 2 de charge.paid para http://127.0.0.1:3000/to");
  });

  it("names the kind of due work whose sentence it does not know", () => {
    expect(dueText({ kind: "med.open", text: "a sentence of a newer server" }, "pt-BR")).toBe(
      "abertura de um caso MED",
    );
  });

  it("has every kind of journal", () => {
    const actions = source("features/wallets/actions.ts");
    const plain = [...actions.matchAll(/post\(tx, [^"`]*"(\w+)"/g)].map(([, kind = ""]) => kind);
    const made = [...actions.matchAll(/`\$\{outflow\.kind\}(_\w+)`/g)].map(([, kind = ""]) => kind);
    const kinds = [...plain, ...made.flatMap((kind) => [`refund${kind}`, `payout${kind}`])];
    expect(kinds.sort()).toEqual(Object.keys(journalWords("pt-BR")).sort());
  });

  it("has every script that comes with the product", () => {
    const words = fixtureWords("pt-BR");
    expect(Object.keys(words).sort()).toEqual(Object.keys(FIXTURES).sort());
    for (const text of Object.values(words)) expect(isEnglish(text)).toBe(false);
  });

  it("says what does not add up by its code, with its amounts", () => {
    const problem = {
      ...{ code: "balance_differs" as const, journal: null, reference: null, currency: "BRL", bucket: "available" },
      ...{ expected: 1_990, found: 100, text: "The balance of available is R$ 1,00; its entries sum to R$ 19,90." },
    };
    expect(problemText(problem, "pt-BR")).toBe("O saldo de available é R$ 1,00; as partidas somam R$ 19,90.");
    expect(problemText(problem, "en")).toBe(problem.text);
    const rest = { ...problem, expected: null, found: null, text: "There are 7 more problems of this kind." };
    expect(problemText(rest, "pt-BR")).toBe("Há mais 7 problemas deste tipo.");
  });

  it("says what a search finds, and leaves names as they are", () => {
    const found = { kind: "charge", text: "charge of R$ 19,90, paid, payer Maria of the Sea" } as const;
    expect(foundText(found, "pt-BR")).toBe("cobrança de R$ 19,90, paid, pagador Maria of the Sea");
    expect(foundText(found, "en")).toBe(found.text);
    const why = { kind: "refund", text: "refund of R$ 1,00, REFUNDED, sent by this Pix" } as const;
    expect(foundText(why, "pt-BR")).toBe("devolução de R$ 1,00, REFUNDED, enviada por este Pix");
  });

  it("has every reason for which the search finds something", () => {
    const reasons = [...source("sandbox/search/search.ts").matchAll(/"((?:\w+ )+(?:Pix|txid|document|expected))"/g)];
    expect(reasons.length).toBeGreaterThan(6);
    for (const [, reason = ""] of reasons) {
      expect(foundText({ kind: "charge", text: `charge of R$ 1,00, paid, ${reason}` }, "pt-BR")).not.toContain(reason);
    }
  });
});
