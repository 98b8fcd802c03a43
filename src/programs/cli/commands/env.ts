import { quoteWord } from "../../../base/kernel/shell.js";
import { isSigningSecret } from "../../../base/kernel/webhook-url.js";
import type { EmulatorVariables } from "../files/env-file.js";
import { findConnection } from "../host/connect.js";
import { type Connection, projectOf } from "../host/connection.js";
import { requireKey } from "../host/credential.js";
import { requireEmulator, signingSecretOf } from "../host/read.js";
import type { ProjectServer } from "../project/project-file.js";
import { usage } from "../terminal/failure.js";
import { bodyText, say } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

/** `env`: prints the variables that an application needs to use the same emulator as the commands in this folder. */

async function variablesOf(connection: Connection, stopped: ProjectServer | null): Promise<EmulatorVariables> {
  const key = requireKey(connection);
  if (stopped === null) await requireEmulator(connection);
  const secret = stopped === null ? await signingSecretOf(connection) : stopped.signingSecret;
  return checkVariables({ QA_PAY_BASE_URL: connection.host.url, QA_PAY_API_KEY: key, QA_PAY_WEBHOOK_SECRET: secret });
}

/**
 * The variables as a shell, or another program, may read them. They come from files and from a host, and a shell would run what
 * stands in `$( )`. Throws Failure (exit 2) for a value that cannot be one.
 */
function checkVariables({
  QA_PAY_BASE_URL: url,
  QA_PAY_API_KEY: key,
  QA_PAY_WEBHOOK_SECRET: secret,
}: EmulatorVariables) {
  if (!/^[\w.:/@[\]%+,~=-]+$/.test(url))
    throw usage(`${url} has characters that the address of an emulator cannot have.`);
  if (!/^qa_(?:test|live)_[\w-]+$/.test(key))
    throw usage("The key is not one of this service: they begin with qa_test_ or qa_live_.");
  if (!isSigningSecret(secret))
    throw usage("The webhook secret is not one of this service: it must have 64 hexadecimal digits.");
  return { QA_PAY_BASE_URL: url, QA_PAY_API_KEY: key, QA_PAY_WEBHOOK_SECRET: secret };
}

export const command = defineCommand({
  command: "env",
  summary: "Print address, key and webhook secret of the emulator, for an application",
  flags: {
    "--format <form>": { about: "form of the lines (default dotenv)", choices: ["dotenv", "shell", "json"] },
  },
  examples: ["qa-pay env >> .env", 'eval "$(qa-pay env --format shell)"'],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, flags }) => {
  const connection = await findConnection(io, flags, { mayBeStopped: true });
  const project = projectOf(connection.host);
  const stopped = project === null || project.isRunning ? null : project;
  const variables = await variablesOf(connection, stopped);
  const format = flags.format ?? (flags.json ? "json" : "dotenv");
  const lines = Object.entries(variables).map(([name, value]) =>
    format === "shell" ? `export ${name}=${quoteWord(value)}\n` : `${name}=${value}\n`,
  );
  io.out(bodyText(io, format === "json" ? `${JSON.stringify(variables)}\n` : lines.join("")));
  if (stopped !== null && !flags.quiet && !flags.json) {
    io.err(
      say`Note: this server is not running. These are the values of its last start; \`qa-pay serve\` starts it.\n`,
    );
  }
});
