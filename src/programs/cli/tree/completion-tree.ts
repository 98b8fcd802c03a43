import { camel } from "../../../api/client/flag-name.js";
import { GLOBAL_FLAGS } from "../../../api/client/flags.js";
import type { CommandNoun } from "./command-tree.js";
import type { CommandSpec, WordFlag, WordNode } from "./define-command.js";
import { groupSummary } from "./groups.js";
import { nameOf, type Syntax, syntaxOf, takesGlobal } from "./syntax.js";

/** The tree of command words with their flags, for completion scripts. */

function wordFlags({ flags }: Pick<Syntax, "flags">): WordFlag[] {
  return Object.entries(flags).map(([written, details]) => {
    const { choices, offers } = typeof details === "string" ? {} : details;
    return { name: `--${nameOf(written)}`, takesValue: written.includes("<"), values: choices ?? offers ?? [] };
  });
}

function leaf(name: string, spec: CommandSpec): WordNode {
  const syntax = syntaxOf(spec);
  const globals = Object.entries(GLOBAL_FLAGS).filter(([written]) => takesGlobal(syntax, camel(nameOf(written))));
  const flags = { ...syntax.flags, ...Object.fromEntries(globals) };
  return { name, summary: syntax.summary, flags: wordFlags({ flags }), children: [] };
}

/** Builds the node for the words in `path`. `specs` are the commands that begin with these words. */
function node(path: readonly string[], specs: readonly CommandSpec[]): WordNode {
  const name = path.at(-1) ?? "";
  const [first] = specs;
  const rest = specs.map(({ command }) => command.split(" ").slice(path.length));
  if (first !== undefined && rest[0]?.length === 0) return leaf(name, first);
  const next = [...new Set(rest.map(([word = ""]) => word))];
  const children = next.map((word) =>
    node(
      [...path, word],
      specs.filter((_spec, index) => rest[index]?.[0] === word),
    ),
  );
  return { name, summary: groupSummary(path, next), flags: [], children };
}

export function wordTree(
  nouns: readonly CommandNoun[],
  commandsOf: (noun: string) => readonly CommandSpec[],
): WordNode {
  return {
    name: "qa-pay",
    summary: "",
    flags: wordFlags({ flags: { "--version": "", ...GLOBAL_FLAGS } }),
    children: nouns.map(({ noun }) => node([noun], commandsOf(noun))),
  };
}
