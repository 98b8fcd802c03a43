import { FIXTURES } from "../../../../api/fixtures/built-in-fixtures.js";
import { quoteWord } from "../../../../base/kernel/shell.js";
import { formatValue, usage } from "../../terminal/failure.js";
import { dataLines } from "../../terminal/terminal-text.js";
import { defineCommand, type WordFlag, type WordNode } from "../../tree/define-command.js";
import bashScript from "./bash.sh?raw";
import fishScript from "./fish.fish?raw";

/** `completion`: prints a shell script that contains the whole command tree, so that the Tab key starts no program. */

const SHELLS = ["bash", "zsh", "fish"] as const;

/** The known values of a command's first argument. The shell offers file names too, for fixtures of the user. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  trigger: Object.values(FIXTURES).flatMap(({ events }) => events),
  "fixtures run": Object.keys(FIXTURES),
  completion: SHELLS,
};

/** The values that a shell reads as one word. Other values would need quotes. */
function wordsFor({ values }: WordFlag): string[] {
  return values.filter((value) => /^[\w./+-]+$/.test(value));
}

/** All nodes of the tree, each with the words from the root to it. */
function places(node: WordNode, path: readonly string[] = []): { path: readonly string[]; node: WordNode }[] {
  return [{ path, node }, ...node.children.flatMap((child) => places(child, [...path, child.name]))];
}

/** Replaces the placeholders of a script, such as `@PLACES@`, by their values. */
function fillScript(script: string, values: Readonly<Record<string, string>>): string {
  return script.replace(/@([A-Z]+)@/g, (_match, name: string) => values[name] ?? "");
}

const namesOf = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name);
const flagsWithValue = ({ flags }: WordNode) => flags.filter(({ takesValue }) => takesValue);

/** A branch of a shell's `case`: it sets variables for one path of words. */
function branch(words: readonly string[], variables: Readonly<Record<string, readonly string[]>>): string {
  const settings = Object.entries(variables).map(([name, values]) => `${name}=${quoteWord(values.join(" "))}`);
  return `    ${quoteWord(words.join(" "))}) ${settings.join(" ")} ;;`;
}

/** The branch with everything that may follow the words of a place. */
function branchOf({ path, node }: ReturnType<typeof places>[number]): string {
  const children = namesOf(node.children);
  // Between the words of a command, the flags of the root apply, so this branch leaves them as they are.
  if (path.length > 0 && children.length > 0) return branch(path, { children });
  const args = ARGUMENTS[path.join(" ")];
  return branch(path, {
    children: path.length === 0 ? [...children, "help"] : [],
    flags: [...namesOf(node.flags), "--help"],
    taking: namesOf(flagsWithValue(node)),
    ...(args === undefined ? {} : { args }),
  });
}

function bash(tree: WordNode): string {
  const cases = places(tree).map(branchOf);
  const values = places(tree).flatMap(({ path, node }) =>
    node.flags.flatMap((flag) => {
      const offers = wordsFor(flag);
      return offers.length === 0 ? [] : [branch([...path, flag.name], { offers })];
    }),
  );
  return fillScript(bashScript, { PLACES: cases.join("\n"), VALUES: values.join("\n") });
}

/** The script for bash. zsh can run it with bashcompinit. */
function zsh(tree: WordNode): string {
  return `#compdef qa-pay
autoload -U +X bashcompinit && bashcompinit
${bash(tree)}`;
}

function fish(tree: WordNode): string {
  const all = places(tree).filter(({ path }) => path.length > 0);
  const listPaths = (paths: readonly (readonly string[])[]) => paths.map((path) => quoteWord(path.join(" "))).join(" ");
  const groups = all.filter(({ node }) => node.children.length > 0);
  const taking = new Set(places(tree).flatMap(({ node }) => namesOf(flagsWithValue(node))));
  const lines = places(tree).flatMap(({ path, node }) => {
    const start = `complete -c qa-pay -n ${quoteWord(["__qa_pay_at", ...path].join(" "))}`;
    const known = ARGUMENTS[path.join(" ")] ?? [];
    return [
      ...(known.length === 0 ? [] : [`${start} -a ${quoteWord(known.join(" "))}`]),
      ...node.children.map(({ name, summary }) => `${start} -f -a ${name} -d ${quoteWord(summary)}`),
      ...node.flags.map((flag) => {
        const offers = wordsFor(flag).join(" ");
        const value = offers === "" ? " -r" : ` -x -a ${quoteWord(offers)}`;
        return `${start} -l ${flag.name.slice(2)}${flag.takesValue ? value : ""}`;
      }),
    ];
  });
  return fillScript(fishScript, {
    PLACES: listPaths(all.map(({ path }) => path)),
    GROUPS: listPaths(groups.map(({ path }) => path)),
    TAKING: [...taking].join(" "),
    LINES: lines.join("\n"),
  });
}

export const command = defineCommand({
  command: "completion",
  summary: "Print a completion script for bash, zsh or fish",
  takes: { "<shell>": "bash, zsh or fish" },
  examples: ["qa-pay completion bash > ~/.local/share/bash-completion/completions/qa-pay"],
}).run(async ({ io, words, given: { shell } }) => {
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined) throw usage(`There is a script for ${SHELLS.join(", ")}, not ${formatValue(shell)}.`);
  io.out(dataLines({ bash, zsh, fish }[known](words())));
});
