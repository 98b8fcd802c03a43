import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { usage } from "../../terminal/failure.js";

/** What `--fees` says: JSON or `@file`. Throws Failure when it is none; what is in it is not looked at. */
export function readFees(text: string, cwd: string): unknown {
  try {
    return JSON.parse(text.startsWith("@") ? readFileSync(resolve(cwd, text.slice(1)), "utf8") : text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const example = '{"PIX":{"platform":{"fixed":30,"bps":99}}}';
    throw usage(`--fees takes JSON such as ${example}, or @file: ${reason}`);
  }
}
