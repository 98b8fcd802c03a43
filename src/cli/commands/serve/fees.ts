import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { usage } from "../../terminal/failure.js";

/**
 * Parses the value of `--fees`: JSON or `@file`. Throws Failure (exit 2) when it is not JSON. Does not check the fees.
 */
export function readFees(text: string, cwd: string): unknown {
  try {
    return JSON.parse(text.startsWith("@") ? readFileSync(resolve(cwd, text.slice(1)), "utf8") : text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const example = '{"PIX":{"platform":{"fixed":30,"bps":99}}}';
    throw usage(`--fees takes JSON such as ${example}, or @file: ${reason}`);
  }
}
