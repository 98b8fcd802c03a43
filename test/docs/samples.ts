/** The samples of a page: its fenced blocks, and what they say must happen. */

export interface Sample {
  /** The words after the fence: `sh`, `sh exit=5`, `js file=receiver.mjs`. */
  readonly info: string;
  readonly text: string;
  /** Where the text begins and ends in the page. */
  readonly start: number;
  readonly end: number;
  /** The line of the fence, from 1. */
  readonly line: number;
}

export function samplesOf(page: string): Sample[] {
  return [...page.matchAll(/^( *)```([^\n`]*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [whole, indent = "", info = "", text = ""] = match;
    const start = match.index + indent.length + 3 + info.length + 1;
    const end = match.index + whole.length - indent.length - 3;
    return { info, text, start, end, line: page.slice(0, match.index).split("\n").length };
  });
}

/** The value of `name=…` among the words after the fence. */
export function settingOf({ info }: Sample, name: string): string | undefined {
  const [, value] = new RegExp(`(?:^| )${name}=(\\S+)`).exec(info) ?? [];
  return value;
}

/** The page with other texts in its samples. */
export function withTexts(page: string, samples: readonly Sample[], texts: readonly string[]): string {
  let made = "";
  let at = 0;
  for (const [index, { start, end, text }] of samples.entries()) {
    made += page.slice(at, start) + (texts[index] ?? text);
    at = end;
  }
  return made + page.slice(at);
}

/** The commands whose output is in the language of the person. */
const SPEAKING =
  /\bqa-pay (?:sandbox pay\b|(?:sandbox )?(?:charges|payments|refunds|wallets|med|webhooks deliveries|deliveries|why|reconcile)\b)/;

/** True for a sample that is an output, and is compared with what a command prints. */
export const isOutput = ({ info }: Pick<Sample, "info">) => /^text(?: of=\w+)?$/.test(info);

/** True if a page shows the output of such a command: pages of other languages then have outputs of their own. */
export function showsSpeech(page: string): boolean {
  const samples = samplesOf(page);
  return samples.some(({ info, text }, index) => {
    const next = samples[index + 1];
    return /^sh\b(?!.* elsewhere)/.test(info) && SPEAKING.test(text) && next !== undefined && isOutput(next);
  });
}

/** Values that differ from run to run, by the form in which a page shows them. */
const VOLATILE: readonly [name: string, pattern: string][] = [
  ["pix", String.raw`00020101[^\n"]*6304[0-9A-F]{4}`],
  ["id", "[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"],
  ["key", String.raw`qa_(?:test|live)_[\w-]{32}`],
  ["token", String.raw`(?<=[?&]k=)[\w-]{24,32}`],
  ["txid", String.raw`(?<="txid":")\w+`],
  ["hex", String.raw`\b[0-9a-f]{64}\b`],
  ["bank id", String.raw`\b[ED]\d{20}\w{11,12}`],
  ["boleto", String.raw`\b\d{47}\b`],
  ["instant", String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{3}Z)?`],
  ["instant", String.raw`\b\d\d-\d\d \d\d:\d\d:\d\d`],
  ["instant", String.raw`\b\d\d/\d\d \d\d:\d\d:\d\d`],
  ["instant", String.raw`\b\d\d/\d\d/\d{4} \d\d:\d\d:\d\d`],
  ["day", String.raw`\b\d\d/\d\d/\d{4}\b`],
  ["day", String.raw`\d{4}-\d\d-\d\d`],
  ["seconds", String.raw`(?<=t=)\d{10}`],
  ["host", String.raw`(?:127\.0\.0\.1|localhost):\d+`],
  // A page may leave the time of a run out: `… s`.
  ["duration", String.raw`\b\d+ ms\b|(?<="duration_ms":)\d+|(?:\b\d+|…) s\b(?= with --seed)`],
  ["order", String.raw`\border-[0-9a-f]{12}\b`],
  ["password", String.raw`\b[a-z]{6}-[a-z]{6}-[a-z]{6}-[a-z]{6}\b`],
  ["folder", String.raw`/\S+(?=/\.qa-pay/)`],
];
const ANY = new RegExp(VOLATILE.map(([, pattern]) => `(${pattern})`).join("|"), "g");

/** A text without what differs from run to run, and these parts in their order. */
export function settled(text: string): { readonly form: string; readonly parts: readonly string[] } {
  const parts: string[] = [];
  const form = text.replace(ANY, (found, ...groups: (string | undefined)[]) => {
    parts.push(found);
    return `<${VOLATILE[groups.indexOf(found)]?.[0]}>`;
  });
  const lines = form.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
  return { form: lines.filter((line) => line !== "").join("\n"), parts };
}

const isInstant = (part: string) => /^\d\d(?:\d\d)?[-/]\d\d/.test(part);

/**
 * The output with the ids, keys and other values of another one that shows the same: the commands of a page name them, whatever the
 * language of its outputs is.
 */
export function withValuesOf(source: string, text: string): string {
  const [values, own] = [source, text].map((one) => settled(one).parts.filter((part) => !isInstant(part)));
  if (values === undefined || own === undefined || values.length !== own.length) return text;
  return own.reduce((made, part, index) => made.replaceAll(part, values[index] ?? part), text);
}

/** An output as a page shows it: from a server on the usual port, to a receiver on port 3000, in somebody's folder. */
export function presentable(text: string, receiverPort: number): string {
  return text
    .replaceAll(`127.0.0.1:${receiverPort}`, "127.0.0.1:3000")
    .replace(/127\.0\.0\.1:\d{5}\b/g, "127.0.0.1:4600")
    .replace(/\/\S+(?=\/\.qa-pay\/)/g, "/home/maria/shop");
}
