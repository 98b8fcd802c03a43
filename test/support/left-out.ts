import type { TestContext } from "vitest";
import type { Reporter } from "vitest/node";
import { BROWSER_NEEDED } from "../../scripts/chromium.mjs";
import { PROGRAMS_NEEDED } from "../../scripts/programs.mjs";

/**
 * Lists the tests that are left out because something is missing on the machine, and the notice about it at the end of a run.
 */

interface LeftOut {
  /** The missing thing: the name of a program, or a browser. */
  readonly needs: string;
  /** The part that is left out: a test file, or a part of a page. */
  readonly what: string;
}

declare module "vitest" {
  interface TaskMeta {
    leftOut?: LeftOut;
  }
}

export const BROWSER = "a browser";

/** Notes that a test is left out, whole or in part. */
export function leftOut({ task }: TestContext, one: LeftOut): void {
  task.meta.leftOut = one;
}

/** The lines of the notice, of one thing that is missing: what is left out, and how many tests. */
function lineOf(needs: string, all: readonly LeftOut[]): string {
  const own = all.filter((one) => one.needs === needs).map(({ what }) => what);
  const parts = [...new Set(own)].sort().map((what) => {
    const count = own.filter((other) => other === what).length;
    return count === 1 ? what : `${what} (${count} tests)`;
  });
  return `  ${needs}: ${parts.join(", ")}\n`;
}

/** The notice, or an empty text where nothing was left out. */
function noticeOf(all: readonly LeftOut[]): string {
  if (all.length === 0) return "";
  const missing = [...new Set(all.map(({ needs }) => needs))].sort();
  const count = all.length === 1 ? "1 test" : `${all.length} tests`;
  const help = [
    ...(missing.some((name) => name !== BROWSER) ? [PROGRAMS_NEEDED] : []),
    ...(missing.includes(BROWSER) ? [BROWSER_NEEDED] : []),
  ];
  const lines = missing.map((needs) => lineOf(needs, all)).join("");
  return `Left out, whole or in part: ${count}, because this machine lacks what they need.\n${lines}${help.join("\n")}\n`;
}

/** Prints the notice below the results. */
export function leftOutReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const notice = noticeOf(tests.flatMap((one) => one.meta().leftOut ?? []));
      if (notice !== "") console.log(`\n${notice}`);
    },
  };
}
