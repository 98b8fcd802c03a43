import { registry } from "../registry.js";
import { describeCommands } from "./describe-commands.js";

/**
 * Every command that stands for one operation. The build replaces this module by its value (scripts/
 * precompute-command-tree.ts), so that a client command loads neither the registry nor its schemas.
 */
export const commandTree = describeCommands(registry.map((operation) => operation.contract));
