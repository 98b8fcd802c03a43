import { formatCount } from "../../../../base/kernel/format-count.js";
import { bySection, type CheckOutcome, sectionTitle } from "../../../../checks/conformance/check.js";
import type { Io } from "../../terminal/io.js";
import { type Palette, palette } from "../../terminal/output.js";
import { joinTexts, say, type TerminalText } from "../../terminal/terminal-text.js";
import { lineBreaks } from "../../terminal/wrap.js";

/** Prints the outcome of the checks for a person: first what is wrong, then all checks by section. */

const WIDTH = 80;

/** A text behind a label, broken into lines below each other. */
function withLabel(label: string, text: string, indent: string): TerminalText {
  const room = WIDTH - indent.length - label.length;
  const [first = "", ...more] = lineBreaks(text, room);
  const rest = more.map((line) => say`${indent}${" ".repeat(label.length)}${line}\n`);
  return joinTexts([say`${indent}${label}${first}\n`, ...rest], "");
}

function* groupBySection(outcomes: readonly CheckOutcome[]): Generator<readonly [string, readonly CheckOutcome[]]> {
  const sections = [...new Set(outcomes.map(({ check }) => check.section))].sort(bySection);
  for (const section of sections) yield [section, outcomes.filter(({ check }) => check.section === section)];
}

/** Differences with all that is known about them, by section. */
function printDifferences(io: Io, outcomes: readonly CheckOutcome[], mark: TerminalText, paint: Palette): void {
  for (const [section, members] of groupBySection(outcomes)) {
    io.out(say`${paint.strong(sectionTitle(section))}\n`);
    for (const { check, expected, seen, look } of members) {
      io.out(say`  ${mark} ${paint.strong(check.name)}\n`);
      io.out(withLabel("Expected: ", expected, "    "));
      io.out(withLabel("Seen:     ", `${seen}.`, "    "));
      // A command is not broken, so that it can be copied.
      if (look !== "") io.out(say`    Look:     ${look}\n`);
    }
    io.out(say`\n`);
  }
}

function printAll(io: Io, outcomes: readonly CheckOutcome[], paint: Palette): void {
  const width = Math.max(...outcomes.map(({ check }) => check.name.length)) + 2;
  const marks = { passed: paint.good("✓"), failed: paint.bad("✗"), skipped: paint.dim("-") };
  for (const [section, members] of groupBySection(outcomes)) {
    io.out(say`${paint.strong(sectionTitle(section))}\n`);
    for (const { check, status, isWarned, seen } of members) {
      const mark = isWarned ? paint.wait("!") : marks[status];
      const [first = "", ...more] = lineBreaks(status === "failed" || isWarned ? "see above" : seen, WIDTH - width - 4);
      io.out(say`  ${mark} ${check.name.padEnd(width)}${first}\n`);
      for (const line of more) io.out(say`${" ".repeat(width + 4)}${line}\n`);
    }
    io.out(say`\n`);
  }
}

/** The last line: `80 passed, 2 failed, 5 skipped, 1 warning.` */
function summary(outcomes: readonly CheckOutcome[]): string {
  const failed = outcomes.filter(({ status }) => status === "failed").length;
  const skipped = outcomes.filter(({ status }) => status === "skipped").length;
  const warned = outcomes.filter(({ isWarned }) => isWarned).length;
  const passed = outcomes.length - failed - skipped;
  return [
    `${passed} passed`,
    `${failed} failed`,
    `${skipped} skipped`,
    ...(warned === 0 ? [] : [formatCount(warned, "warning")]),
  ].join(", ");
}

/** With `isShort` it prints differences and the summary alone. */
export async function printReport(
  io: Io,
  outcomes: readonly CheckOutcome[],
  { color, isShort }: { readonly color: boolean; readonly isShort: boolean },
): Promise<void> {
  const paint = await palette(io, color);
  const failed = outcomes.filter(({ status }) => status === "failed");
  printDifferences(io, failed, paint.bad("✗"), paint);
  printDifferences(
    io,
    outcomes.filter(({ isWarned }) => isWarned),
    paint.wait("!"),
    paint,
  );
  if (!isShort) printAll(io, outcomes, paint);
  const line = `${summary(outcomes)}.`;
  io.out(say`${failed.length === 0 ? paint.good(line) : paint.bad(line)}\n`);
}
