import { Option } from "commander";
import { type FlagDeclarations, GLOBAL_FLAGS } from "../../../api/client/flags.js";
import { nearest } from "../../../base/kernel/nearest.js";
import { fold } from "../../../base/kernel/text-search.js";
import { joinWords, t } from "../../../base/kernel/wording.js";
import { VERSION } from "../../../base/platform/version.js";
import { formatValue } from "../terminal/failure.js";
import { StateName, translation } from "../terminal/language.js";
import { type CommandNoun, commandNouns } from "./command-tree.js";
import { commandsOf } from "./commands-of.js";
import type { CommandSpec } from "./define-command.js";
import { groupDescription, groupSummary, HELP_SECTIONS } from "./groups.js";
import { QaCommand } from "./qa-command.js";
import { nameOf, syntaxOf, takesOf } from "./syntax.js";

/** Declares the commands of the tree to Commander. */

/** A word without its accents and its ending, which is another one for one or several, in either gender: `Paga`, `pagos`. */
const stemOf = (word: string) => fold(word).replace(/[ao]?s?$/, "");

/**
 * Accepts a choice in upper or lower case, because the service has statuses in both, and users should not need to know; and the word
 * that tables have for it in the language of the person. Throws Failure for any other value.
 */
function choiceParser(command: QaCommand, flag: string, choices: readonly string[]): (given: string) => string {
  return (given) => {
    const states = translation()?.states ?? {};
    const found =
      choices.find((choice) => choice.toLowerCase() === given.toLowerCase()) ??
      choices.find((choice) => Object.hasOwn(states, choice) && stemOf(states[choice] ?? "") === stemOf(given));
    if (found !== undefined) return found;
    const named = choices.map((choice) => new StateName(choice));
    const takes = t`${flag} takes ${joinWords(named, ", ")}, not ${formatValue(given)}`;
    throw command.misuse(takes, nearest(given, choices));
  };
}

/** Adds declared flags to a Commander command. */
export function addFlags(command: QaCommand, flags: FlagDeclarations): void {
  for (const [written, declared] of Object.entries(flags)) {
    const details = typeof declared === "string" ? { about: declared } : declared;
    const { about, choices, default: value, many, required } = details;
    const option = new Option(written, about).makeOptionMandatory(required === true);
    if (value !== undefined) option.default(value);
    if (choices !== undefined)
      option.choices([...choices]).argParser(choiceParser(command, `--${nameOf(written)}`, choices));
    if (many) option.argParser((item: string, before: string[] = []) => [...before, item]);
    command.addOption(option);
  }
}

function findGroup(program: QaCommand, words: readonly string[]): QaCommand {
  return words.reduce((parent, word) => {
    const known = parent.commands.find((one): one is QaCommand => one instanceof QaCommand && one.name() === word);
    const group = known ?? parent.command(word).description(groupDescription(word));
    return known ?? group.usage("<command>").helpCommand(false);
  }, program);
}

/** Runs a command with its arguments. */
export type Start = (spec: CommandSpec, command: QaCommand, args: readonly unknown[]) => void | Promise<void>;

/** Adds a command with all that the help of its group shows of it: its name, summary, arguments and first example. */
function addName(program: QaCommand, spec: CommandSpec): QaCommand {
  const words = spec.command.split(" ");
  const name = words.pop() ?? spec.command;
  const command = findGroup(program, words).command(name).description(spec.summary);
  command.spec = spec;
  for (const [written, about] of Object.entries(takesOf(spec))) command.argument(written, about);
  return command;
}

function addCommand(program: QaCommand, spec: CommandSpec, start: Start): void {
  const command = addName(program, spec);
  const { flags, usage } = syntaxOf(spec);
  addFlags(command.usage(usage), flags);
  command.action((...args: unknown[]) => start(spec, command, args));
}

/** The nouns that a command line can be about: its first word alone where that is one, and else any that was meant. */
function possibleNouns(argv: readonly string[]): readonly CommandNoun[] {
  const first = commandNouns.filter(({ noun }) => noun === argv[0]);
  return first.length > 0 ? first : commandNouns;
}

/** So many are suggested at most. */
const MOST_MEANT = 3;
/** What people say for a word of a command, or for a whole command, in English and Portuguese, without accents. */
const SAID_FOR = {
  search: "find",
  find: "search buscar procurar encontrar",
  refund: "reembolso reembolsar devolver devolucao estorno estornar",
  refunds: "reembolsos devolucoes estornos",
  pay: "pagar",
  expire: "expirar",
  cancel: "cancelar",
  receipt: "recibo comprovante",
  appeal: "recorrer",
  resend: "reenviar",
  balance: "saldo",
  clock: "relogio",
  snapshots: "snapshot",
  restore: "restaurar",
  reset: "zerar",
  why: "por porque pedido",
  charges: "cobranca cobrancas",
  "med list": "contestacao contestacoes disputa disputas",
  "payments stats": "vendas",
  "payments list --excel": "planilha",
};
const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries(SAID_FOR).flatMap(([meant, said]) => said.split(" ").map((word) => [word, meant] as const)),
);

/** Commands and groups with a word behind their first one, such as `payments refund` for `refund`, without those below them. */
function commandsWith(word: string): readonly string[] {
  const folded = fold(word);
  const meant = MEANT.get(folded) ?? folded;
  if (meant.includes(" ") || (meant !== folded && commandNouns.some(({ noun }) => noun === meant))) return [meant];
  const wanted = [folded, meant];
  const found = commandNouns.flatMap(({ noun }) =>
    commandsOf(noun).flatMap(({ command }) => {
      const words = command.split(" ");
      const at = words.findIndex((one, index) => index > 0 && wanted.includes(one));
      return at === -1 ? [] : words.slice(0, at + 1).join(" ");
    }),
  );
  const distinct = [...new Set(found)];
  return distinct.length > MOST_MEANT ? [] : distinct;
}

/**
 * Declares the commands: whole where `argv` has all their words, with their arguments where it has their noun, and by
 * their name otherwise. To declare everything would take longer than most commands run.
 */
export function declareCommands(program: QaCommand, argv: readonly string[], start: Start): void {
  program.commandsWith = commandsWith;
  program
    .description("A complete local Pix payments service, and the command line to drive it.")
    .usage("<command> [flags]")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help");
  addFlags(program.optionsGroup("Flags of every command:"), GLOBAL_FLAGS);
  const nouns = possibleNouns(argv);
  for (const { title, nouns: listed } of HELP_SECTIONS) {
    program.commandsGroup(title);
    for (const { noun, summary, members } of nouns.filter((one) => listed.includes(one.noun))) {
      const isNamed = argv.includes(noun);
      if (members.length === 0 && !isNamed) program.command(noun).description(summary ?? "");
      if (members.length > 0) findGroup(program, [noun]).summary(groupSummary([noun], members));
      for (const spec of isNamed ? commandsOf(noun) : []) {
        const isWhole = spec.command.split(" ").every((word) => argv.includes(word));
        if (isWhole) addCommand(program, spec, start);
        else addName(program, spec);
      }
    }
  }
  program.helpCommand("help [command...]", "show the help of a command");
}
