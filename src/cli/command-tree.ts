import { registry } from "../registry.js";
import { type CommandSpec, describeBodies, describeCommands } from "./describe-commands.js";

/** The first word of commands, and what a list of commands says of it. */
export interface CommandNoun {
  readonly noun: string;
  readonly surface: CommandSpec["surface"];
  /** The second words, each once. */
  readonly members: readonly string[];
}

const wordsOf = ({ command }: CommandSpec) => command.split(" ");

function nounsOf(commands: readonly CommandSpec[]): CommandNoun[] {
  const nouns = new Map<string, { surface: CommandSpec["surface"]; members: Set<string> }>();
  for (const spec of commands) {
    const [noun = "", member = ""] = wordsOf(spec);
    const known = nouns.get(noun) ?? { surface: spec.surface, members: new Set() };
    known.members.add(member);
    nouns.set(noun, known);
  }
  return [...nouns].map(([noun, { surface, members }]) => ({ noun, surface, members: [...members] }));
}

/**
 * Every command that stands for one operation. The build replaces this module by the values of `commandNouns`,
 * `commandsOf` and `bodyRoutes` (scripts/precompute-command-tree.ts), so that a client command loads neither the
 * registry nor its schemas, and reads no more than the commands of the nouns that were typed.
 */
export const commandTree = describeCommands(registry.map((operation) => operation.contract));

/** What each route takes, for bodies that no flags make. */
const routes = describeBodies(registry.map((operation) => operation.contract));
export const bodyRoutes = () => routes;

export const commandNouns = nounsOf(commandTree);

export const commandsOf = (noun: string) => commandTree.filter((spec) => wordsOf(spec)[0] === noun);
