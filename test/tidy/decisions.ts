import type { Tree, Violation } from "./tree.js";

const folder = "docs/decisions/";
const index = `${folder}README.md`;
const parts = ["Question", "Decided", "Why", "Rejected"];

/** Pages of docs/decisions that lack a part or have it in another place, numbers of two pages, and pages that the index does not list. */
export function shapelessDecisions(tree: Tree): Violation[] {
  const pages = tree.paths.filter((path) => path.startsWith(folder) && path !== index);
  const names = pages.map((path) => path.slice(folder.length));
  const list = tree.has(index) ? tree.text(index).split("\n") : [];
  return pages.flatMap((path, place) => {
    const name = names[place] ?? "";
    const number = name.slice(0, 3);
    const [title = ""] = tree.text(path).split("\n");
    const found = [...tree.text(path).matchAll(/^\*\*(\w+)\.\*\*\s+(?!\*\*)\S/gm)].map(([, part]) => part);
    const problems: string[] = [];
    if (!/^# \S/.test(title)) problems.push("does not begin with a title");
    if (found.join() !== parts.join()) problems.push(`has the parts ${found.join(", ")}, not ${parts.join(", ")}`);
    if (!/^\d{3}-[a-z0-9-]+\.md$/.test(name)) problems.push("is not named 042-some-words.md");
    if (names.findIndex((other) => other.startsWith(number)) !== place)
      problems.push(`has the number ${number} of another page`);
    if (!list.includes(`- [${number} ${title.slice(2)}](${name})`)) problems.push(`is not in ${index} by its title`);
    return problems.map((problem) => ({ path, line: 1, problem }));
  });
}
