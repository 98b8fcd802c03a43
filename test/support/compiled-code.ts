import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Lets all commands that tests start use what V8 compiled of the program for the first of them. Each has a home folder of
 * its own, in which it would find nothing and write everything again.
 */
export function shareCompiledCode(): void {
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "qa-pay-compiled");
}
