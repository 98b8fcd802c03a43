import { type TestContext, test } from "vitest";
import { isInstalled, PROGRAMS, PROGRAMS_NEEDED, type ProgramName } from "../../scripts/programs.mjs";
import { leftOut } from "./left-out.js";

/**
 * Programs that a test needs and that a machine with Node need not have, so that `npm test` has no such test. Where one is
 * missing, the test is left out, and the notice at the end of the run says so. In CI that is a failure.
 */

/** True if a program is here. Where it is not, notes what of the test is left out, or throws in CI. */
export function hasProgram(context: TestContext, name: string, what: string): boolean {
  if (!(name in PROGRAMS)) throw new Error(`${name} is not among the programs of scripts/programs.mjs`);
  if (isInstalled(name as ProgramName)) return true;
  if (process.env.CI) throw new Error(`${what} needs ${name}, which is not installed. ${PROGRAMS_NEEDED}`);
  leftOut(context, { needs: name, what });
  return false;
}

/** A test that needs a program. */
export function testWith(program: ProgramName, title: string, run: () => void | Promise<void>): void {
  test(title, async (context) => {
    if (!hasProgram(context, program, context.task.file.name)) context.skip(`needs ${program}`);
    await run();
  });
}

/** For a program in Java that ends soon: code that is not made fast, and one thread to clean the heap, use the processor a third less. */
export const QUICK_JAVA = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
