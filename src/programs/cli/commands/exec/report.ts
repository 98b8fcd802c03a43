import { join } from "node:path";
import { shorten } from "../../../../base/kernel/errors.js";
import { formatCount } from "../../../../base/kernel/format-count.js";
import { ID_PREFIX, rawId } from "../../../../base/kernel/ids.js";
import { withoutSecrets } from "../../../../base/kernel/secrets.js";
import { shellWord } from "../../../../base/kernel/shell.js";
import type { ReportCase } from "../../reports/junit.js";
import { EXIT } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { palette } from "../../terminal/output.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { timelineFile } from "./artifact-folder.js";
import type { Written } from "./artifacts.js";
import { isRefused, linesOf, type SeenDelivery, type Verdict } from "./assertions.js";

/** Reports how the program of `exec` ended, which conditions do not hold, and which file to open: to people and build servers. */

export interface Findings {
  readonly words: readonly string[];
  /** The exit code of the program. */
  readonly code: number;
  /** How long the program ran. */
  readonly ms: number;
  readonly verdicts: readonly Verdict[];
  /** Oldest first; empty where nobody looks at them. */
  readonly deliveries: readonly SeenDelivery[];
  /** Why the delivery or the charge of the failure is in its state; null where that is not known. */
  readonly cause: string | null;
  /** Null without `--artifacts`. */
  readonly artifacts: (Written & { readonly folder: string }) | null;
}

interface ReportFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

/** The most characters of the command in a report. */
const SHOWN_COMMAND = 200;

const HINT = "`--artifacts <folder>` keeps requests, deliveries, timelines and the database of a run.";

/** The deliveries of a failure: those that broke a condition, else those that a receiver did not accept. */
export function culpritsOf({
  verdicts,
  deliveries,
}: Pick<Findings, "verdicts" | "deliveries">): readonly SeenDelivery[] {
  const broken = verdicts.flatMap(({ culprits }) => culprits);
  return broken.length > 0 ? broken : deliveries.filter(isRefused);
}

type FileToOpen = readonly [file: string, reason: string];

/** The deliveries that were not accepted: the history of their charge, or all deliveries. */
function fileOfDeliveries(culprits: readonly SeenDelivery[]): FileToOpen[] {
  for (const { id, subject } of culprits) {
    const raw = rawId(subject, ID_PREFIX.charge, ID_PREFIX.transaction);
    if (raw !== null) return [[timelineFile(ID_PREFIX.charge + raw), `the history of the charge of ${id}`]];
  }
  return culprits.length > 0 ? [["deliveries.jsonl", "each attempt with its answer"]] : [];
}

function fileOfRefused(refused: Written["refused"]): FileToOpen[] {
  const [last] = refused;
  if (last === undefined) return [];
  const { method, path, status, error } = last;
  const answer = error === null ? "" : ` ${error.code}`;
  const count = formatCount(refused.length, "refused request");
  return [["requests.jsonl", `${count}, the last one ${method} ${path} with ${status}${answer}`]];
}

/** Returns the files to open, with the reason of each; none when the service got no request. */
function filesToOpen({ refused, newest, requests }: Written, culprits: readonly SeenDelivery[]): FileToOpen[] {
  const files = [...fileOfDeliveries(culprits), ...fileOfRefused(refused)];
  if (files.length > 0) return files;
  if (newest !== null) return [[timelineFile(newest), "the history of the newest charge"]];
  return requests > 0 ? [["requests.jsonl", "every request with its answer"]] : [];
}

/** The lines below a failure: deliveries that no condition names, their cause, and the file to open. */
function linesBelow(findings: Findings): string[] {
  const { artifacts, verdicts, cause } = findings;
  const why = cause === null ? [] : [`Why: ${cause}`];
  if (artifacts === null) return why;
  const culprits = culpritsOf(findings);
  const isNamed = verdicts.some((one) => one.culprits.length > 0);
  const named =
    isNamed || culprits.length === 0 ? [] : ["Not accepted:", ...linesOf(culprits).map((one) => `  ${one}`)];
  const files = filesToOpen(artifacts, culprits).map(
    ([file, reason]) => `Open ${join(artifacts.folder, file)}: ${reason}.`,
  );
  const noRequest = "The service got no request. Its address is in QA_PAY_BASE_URL.";
  return [...named, ...why, ...(files.length > 0 ? files : [noRequest])];
}

/** Returns whether the program or a condition failed. */
export const hasFailed = ({ code, verdicts }: Pick<Findings, "code" | "verdicts">) =>
  code !== EXIT.done || verdicts.some(({ holds }) => !holds);

/** Returns the command of the program on one line, shortened and without its secrets: logs of build servers are read by many. */
export const nameOfCommand = (words: readonly string[]) =>
  shorten(withoutSecrets(words.map(shellWord).join(" ")), SHOWN_COMMAND);

const endedWith = (code: number) => `the command ended with ${code}`;

/** Writes to standard error, because standard output belongs to the program. */
export async function report(io: Io, findings: Findings, flags: ReportFlags): Promise<void> {
  const { words, code, verdicts, artifacts } = findings;
  const below = hasFailed(findings) ? linesBelow(findings) : [];
  if (flags.json) {
    const files =
      artifacts === null ? {} : { artifacts: { folder: artifacts.folder, lacks: artifacts.lacks, say: below } };
    if (verdicts.length > 0 || artifacts !== null) io.err(jsonText({ assertions: verdicts, ...files }));
    return;
  }
  const paint = await palette(io, flags.color !== false);
  if (code !== EXIT.done && !flags.quiet) io.err(say`${paint.bad("✗")} ${nameOfCommand(words)}: ${endedWith(code)}\n`);
  for (const { condition, holds, reason, culprits } of verdicts) {
    if (holds && flags.quiet) continue;
    io.err(say`${holds ? paint.good("✓") : paint.bad("✗")} ${condition}: ${reason}\n`);
    for (const line of linesOf(culprits)) io.err(say`    ${line}\n`);
  }
  for (const { text } of artifacts?.lacks ?? []) io.err(say`${paint.wait("!")} ${text}\n`);
  if (flags.quiet) return;
  for (const line of below) io.err(say`${line}\n`);
  if (artifacts === null && verdicts.some(({ holds }) => !holds)) io.err(say`${HINT}\n`);
}

/** The command and each condition, for a build server. */
export function reportCasesOf(findings: Findings): ReportCase[] {
  const { words, code, ms, verdicts } = findings;
  const ended = endedWith(code);
  const isDone = code === EXIT.done;
  const below = linesBelow(findings);
  return [
    {
      group: "command",
      name: nameOfCommand(words),
      status: isDone ? "passed" : "failed",
      message: ended,
      detail: isDone ? "" : [ended, ...below].join("\n"),
      ms,
    },
    ...verdicts.map(({ condition, holds, reason, culprits }): ReportCase => {
      const detail = [reason, ...linesOf(culprits), ...(holds || !isDone ? [] : below)].join("\n");
      return { group: "assert", name: condition, status: holds ? "passed" : "failed", message: reason, detail };
    }),
  ];
}
