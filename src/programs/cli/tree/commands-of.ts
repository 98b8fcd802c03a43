import { commandTree } from "./command-tree.js";

/** The commands that begin with a word. */
export const commandsOf = (noun: string) => commandTree.filter(({ command }) => command.split(" ")[0] === noun);
