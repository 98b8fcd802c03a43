import { commandsOf } from "./command-tree.js";
import { isOperation } from "./define-command.js";
import type { OperationSpec } from "./describe-operations.js";

/** The operation behind a command such as `charges get`. Throws Error when there is none. */
export function findOperation(command: string): OperationSpec {
  const found = commandsOf(command.split(" ")[0] ?? "").find((spec) => spec.command === command);
  if (found === undefined || !isOperation(found)) throw new Error(`there is no operation ${command}`);
  return found;
}
