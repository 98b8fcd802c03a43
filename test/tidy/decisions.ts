import type { Tree, Violation } from "./tree.js";

const folder = "docs/decisions/";
const parts = ["Context", "Decision", "Alternatives", "Consequence", "Date"];

/** The pages of docs/decisions, in order; the index beside them is none. */
export function decisionPages(tree: Tree): string[] {
  return tree.paths.filter((path) => path.startsWith(folder) && path !== `${folder}README.md`);
}

/** Pages that lack a part, have it in another place or say nothing in it, and numbers that are given twice. */
export function shapelessDecisions(tree: Tree): Violation[] {
  const pages = decisionPages(tree);
  const numbers = pages.map((path) => path.slice(folder.length).split("-")[0]);
  return pages.flatMap((path, index) => {
    const problems = problemsOf(tree.text(path));
    if (!/^\d{3}-[a-z0-9-]+\.md$/.test(path.slice(folder.length))) problems.push("is not named 042-some-words.md");
    if (numbers.indexOf(numbers[index]) !== index) problems.push(`has the number ${numbers[index]} of another page`);
    return problems.map((problem) => ({ path, line: 1, problem }));
  });
}

function problemsOf(text: string): string[] {
  const heads = [...text.matchAll(/^\*\*(\w+)\.\*\*(.*)/gm)];
  const names = heads.map(([, name]) => name);
  const problems: string[] = [];
  if (!/^# \S.*\n/.test(text)) problems.push("does not begin with a title");
  if (names.join() !== parts.join()) problems.push(`has the parts ${names.join(", ")}, not ${parts.join(", ")}`);
  for (const [whole, name, first = ""] of heads) {
    const isEmpty = first.trim() === "" && new RegExp(`${escaped(whole)}\\n*(\\*\\*|$)`).test(text);
    if (isEmpty) problems.push(`says nothing under ${name}`);
    if (name === "Date" && !/^ \d{4}-\d\d-\d\d$/.test(first)) problems.push("has no date such as 2026-11-21");
  }
  return problems;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
