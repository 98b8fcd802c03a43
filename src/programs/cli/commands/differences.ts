import { counted, t, type Wording, type Words } from "../../../base/kernel/wording.js";
import type { Difference } from "../../../checks/reconcile/judge.js";
import type { Totals } from "../../../checks/reconcile/reconcile.js";
import type { ReportCase } from "../reports/junit.js";
import type { Palette } from "../terminal/output.js";
import { say, type TerminalText } from "../terminal/terminal-text.js";

/** Reports the differences between orders and payments to people and to build servers. */

export function differenceText(paint: Palette, { code, text, command }: Difference<Words>): TerminalText {
  return say`${paint.bad("✗")} ${paint.strong(code)}\n  ${text}\n  ${command}\n`;
}

/** How many differences of each kind there are. */
export function formatCounts(found: number, counts: Totals["counts"]): Wording {
  const parts = Object.entries(counts).flatMap(([code, count]) => (count === 0 ? [] : [`${count} ${code}`]));
  return t`${counted(found, "difference")}: ${parts.join(", ")}.`;
}

/** A case for each difference, and one for each kind without any. */
export function reportCasesOf(differences: readonly Difference<Words>[], counts: Totals["counts"]): ReportCase[] {
  const failed = differences.map(({ code, order, id, text, command }): ReportCase => {
    const name = order === null ? (id ?? code) : `order ${order}`;
    return { group: code, name, status: "failed", message: String(text), detail: `${text}\n${command}` };
  });
  const passed = Object.entries(counts).filter(([, count]) => count === 0);
  return [
    ...failed,
    ...passed.map(([code]): ReportCase => ({ group: code, name: "none", status: "passed", message: "", detail: "" })),
  ];
}
