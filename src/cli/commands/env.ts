import type { EmulatorVariables } from "../env-file.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import type { Io } from "../io.js";
import { isRunning, type ProjectServer } from "../project.js";
import { findTarget, type GlobalFlags, requireEmulator, requireKey, signingSecretOf, type Target } from "../request.js";
import { bodyText, say } from "../terminal-text.js";

/** `env`: what an application needs to use the emulator that commands here use. */

interface EnvFlags extends GlobalFlags {
  readonly format?: "dotenv" | "shell" | "json";
}

async function variablesOf(target: Target, stopped: ProjectServer | null): Promise<EmulatorVariables> {
  const key = requireKey(target);
  if (stopped === null) await requireEmulator(target);
  const secret = stopped === null ? await signingSecretOf(target) : stopped.signingSecret;
  return { QA_PAY_BASE_URL: target.baseUrl, QA_PAY_API_KEY: key, QA_PAY_WEBHOOK_SECRET: secret };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export async function printEnv(io: Io, flags: EnvFlags): Promise<ExitCode> {
  const target = await findTarget(io, flags);
  const stopped = target.project === null || isRunning(io, target.project) ? null : target.project;
  const variables = await variablesOf(target, stopped);
  const format = flags.format ?? (flags.json ? "json" : "dotenv");
  const lines = Object.entries(variables).map(([name, value]) =>
    format === "shell" ? `export ${name}=${quoted(value)}\n` : `${name}=${value}\n`,
  );
  io.out(bodyText(io, format === "json" ? `${JSON.stringify(variables)}\n` : lines.join("")));
  if (stopped !== null && !flags.quiet && !flags.json) {
    io.err(
      say`Note: this server is not running. These are the values of its last start; \`qa-pay serve\` starts it.\n`,
    );
  }
  return EXIT.done;
}
