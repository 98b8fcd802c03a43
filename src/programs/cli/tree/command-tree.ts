import { describeOperations } from "../../../api/client/describe-operations.js";
import { registry } from "../../../api/registry.js";
import { COMMANDS, OWN_PARTS } from "../commands/index.js";
import type { CommandSpec } from "./define-command.js";
import { HELP_SECTIONS } from "./groups.js";

/** The first word of one or more commands, and its entry in the list of commands. */
export interface CommandNoun {
  readonly noun: string;
  /** The summary of a command with one word; undefined for a group. */
  readonly summary?: string | undefined;
  /** The second words of the commands, without duplicates; empty for a command with one word. */
  readonly members: readonly string[];
}

const wordsOf = ({ command }: CommandSpec) => command.split(" ");

/** The first words of commands in the order of the help; a word that no section has comes last. */
function nounsOf(commands: readonly CommandSpec[]): CommandNoun[] {
  const nouns = [...new Set(commands.map((spec) => wordsOf(spec)[0] ?? ""))];
  const described = nouns.map((noun): CommandNoun => {
    const own = commands.filter((spec) => wordsOf(spec)[0] === noun);
    const members = new Set(own.flatMap((spec) => wordsOf(spec).slice(1, 2)));
    return { noun, summary: members.size === 0 ? own[0]?.summary : undefined, members: [...members] };
  });
  const order = HELP_SECTIONS.flatMap((section) => section.nouns);
  const placeOf = ({ noun }: CommandNoun) => (order.includes(noun) ? order.indexOf(noun) : order.length);
  return described.sort((one, other) => placeOf(one) - placeOf(other));
}

const contracts = registry.map((operation) => operation.contract);

/** All commands that call exactly one operation of the service. */
export const operations = await Promise.all(
  describeOperations(contracts).map(async (spec) => {
    const ownFlags = (await OWN_PARTS[spec.command]?.())?.own.flags;
    return ownFlags === undefined ? spec : { ...spec, ownFlags };
  }),
);

const locals = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command.spec));

/** All commands. The build replaces this module by its values (scripts/evaluate-module.ts). */
export const commandTree: readonly CommandSpec[] = [...operations, ...locals];

export const commandNouns = nounsOf(commandTree);
