import type { GlobalFlags } from "../../../../api/client/flags.js";
import { tookText } from "../../../../base/kernel/duration.js";
import { formatCount } from "../../../../base/kernel/format-count.js";
import { lastLines } from "../../../../checks/shop/output-lines.js";
import type { RunSchedule, ShortenedFailure, Survival } from "../../../../checks/survive/run-schedules.js";
import { scoreOf } from "../../../../checks/survive/score.js";
import { progressReporter } from "../../operation/progress.js";
import type { Io } from "../../terminal/io.js";
import type { Palette } from "../../terminal/output.js";
import { say } from "../../terminal/terminal-text.js";

/** Prints the results of `survive` for people. */

const PROGRESS_MS = { screen: 1_000, file: 15_000 };
const SHOWN_OUTPUT_LINES = 20;

/** Reports the progress of the run from time to time. */
export function progressOf(io: Io, { json, quiet }: GlobalFlags, all: number) {
  if (json || quiet) return {};
  const report = progressReporter(io, true, io.isTerminal ? PROGRESS_MS.screen : PROGRESS_MS.file);
  let [done, failed] = [0, 0];
  return {
    onSchedule({ oracles }: RunSchedule): void {
      done++;
      if (oracles.length > 0) failed++;
      report(() => say`${done} of ${formatCount(all, "schedule")}, ${failed} failed\n`);
    },
    onShortening(schedule: number, oracle: string): void {
      io.err(say`Schedule ${schedule} failed: ${oracle}. It is tried again and shortened.\n`);
    },
  };
}

/** A failure in lines: its steps, how sure it is, what happened, what the shop wrote, and the command. */
export function failureLines({ steps, stepsBefore, again, timeline, said, command }: ShortenedFailure): string[] {
  const shorter = stepsBefore > steps.length ? `shortened from ${formatCount(stepsBefore, "step")}, ` : "";
  const sure = again.of === 0 ? "not tried again" : `failed again ${again.failed} of ${formatCount(again.of, "time")}`;
  const begin = Date.parse(timeline[0]?.at ?? "");
  const after = (at: string) => `+${(Date.parse(at) - begin) / 1_000} s`;
  const output = lastLines(said, SHOWN_OUTPUT_LINES);
  return [
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    `(${shorter}${sure})`,
    "",
    ...timeline.map(({ at, text }) => `${after(at).padEnd(8)} ${text}`),
    ...(output.join("").trim() === "" ? [] : ["", "The shop wrote last:", ...output]),
    "",
    command,
  ];
}

function printFailures(io: Io, paint: Palette, failures: readonly ShortenedFailure[]): void {
  for (const found of failures) {
    const { oracle, schedule, others, text } = found;
    const more = others === 0 ? "" : ` and ${formatCount(others, "other")}`;
    io.out(say`${paint.bad("✗")} ${paint.strong(oracle)} in schedule ${schedule}${more}\n  ${text}\n`);
    for (const line of failureLines(found)) io.out(line === "" ? say`\n` : say`  ${line}\n`);
    io.out(say`\n`);
  }
}

function printFaults(io: Io, paint: Palette, faults: Survival["faults"]): void {
  const { met, tried, survived } = scoreOf(faults);
  if (met.length === 0) return;
  const width = Math.max(...met.map(({ name }) => name.length)) + 2;
  const cells = (...figures: readonly (string | number)[]) => figures.map((one) => String(one).padStart(12)).join("");
  io.out(say`${paint.dim("Fault".padEnd(width) + cells("Schedules", "Could show", "Survived", "Failed"))}\n`);
  for (const { name, schedules, could_show: shown, failed } of met) {
    const good = shown === 0 ? paint.wait("!") : paint.good("✓");
    const mark = failed === 0 ? good : paint.bad("✗");
    io.out(say`${name.padEnd(width)}${cells(schedules, shown, schedules - failed, failed)} ${mark}\n`);
  }
  const line = `${survived} of ${formatCount(tried, "fault")} survived.`;
  io.out(say`\n${survived === tried ? paint.good(line) : paint.bad(line)}\n`);
  const idle = met.filter((one) => one.could_show === 0).map(({ name }) => name);
  if (idle.length > 0) io.out(say`${paint.wait("!")} These faults never reached the shop: ${idle.join(", ")}.\n`);
}

export function printSurvival(io: Io, paint: Palette, survival: Survival, ms: number): void {
  const { seed, schedules, survived, failed, failures, faults, unseen } = survival;
  printFailures(io, paint, failures);
  printFaults(io, paint, faults);
  io.out(
    say`${formatCount(schedules, "schedule")} in ${tookText(ms)} with --seed ${seed}: ${survived} survived, ${failed} failed.\n`,
  );
  for (const text of unseen) io.out(say`${paint.wait("!")} ${text}\n`);
}
