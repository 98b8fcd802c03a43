import { constants } from "node:os";
import { errorCode, reasonOf } from "../../../base/kernel/reason.js";
import { EXIT, type ExitCode, Failure, formatValue, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** Programs behind the two dashes of a command. */

/** The environment of such a program, without the caller's profile: qa-pay commands that it runs must use this service. */
export function environmentOf(io: Io, own: Readonly<Record<string, string>>) {
  return { ...io.env, QA_PAY_PROFILE: undefined, ...own };
}

/** A command that a signal ends has the exit code 128 plus the signal's number, as in a shell. */
export const codeOfSignal = (signal: NodeJS.Signals) => 128 + constants.signals[signal];

/** Why the system does not start a program, by its error. `command` is the one of qa-pay. */
export function notStarted(command: string, [program = ""]: readonly string[], error: unknown): Failure {
  const noShell = `${command} runs without a shell; for a pipe use sh -c '…'.`;
  const code = errorCode(error);
  const failure = (exit: ExitCode, message: string, hint: string) =>
    command === "exec" ? new Failure(exit, "not_started", message, hint) : usage(message, hint);
  if (code === "ENOENT") {
    const check = "Check its spelling, and that it is installed in a folder of PATH.";
    return failure(EXIT.commandNotFound, `The program ${program} was not found.`, `${check} ${noShell}`);
  }
  if (code === "EACCES") {
    const message = `${program} cannot be executed: this user has no permission.`;
    return failure(EXIT.cannotExecute, message, `Is it a program? ${noShell}`);
  }
  const message = `${formatValue(program)} cannot be started: ${reasonOf(error)}.`;
  return failure(EXIT.cannotExecute, message, noShell);
}
