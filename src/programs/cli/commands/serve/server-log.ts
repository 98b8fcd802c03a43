import { trimPasted } from "../../../../base/kernel/pasted-text.js";
import { errorCode } from "../../../../base/kernel/reason.js";
import type { Log, LogFacts } from "../../../../base/kernel/runtime.js";
import { iso } from "../../../../base/kernel/time.js";
import { wrongValue } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { jsonText, say, type TerminalText, visible, visibleLines } from "../../terminal/terminal-text.js";
import { LOG_LEVELS, type LogLevel } from "./setting-flags.js";

/** The log of a service that a command runs, on standard error. */

/** The default level: only warnings and errors. */
const DEFAULT_LEVEL: LogLevel = "warn";
const TITLES: Readonly<Record<LogLevel, string>> = { debug: "Debug", info: "Info", warn: "Warning", error: "Error" };

interface LogFlags {
  readonly logLevel?: LogLevel;
  readonly json?: boolean;
}

/** The level of --log-level or QA_PAY_LOG, or null. Throws Failure (exit 2) when QA_PAY_LOG is not a level. */
function levelOf(io: Io, { logLevel }: LogFlags): LogLevel | null {
  const wanted = trimPasted(io.env.QA_PAY_LOG ?? "");
  if (logLevel !== undefined) return logLevel;
  if (wanted === "") return null;
  const level = LOG_LEVELS.find((known) => known === wanted.toLowerCase());
  if (level !== undefined) return level;
  throw wrongValue("QA_PAY_LOG", `one of ${LOG_LEVELS.join(", ")}`, wanted);
}

function factsText(facts: LogFacts): string {
  const given = Object.entries(facts).filter(([, value]) => value !== null);
  return given.map(([name, value]) => ` ${name}=${/[\s"]/.test(`${value}`) ? JSON.stringify(value) : value}`).join("");
}

/** The errors of the system or SQLite for a disk or a file that fails: full, broken, read-only, damaged. */
const OF_DISK = /^(?:SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|E(?:NOSPC|DQUOT|FBIG|IO|ROFS)$)/;

/** The stack of a cause for the log. An unusable database or disk is no fault of the program: no stack. */
function stackOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (cause.name === "DatabaseError") return cause.message;
  const code = errorCode(cause) ?? "";
  return OF_DISK.test(code) ? `${cause.message} (${code})` : (cause.stack ?? cause.message);
}

/**
 * Creates a log that prints the messages of its level and of the levels above it. With `--json` and a level, each
 * message is a JSON object on one line. Throws Failure (exit 2) for an unknown level in QA_PAY_LOG.
 */
export function serverLog(io: Io, flags: LogFlags): Log {
  const wanted = levelOf(io, flags);
  const isJson = flags.json === true && wanted !== null;
  const lineOf = (level: LogLevel, message: string, facts: LogFacts, cause?: unknown): TerminalText => {
    const stack = stackOf(cause);
    if (isJson) return jsonText({ level, time: iso(io.now()), message, ...facts, cause: stack });
    const end = stack === undefined ? say`\n` : visibleLines(`: ${stack}\n`);
    return say`${TITLES[level]}: ${visible(message)}${factsText(facts)}${end}`;
  };
  const isWanted = (level: LogLevel) => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted ?? DEFAULT_LEVEL);
  const writer = (level: LogLevel) =>
    isWanted(level) ? (message: string, facts: LogFacts = {}) => io.err(lineOf(level, message, facts)) : undefined;
  return {
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn") ?? (() => undefined),
    error: (message, cause) => io.err(lineOf("error", message, {}, cause)),
  };
}
