import { escapeHtml } from "../../../../base/kernel/html.js";
import { withoutSecrets } from "../../../../base/kernel/secrets.js";
import { type Language, textsIn } from "../texts/index.js";
import { dueText } from "../words/service-texts.js";
import { duration } from "../words/time.js";
import { type Branch, type Item, type Row, rowsOf, type TimelineAnswer } from "./model.js";
import { causeSentence, exchangeOf, exchangeText, sentence } from "./wording.js";

/** The timeline of an object as one file for a ticket: it needs no network and no script, and holds no secrets. Pure. */

export interface CaseInput {
  readonly timeline: TimelineAnswer;
  /** Names and values of the head: amount, status and such. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly account: string;
  readonly mode: string;
  /** The address of the page. */
  readonly address: string;
  readonly language: Language;
  /** The object in its wire formats. */
  readonly objects: readonly { readonly title: string; readonly value: unknown }[];
}

/** Everything that the page shows, as JSON. */
export function caseJson(given: CaseInput): string {
  const { timeline, account, mode, address, facts, objects } = withoutSecrets(given);
  const about = { account, mode, address, facts: Object.fromEntries(facts) };
  return `${JSON.stringify({ ...about, objects, timeline: timeline }, null, 2)}\n`;
}

const wordsIn = (language: Language) => textsIn(language).case_file;

function pre(title: string, text: string): string {
  return `<h4>${escapeHtml(title)}</h4><pre>${escapeHtml(text)}</pre>`;
}

/** Details of an item besides its sentence. */
function detailsOf(item: Item, language: Language): string {
  const { kind, data } = item;
  const words = wordsIn(language);
  if (kind === "attempt") {
    const { request, answer } = exchangeOf(item);
    const shown = answer ? pre(words.answer, exchangeText(answer)) : `<p>${escapeHtml(words.no_answer)}</p>`;
    return request === undefined ? shown : pre(words.request, exchangeText(request)) + shown;
  }
  if (kind === "journal" || kind === "clock" || kind === "delivery") return "";
  const { move: _move, from: _from, to: _to, type: _type, ...rest } = data;
  const shown = kind === "event" ? data.object : rest;
  return typeof shown === "object" && shown !== null && Object.keys(shown).length > 0
    ? pre(words.data, JSON.stringify(shown, null, 2))
    : "";
}

function itemHtml(item: Item, isRoot: boolean, language: Language): string {
  const cause = isRoot ? ` <small>— ${escapeHtml(causeSentence(item, language))}</small>` : "";
  return `<p><time>${escapeHtml(item.at)}</time> ${escapeHtml(sentence(item, language))}${cause}</p>${detailsOf(item, language)}`;
}

function branchHtml({ item, children }: Branch, isRoot: boolean, language: Language): string {
  const inner = children.map((child) => branchHtml(child, false, language)).join("");
  return `<li>${itemHtml(item, isRoot, language)}${inner === "" ? "" : `<ol>${inner}</ol>`}</li>`;
}

function rowHtml(row: Row, language: Language): string {
  const words = wordsIn(language);
  if (row.kind === "tree") return branchHtml(row.branch, true, language);
  if (row.kind === "clock") return row.items.map((item) => `<li>${itemHtml(item, true, language)}</li>`).join("");
  if (row.kind === "day") return `<li><strong>${escapeHtml(row.at.slice(0, 10))}</strong></li>`;
  const why = row.why === "advanced" ? `: ${words.advanced}` : "";
  return `<li>⋯ ${escapeHtml(duration(row.milliseconds))} ${escapeHtml(words.passed + why)}</li>`;
}

const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:24px auto;padding:0 16px;color:#1b1f26}" +
  "ol{list-style:none;padding-left:16px;border-left:2px solid #d5d9e0}p{margin:2px 0}" +
  "time,small{color:#565d69;font-size:13px}h4{margin:6px 0 2px;font-size:13px}" +
  "pre{margin:0 0 6px;padding:8px;background:#eef0f3;white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}" +
  "dt{color:#565d69;font-size:13px}dd{margin:0 0 6px}";

function dueHtml({ due }: TimelineAnswer, language: Language): string {
  if (due.length === 0) return `<p>${wordsIn(language).nothing_due}</p>`;
  const dueItem = (one: (typeof due)[number]) =>
    `<li><time>${escapeHtml(one.at)}</time> ${escapeHtml(dueText(one, language))}</li>`;
  return `<ol>${due.map(dueItem).join("")}</ol>`;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** One HTML file with everything that the page shows. */
export function caseHtml(given: CaseInput): string {
  const { timeline, account, mode, address, facts, objects, language } = withoutSecrets(given);
  const words = wordsIn(language);
  const now = `${timeline.now}${timeline.frozen ? ` (${words.frozen})` : ""}`;
  const head = [
    ...facts,
    ...([
      [words.account, account],
      [words.mode, mode],
      [words.now, now],
      [words.address, address],
    ] as const),
  ];
  const rows = rowsOf(timeline, new Set(), dayOf).map((row) => rowHtml(row, language));
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(timeline.subject)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${escapeHtml(timeline.subject)}</h1><dl>`,
    ...head.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`),
    `</dl><ol>${rows.join("")}</ol><p><strong>═ ${escapeHtml(now)}</strong></p>`,
    `<h2>${escapeHtml(words.due)}</h2>${dueHtml(timeline, language)}`,
    ...objects.map(
      ({ title, value }) => `<h2>${escapeHtml(title)}</h2><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`,
    ),
    "</body></html>\n",
  ].join("\n");
}
