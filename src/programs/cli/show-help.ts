import { breakLongLines } from "./terminal/break-lines.js";
import {
  argumentsOfProcess,
  isTerminal,
  programName,
  standardOutput,
  terminalColumns,
} from "./terminal/standard-output.js";
import { layOutHelp } from "./tree/help-layout.js";
import { helpOf } from "./tree/help-of.js";

/**
 * The way of the built binary to a help text. It is built into a file of its own, so that nothing of the commands is loaded
 * for it.
 */

/** The words in front of `--help` or behind `help`; undefined for any other command line. */
function wordsWithHelp(argv: readonly string[]): readonly string[] | undefined {
  // No command has an empty word or a space in it, and no words at all stand for the whole program.
  if (argv.some((word) => word === "" || word.includes(" "))) return undefined;
  if (argv[0] === "help") return argv.slice(1);
  return ["--help", "-h"].includes(argv.at(-1) ?? "") ? argv.slice(0, -1) : undefined;
}

function requestedHelp(): string | undefined {
  const words = wordsWithHelp(argumentsOfProcess());
  try {
    return words && helpOf(words);
  } catch {
    // A file of the package is missing. The program says so, like every other error.
    return undefined;
  }
}

/** Shows the help that the command line names. Returns false when it names none that exists. */
export function showHelp(): boolean {
  const text = requestedHelp();
  if (text === undefined) return false;
  const columns = terminalColumns();
  const shown = layOutHelp(text, columns, programName());
  standardOutput()(
    breakLongLines(
      shown,
      () => isTerminal(1),
      () => columns,
    ),
  );
  return true;
}
