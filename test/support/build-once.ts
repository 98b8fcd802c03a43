import { execSync } from "node:child_process";

/** Builds `dist/` before the first test that runs it, so that no such test ever meets a stale build. */
export function setup(): void {
  execSync("npm run --silent build", { stdio: ["ignore", "ignore", "inherit"] });
}
