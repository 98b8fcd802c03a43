import { expect, test } from "vitest";
import { projectTree } from "../tidy/tree.js";

/** docs/llms.txt lists the documents for agents, in the form of llmstxt.org. `npm run docs` writes it anew. */

const INTRO =
  "A complete payments service for Brazil on your own machine (Pix, boleto, cards), and the command line to drive it: " +
  "charges, wallets, refunds, signed webhooks with retries, simulated payers and banks, and a clock that you control.";

const NOTES = [
  "- Amounts are whole numbers of centavos: 1990 is R$ 19,90. Instants are ISO 8601 in UTC.",
  "- `npx qa-pay serve` starts the service. Commands in the same folder find it by themselves, and `--json` prints the answer alone.",
  "- `npx qa-pay mcp` offers the operations as tools. `npx qa-pay openapi` prints the OpenAPI document.",
];

const tree = projectTree();

/** The text of a line without its marks: `[Charges](charges.md)` becomes `Charges`. */
function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*/g, "");
}

/** The first sentence below the title. Tables, code and remarks about how a page is made are no sentences. */
function firstSentence(text: string): string {
  const paragraphs = text.split(/\n{2,}/).slice(1);
  const first = paragraphs.find((part) => /^[A-Z`[(/]/.test(part) && !part.startsWith("```"));
  const line = plain(first ?? "").replaceAll("\n", " ");
  return (/^.*?\.(?= [A-Z`]|$)/.exec(line)?.[0] ?? line).replace(/:$/, ".");
}

function entry(path: string): string {
  const text = tree.text(path);
  const title = plain(/^# (.*)/.exec(text)?.[1] ?? "");
  const address = path.startsWith("docs/") ? path.slice("docs/".length) : `../${path}`;
  const about = firstSentence(text);
  return `- [${title}](${address})${about === "" ? "" : `: ${about}`}`;
}

const inFolder = (folder: string) =>
  tree.paths.filter((path) => path.startsWith(folder) && path.endsWith(".md")).sort();
const named = (...names: readonly string[]) => names.map((name) => `docs/${name}.md`);

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Start: ["README.md"],
  Guides: inFolder("docs/guides/"),
  "Rules of the service": inFolder("docs/service/"),
  Reference: named("CLI", "ERRORS", "EVENTS", "TRANSITIONS", "CONSOLE", "LIMITS"),
  Optional: named("ARCHITECTURE", "decisions/README"),
};

test("docs/llms.txt lists the documents by title, each with its first sentence", async () => {
  const sections = Object.entries(SECTIONS).map(([name, paths]) => `## ${name}\n\n${paths.map(entry).join("\n")}`);
  const text = ["# qa-pay", `> ${INTRO}`, NOTES.join("\n"), ...sections].join("\n\n");
  await expect(`${text}\n`).toMatchFileSnapshot("../../docs/llms.txt");
});
