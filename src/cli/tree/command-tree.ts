import { registry } from "../../registry.js";
import { COMMANDS } from "../commands/index.js";
import { type CommandSpec, isOperation } from "./define-command.js";
import { describeOperations } from "./describe-operations.js";

/** In the order of help: this machine, the service, the emulator. */
const SECTIONS = ["local", "api", "sandbox"] as const;

/** The first word of commands, and what a list of commands says of it. */
export interface CommandNoun {
  readonly noun: string;
  readonly section: (typeof SECTIONS)[number];
  /** Of a command of one word; a group has none of its own. */
  readonly summary?: string | undefined;
  /** The second words, each once. */
  readonly members: readonly string[];
}

const wordsOf = ({ command }: CommandSpec) => command.split(" ");

function nounsOf(commands: readonly CommandSpec[]): CommandNoun[] {
  const nouns = [...new Set(commands.map((spec) => wordsOf(spec)[0] ?? ""))];
  const described = nouns.map((noun): CommandNoun => {
    const own = commands.filter((spec) => wordsOf(spec)[0] === noun);
    const members = new Set(own.flatMap((spec) => wordsOf(spec).slice(1, 2)));
    const section = own.find(isOperation)?.surface ?? "local";
    return { noun, section, summary: members.size === 0 ? own[0]?.summary : undefined, members: [...members] };
  });
  return SECTIONS.flatMap((section) => described.filter((noun) => noun.section === section));
}

/** Every command that stands for one operation. */
export const operations = describeOperations(registry.map((operation) => operation.contract));

const locals = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command.spec));

/**
 * Every command. The build replaces this module by the values of `commandNouns` and `commandsOf`
 * (scripts/precompute-command-tree.ts), so that a client command loads neither the registry nor its schemas nor any
 * other command, and reads no more than the commands of the nouns that were typed.
 */
export const commandTree: readonly CommandSpec[] = [...operations, ...locals];

export const commandNouns = nounsOf(commandTree);

export const commandsOf = (noun: string) => commandTree.filter((spec) => wordsOf(spec)[0] === noun);
