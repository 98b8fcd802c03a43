import { describe, expect, test } from "vitest";
import { type CaseInput, caseHtml, caseJson, withoutSecrets } from "../../src/console/browser/timeline/case-file.js";
import type { Item } from "../../src/console/browser/timeline/model.js";

const AT = "2026-11-22T10:00:00.000Z";
const HOSTILE = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>";
const TOKEN = "tok3nOfTheCheckout";

const about = (id: string, kind: Item["kind"], text: string, parent: string | null, data: Item["data"]): Item => ({
  ...{ id, kind, text, parent, data },
  ...{ at: AT, cause: "a client" },
});

const CASE: CaseInput = {
  story: {
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
      about("wd_1#1", "attempt", "attempt 1: 500", "wd_1", {
        number: 1,
        duration_ms: 3,
        request: { url: "http://u:pa55@h/w", headers: { authorization: "hush", "x-a": "b" }, body: HOSTILE },
        response: { status: 500, headers: {}, body: "order 42 not found" },
      }),
    ],
    due: [{ at: AT, kind: "delivery.attempt", subject: "ch_1", text: "attempt 2 of charge.paid" }],
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
      "the clock stands still",
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

  test("the JSON is the timeline as the service tells it, apart from secrets", () => {
    const { timeline, facts } = JSON.parse(caseJson(CASE)) as { timeline: CaseInput["story"]; facts: unknown };
    expect(timeline.items.map(({ id }) => id)).toEqual(CASE.story.items.map(({ id }) => id));
    expect(facts).toEqual({ Amount: "R$ 19,90" });
  });

  test("the Portuguese file has Portuguese words", () => {
    const html = caseHtml({ ...CASE, language: "pt-BR" });
    expect(html).toContain('lang="pt-BR"');
    expect(html).toContain("tentativa 1: 500 em 3 ms");
    expect(html).toContain("o relógio está parado");
  });
});

describe("values without secrets", () => {
  test("what is no secret stays as it is", () => {
    const value = {
      list: [1, null, true, "a?b=c"],
      url: "http://127.0.0.1:3000/webhooks?order=1",
      "idempotency-key": "x",
    };
    expect(withoutSecrets(value)).toEqual(value);
  });

  test.each(["apikey", "api-key", "Authorization", "signing_secret", "Set-Cookie", "access_token", "password"])(
    "the member %s is hidden",
    (name) => {
      expect(withoutSecrets({ [name]: "hush" })).toEqual({ [name]: "…" });
    },
  );
});
