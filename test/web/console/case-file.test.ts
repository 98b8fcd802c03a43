import { describe, expect, test } from "vitest";
import { type CaseInput, caseHtml, caseJson } from "../../../src/web/console/browser/timeline/case-file.js";
import type { Item } from "../../../src/web/console/browser/timeline/model.js";
import { item } from "../../support/timeline-items.js";
import "../../support/console-texts.js";

const HOSTILE = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>";
const TOKEN = "tok3nOfTheCheckout";

const about = (id: string, kind: Item["kind"], text: string, parent: string | null, data: Item["data"]): Item => ({
  ...item(id, kind, 0, parent, data),
  text,
  params: { type: text },
});

const CASE: CaseInput = {
  timeline: {
    subject: "ch_1",
    now: "2026-11-22T10:10:00.000Z",
    frozen: true,
    items: [
      about("request-1", "request", "POST /v1/charges → 201", null, { number: 1, logged: true, apikey: "hush" }),
      about("move-1", "transition", `paid (payer: ${HOSTILE})`, "request-1", { move: "settle", to: "PAID" }),
      about("evt_1", "event", "charge.paid", "move-1", {
        object: { checkout_url: `http://127.0.0.1/checkout/1?k=${TOKEN}`, name: HOSTILE },
      }),
      about("wd_1", "delivery", "charge.paid to http://u:pa55@h/w: FAILED", "evt_1", { url: "http://u:pa55@h/w" }),
      {
        ...about("wd_1#1", "attempt", "attempt 1: 500", "wd_1", {
          request: { url: "http://u:pa55@h/w", headers: { authorization: "hush", "x-a": "b" }, body: HOSTILE },
          response: { status: 500, headers: {}, body: "order 42 not found" },
        }),
        code: "attempt.answered",
        params: { number: 1, ms: 3, status: 500, answer: "order 42 not found", chaos: [] },
      },
    ],
    due: [
      {
        at: item("", "event", 0, null).at,
        kind: "delivery.attempt",
        subject: "ch_1",
        code: "delivery_attempted",
        params: { number: 2, type: "charge.paid", url: "http://h/w" },
        text: "attempt 2 of charge.paid",
      },
    ],
  },
  facts: [["Amount", "R$ 19,90"]],
  account: HOSTILE,
  mode: "test",
  address: "http://127.0.0.1/console/charges/ch_1",
  language: "en",
  objects: [{ title: "As a charge", value: { id: "ch_1", key: "qa_test_33A4TFLDuFhKgV9FFZXh" } }],
};

describe("the case file", () => {
  test("the HTML holds everything that is shown: items, request and answer, what is due, and the object", () => {
    const html = caseHtml(CASE);
    for (const text of [
      "POST /v1/charges → 201",
      "charge.paid",
      "attempt 1: 500 in 3 ms",
      "x-a: b",
      "order 42 not found",
      "attempt 2 of charge.paid",
      "R$ 19,90",
      "As a charge",
      "the clock is frozen",
    ]) {
      expect(html).toContain(text);
    }
  });

  test("a hostile text stays text, and the file may load and run nothing", () => {
    const html = caseHtml(CASE);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<[^>]*\b(?:src|href)=/);
  });

  test.each([
    ["HTML", caseHtml],
    ["JSON", caseJson],
  ])("no secret stands in the %s", (_, make) => {
    const file = make(CASE);
    for (const secret of [TOKEN, "hush", "pa55", "33A4TFLDuFhKgV9FFZXh"]) expect(file).not.toContain(secret);
  });

  test.each([
    ["HTML", caseHtml],
    ["JSON", caseJson],
  ])("no key, token or secret that a client put somewhere stands in the %s", (_, make) => {
    const [key, other] = ["qa_live_-_uAY-iYWYLBlUdz5zAdvh4CAP5RCC4The", "qa_test_-k9S_Vq0pLw-Jx7dTg2nMz"];
    const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg";
    const secret = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    const body = JSON.stringify({ note: `Bearer ${token}`, inner: JSON.stringify({ secret }) });
    const [first, ...others] = CASE.timeline.items;
    if (first === undefined) throw new Error("the timeline is empty");
    const items = [{ ...first, text: `said ${key}`, data: { metadata: { note: other, [key]: 1 }, body } }, ...others];
    const objects = [{ title: "As a charge", value: { description: `order ${key}`, metadata: { body } } }];
    const file = make({ ...CASE, timeline: { ...CASE.timeline, items }, objects });
    for (const hidden of ["iYWYLBlUdz5", "RCC4The", "k9S_Vq0p", "c2lnbmF0", "eyJzdWIi", secret]) {
      expect(file).not.toContain(hidden);
    }
    expect(file).toContain("order …");
  });

  test("the JSON is the timeline as the service sends it, without secrets", () => {
    const { timeline, facts } = JSON.parse(caseJson(CASE)) as { timeline: CaseInput["timeline"]; facts: unknown };
    expect(timeline.items.map(({ id }) => id)).toEqual(CASE.timeline.items.map(({ id }) => id));
    expect(facts).toEqual({ Amount: "R$ 19,90" });
  });

  test("the Portuguese file has Portuguese words", () => {
    const html = caseHtml({ ...CASE, language: "pt-BR" });
    expect(html).toContain('lang="pt-BR"');
    expect(html).toContain("tentativa 1: 500 em 3 ms");
    expect(html).toContain("o relógio está parado");
  });
});
