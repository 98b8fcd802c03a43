import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { WordNode } from "../local-commands.js";

/** Completion scripts: the whole command tree written down, so that pressing Tab starts no process. */

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Every place in the tree, by the words that lead there. */
function places(node: WordNode, path: readonly string[] = []): { path: readonly string[]; node: WordNode }[] {
  return [{ path, node }, ...node.children.flatMap((child) => places(child, [...path, child.name]))];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function bash(tree: WordNode): string {
  const cases = places(tree).map(({ path, node }) => {
    const words = [...node.children.map(({ name }) => name), ...node.flags];
    return `    ${quoted(path.join(" "))}) words=${quoted(words.join(" "))} ;;`;
  });
  return `# qa-pay completion for bash
_qa_pay() {
  local place='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) place="\${place:+$place }$word" ;; esac
  done
  while :; do
    case "$place" in
${cases.map((line) => `  ${line}`).join("\n")}
    esac
    [ -n "$words" ] || [ -z "$place" ] && break
    case "$place" in *' '*) place="\${place% *}" ;; *) place='' ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _qa_pay qa-pay
`;
}

function zsh(tree: WordNode): string {
  return `#compdef qa-pay
autoload -U +X bashcompinit && bashcompinit
${bash(tree)}`;
}

function fish(tree: WordNode): string {
  const lines = places(tree).flatMap(({ path, node }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const names = node.children.map(({ name }) => name).join(" ");
    const none = names === "" ? [] : [`not __fish_seen_subcommand_from ${names}`];
    const when = [...seen, ...none].join("; and ");
    const condition = when === "" ? "" : ` -n ${quoted(when)}`;
    return [
      ...node.children.map(({ name, summary }) => `complete -c qa-pay -f${condition} -a ${name} -d ${quoted(summary)}`),
      ...(path.length === 0 ? [] : node.flags.map((flag) => `complete -c qa-pay${condition} -l ${flag.slice(2)}`)),
    ];
  });
  return `# qa-pay completion for fish\n${lines.join("\n")}\n`;
}

export function completion(io: Io, shell: string, tree: WordNode): ExitCode {
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined)
    throw new Failure(EXIT.usage, "usage", `There is a script for ${SHELLS.join(", ")}, not ${shell}.`);
  io.out({ bash, zsh, fish }[known](tree));
  return EXIT.done;
}
