import { expect, it } from "vitest";
import { reportHtml } from "../../../src/checks/survive/report/report-html.js";
import { FACTS, KEY, SECRET } from "./report-facts.js";

/** The report of `survive`: what stands in it, and what of a shop does not. */

const html = reportHtml(FACTS);
/** The text of the page, with its entities. */
const text = html
  .replace(/<style>[\s\S]*?<\/style>/, "")
  .replace(/<[^>]+>/g, " ")
  .replace(/\s+/g, " ");

it("begins with the verdict, and describes the run", () => {
  expect(html.indexOf("1 of 2 faults survived")).toBeLessThan(html.indexOf("<h2>"));
  for (const part of [
    "97 of 100 schedules went well, 3 failed.",
    "winter-&lt;b&gt;",
    "2026-11-26T12:00:00.000Z",
    "1 min 23 s",
    "failed duplicate 41 40 3 a webhook comes more than once",
    "survived lost_until_retry 12 12 0 the first attempts of a webhook are lost",
    "fulfilled_twice in schedule 17",
    "Shortened from 7 steps. It failed again in 3 of 3 runs. 2 other schedules failed like this.",
    "failed fulfilled_twice no order was delivered twice",
    "true charged_twice no order can be paid twice",
    "The payer pays.",
    "--seed winter --only 17 -- node shop.js",
    "charge created",
    "at ship (shop.js:12)",
    "17 fulfilled_twice duplicate lost_until_retry",
    "Left out by the flags: late , reordered ,",
    "Requested, but in none of these schedules: forged .",
    "no column fulfilled",
    "Node v22.0.0",
  ])
    expect(text).toContain(part);
});

it("shows the receiver's answers, each wrong one with what to do", () => {
  expect(text).toMatch(/\d+ of \d+ cases of qa-pay webhooks test were answered correctly/);
  expect(text).toMatch(/failed wrong-secret 4xx 200, 3 ms signed with another secret/);
  expect(reportHtml({ ...FACTS, receiver: "Nobody answers at <there>." })).toContain(
    "Nobody answers at &lt;there&gt;.",
  );
});

it("says when the run ended early, and does not praise a run of nothing", () => {
  const changed = (change: Partial<typeof FACTS.survival>) =>
    reportHtml({ ...FACTS, survival: { ...FACTS.survival, ...change } });
  expect(changed({ isStopped: true })).toContain("It was stopped before its end.");
  expect(changed({ trouble: new Error("The shop <b> is gone.") })).toContain(
    "It ended early: The shop &lt;b&gt; is gone.",
  );
  const nothing = { ...FACTS.survival, schedules: 0, survived: 0, failed: 0, faults: {}, failures: [] };
  expect(reportHtml({ ...FACTS, survival: nothing })).toContain('<div class="verdict bad"><h1>0 of 0 faults survived');
});

it("has nothing of the shop but text, and no secret", () => {
  expect(html).not.toMatch(/<script|\son\w+=|javascript:|<img|<link|src=/i);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  for (const secret of [SECRET, KEY, "hunter2"]) expect(html).not.toContain(secret);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(html).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
});

it("loads nothing, and its policy allows its one style alone", () => {
  expect(html.match(/<style>/g)).toHaveLength(1);
  expect(html).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
});
