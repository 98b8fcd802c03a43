import { stripVTControlCharacters } from "node:util";
import { MINUTE } from "../../../base/kernel/duration.js";
import { formatCount } from "../../../base/kernel/format-count.js";
import { escapeHtml } from "../../../base/kernel/html.js";
import { withoutSecrets } from "../../../base/kernel/secrets.js";
import { iso } from "../../../base/kernel/time.js";
import { filePage } from "../../../base/pages/page.js";
import { answersText, commonCause, type Result } from "../../../emulator/receiver-check/judge.js";
import { ENGLISH } from "../../../emulator/receiver-check/texts.js";
import { lastLines } from "../../shop/output-lines.js";
import { FAULT_NAMES, FAULTS, type FaultName, ORACLE_NAMES, ORACLES } from "../faults.js";
import type { RunSchedule, ShortenedFailure, Survival } from "../run-schedules.js";
import { scoreOf } from "../score.js";
import STYLE from "./report.css?raw";

/** The report of `survive`: one page in a file, without script, that loads nothing. */

export interface ReportFacts {
  readonly survival: Survival;
  /** The command as it was typed. */
  readonly command: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly schedules: readonly RunSchedule[];
  /** The answers of the shop's receiver; a text says why there are none. */
  readonly receiver: readonly Result[] | string;
  readonly versions: Readonly<Record<string, string>>;
  /** Secrets of the run. They stand nowhere in the report. */
  readonly secrets: readonly string[];
}

/** Turns any text into HTML. Texts of the shop may be hostile, and may hold a secret of the run. */
type Shown = (text: string | number) => string;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

function htmlWriter(secrets: readonly string[]): Shown {
  const hidden = secrets.filter((secret) => secret !== "");
  return (value) => {
    const plain = stripVTControlCharacters(String(value)).replace(/\r\n/g, "\n").replace(STEERING, "\ufffd");
    const known = hidden.reduce((text, secret) => text.replaceAll(secret, "…"), plain);
    return escapeHtml(withoutSecrets(known));
  };
}

type Cell = string | { readonly html: string; readonly kind: "good" | "bad" | "number" };

const GOOD: Cell = { html: "survived", kind: "good" };
const number = (value: number): Cell => ({ html: String(value), kind: "number" });
const bad = (html: string): Cell => ({ html, kind: "bad" });

/** A table that scrolls by itself where it is wider than the screen. `about` is its name for screen readers. */
function table(about: string, heads: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const cell = (name: string, extra: string) => (one: Cell) =>
    typeof one === "string"
      ? `<${name}${extra}>${one}</${name}>`
      : `<${name}${extra} class="${one.kind}">${one.html}</${name}>`;
  const body = rows.map((row) => `<tr>${row.map(cell("td", "")).join("")}</tr>`);
  return `<div class="wide" tabindex="0" role="region" aria-label="${about}"><table>
<thead><tr>${heads.map(cell("th", ' scope="col"')).join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody></table></div>`;
}

const list = (items: readonly string[], tag = "ul") =>
  `<${tag}>${items.map((item) => `<li>${item}</li>`).join("\n")}</${tag}>`;
const pre = (html: string) => `<pre tabindex="0"><code>${html}</code></pre>`;
const code = (html: string) => `<code>${html}</code>`;
const head = (html: string): Cell => ({ html, kind: "number" });

function took(ms: number): string {
  return ms < 10_000
    ? `${(ms / 1_000).toFixed(1)} s`
    : `${Math.floor(ms / MINUTE)} min ${Math.round(ms / 1_000) % 60} s`;
}

function verdict({ survival, startedAt, durationMs, command }: ReportFacts, h: Shown): string {
  const { seed, schedules: all, survived: well, failed, isStopped, trouble } = survival;
  const { tried, survived } = scoreOf(survival.faults);
  const facts = {
    Seed: code(h(seed)),
    Begun: h(iso(startedAt)),
    Duration: took(durationMs),
    Command: code(h(command)),
  };
  const stopped = isStopped ? "It was stopped before its end." : "";
  const early = trouble === null ? stopped : `It ended early: ${h(trouble.message)}`;
  const pairs = Object.entries(facts).map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`);
  return `<div class="verdict ${failed === 0 && all > 0 && trouble === null ? "good" : "bad"}"><h1>${survived} of ${formatCount(tried, "fault")} survived</h1>
<p>${well} of ${formatCount(all, "schedule")} went well, ${failed} failed. ${early}</p></div>
<dl>${pairs.join("\n")}</dl>`;
}

const survivedCell = (shown: number): Cell => (shown === 0 ? "could not show" : GOOD);

function faults({ survival }: ReportFacts, h: Shown): string {
  const rows = scoreOf(survival.faults).met.map(({ name, schedules: met, could_show: shown, failed }) => [
    failed > 0 ? bad("failed") : survivedCell(shown),
    code(name),
    number(met),
    number(shown),
    number(failed),
    h(FAULTS[name]),
  ]);
  return `<h2>Faults</h2>
${table("Faults", ["Verdict", "Fault", head("Schedules"), head("Could show"), head("Failed"), "What happens"], rows)}`;
}

function oracleTable({ survival: { failures: all } }: ReportFacts, h: Shown): string {
  const rows = ORACLE_NAMES.map((name) => [
    all.some(({ oracle }) => oracle === name) ? bad("failed") : { html: "true", kind: "good" as const },
    code(name),
    h(ORACLES[name]),
  ]);
  return `<h2>What must be true after each schedule</h2>
${table("What must be true", ["Verdict", "Name", "What"], rows)}`;
}

/** The words about how a failure was found, and how often it came back. */
function circumstances({ stepsBefore, steps, others, again: { failed, of } }: ShortenedFailure): string {
  const sentences = [
    stepsBefore > steps.length ? `Shortened from ${stepsBefore} steps.` : "",
    of > 0 && failed === of ? `It failed again in ${failed} of ${of} runs.` : "",
    others > 0 ? `${formatCount(others, "other schedule")} failed like this.` : "",
  ];
  return sentences.filter((one) => one !== "").join(" ");
}

function failure(found: ShortenedFailure, h: Shown): string {
  const timeline = found.timeline.map(({ at, text }) => [h(at), h(text)]);
  const said = lastLines(found.said, SHOWN_LINES).join("\n").trim();
  return `<article><h3>${code(h(found.oracle))} in schedule ${found.schedule}</h3>
<p>${h(found.text)}</p>
<h4>Steps</h4>
${list(found.steps.map(h), "ol")}
<p class="soft">${circumstances(found)}</p>
<h4>Run it alone</h4>
${pre(h(found.command))}
<p>${found.charge === null ? "" : HOW_TO_KEEP}</p>
<h4>What happened</h4>
${timeline.length === 0 ? "<p>Nothing.</p>" : table(`What happened in schedule ${found.schedule}`, ["At", "What"], timeline)}
<h4>What the shop said</h4>
${said === "" ? "<p>Nothing.</p>" : pre(h(said))}
</article>`;
}

/** The output of the shop, as far as it is kept. */
const SHOWN_LINES = 200;
const HOW_TO_KEEP =
  "With <code>--save failure.json</code> it also keeps the charge and its webhooks. " +
  "<code>qa-pay incident test failure.json</code> then writes a test that sends them.";

function failures({ survival: { failures: all } }: ReportFacts, h: Shown): string {
  return `<h2>Failures</h2>
${all.length === 0 ? "<p>No schedule failed.</p>" : all.map((one) => failure(one, h)).join("\n")}`;
}

function receiver({ receiver: results }: ReportFacts, h: Shown): string {
  if (typeof results === "string") return `<h2>The receiver</h2>\n<p>${h(results)}</p>`;
  const required = results.filter((one) => one.required);
  const failed = required.filter((one) => one.verdict === "failed").length;
  const cause = commonCause(results);
  const rows = results.map((one) => [
    one.verdict === "failed" ? bad("failed") : { html: one.verdict, kind: "good" as const },
    code(one.name),
    h(one.expected),
    h(answersText(one)),
    h(one.sends),
  ]);
  const advice = results.filter((one) => one.advice !== null).map((one) => `${code(one.name)}: ${h(one.advice ?? "")}`);
  return `<h2>The receiver</h2>
<p>${required.length - failed} of ${required.length} cases of <code>qa-pay webhooks test</code> were answered correctly. The cases use one order that was bought for them, and do not count in the verdict above.</p>
${cause === null ? "" : `<p class="bad">${h(ENGLISH.hints[cause])}</p>`}
${table("The receiver's cases", ["Verdict", "Case", "Expected", "Got", "Sent"], rows)}
${advice.length === 0 ? "" : list(advice)}`;
}

function schedules({ schedules: all }: ReportFacts, h: Shown): string {
  const rows = all.map(({ schedule, faults: names, oracles }) => [
    number(schedule),
    oracles.length === 0 ? GOOD : bad(oracles.map(h).join(", ")),
    names.length === 0 ? "none" : names.map((name) => code(h(name))).join(" "),
  ]);
  return `<h2>Schedules</h2>
<details><summary>${formatCount(all.length, "schedule")} and the faults of each</summary>
${table("Schedules", [head("Schedule"), "Verdict", "Faults"], rows)}
</details>`;
}

/** The mistakes that no run can find. */
const NEVER_SEEN = [
  "What the shop does besides its orders, such as its stock, its invoices and what it writes to customers.",
  "Many customers at once, and several processes of the shop side by side.",
];

function unseenMistakes({ survival }: ReportFacts, h: Shown): string {
  const names = (all: readonly FaultName[]) => all.map((name) => code(name)).join(", ");
  const leftOut = FAULT_NAMES.filter((name) => survival.faults[name] === undefined);
  const never = FAULT_NAMES.filter((name) => survival.faults[name]?.schedules === 0);
  return `<h2>What was not tested</h2>
${list([
  leftOut.length === 0 ? "No fault was left out." : `Left out by the flags: ${names(leftOut)}.`,
  ...(never.length === 0 ? [] : [`Requested, but in none of these schedules: ${names(never)}.`]),
  ...[...survival.unseen, ...NEVER_SEEN].map(h),
])}`;
}

export function reportHtml(facts: ReportFacts): string {
  const h = htmlWriter(facts.secrets);
  const versions = Object.entries(facts.versions).map(([name, version]) => [h(name), h(version)]);
  const parts = [verdict, faults, failures, oracleTable, receiver, schedules, unseenMistakes].map((part) =>
    part(facts, h),
  );
  const content = [...parts, `<h2>Versions</h2>\n${table("Versions", ["Of", "Version"], versions)}`].join("\n");
  return filePage({ language: "en", title: "qa-pay survive", menu: null, content }, STYLE);
}
