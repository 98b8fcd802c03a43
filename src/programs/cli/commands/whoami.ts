import { parseObject } from "../../../base/kernel/json.js";
import type { Words } from "../../../base/kernel/wording.js";
import { findConnection } from "../host/connect.js";
import { requireLogin } from "../host/credential.js";
import { palette, zonedTime } from "../terminal/output.js";
import { jsonText, say } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

/** The expiry time inside the token, on the service's emulated clock; null when the token cannot be read. */
function expiryOf(token: string): string | null {
  try {
    const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8");
    return new Date(Number(parseObject(payload).exp) * 1_000).toISOString();
  } catch {
    return null;
  }
}

export const command = defineCommand({
  command: "whoami",
  summary: "Show who is logged in, and until when",
  examples: ["qa-pay whoami", "qa-pay whoami --json"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, flags }) => {
  const { apiKey: _unused, ...others } = flags;
  const connection = await findConnection(io, others, { sendsNothing: true });
  const { url: base_url, from } = connection.host;
  const { user, account, token } = requireLogin(connection);
  const expires_at = expiryOf(token);
  if (flags.json) return io.out(jsonText({ user, account, base_url, base_url_from: from, expires_at }));
  const paint = await palette(io, flags.color !== false);
  const row = (name: string, value: Words) => io.out(say`${paint.dim(name.padEnd(8))}  ${value}\n`);
  row("User", `${user.name} <${user.email}>`);
  row("Role", user.role);
  row("Account", account.name);
  row("At", base_url);
  row("From", from);
  if (expires_at !== null) row("Until", `${zonedTime(expires_at, flags.utc)} on the clock of the service`);
});
