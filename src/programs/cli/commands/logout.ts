import { sendOrFail } from "../target/ask-host.js";
import { saveLogin } from "../target/profiles.js";
import { requireLogin, resolveTarget } from "../target/resolve-target.js";
import { mayBeSent } from "../target/safety.js";
import { refusalOf } from "../terminal/failure.js";
import { printDone } from "../terminal/output.js";
import { defineCommand } from "../tree/define-command.js";

export const command = defineCommand({
  command: "logout",
  summary: "End the login: its token stops working",
  examples: ["qa-pay logout"],
  sends: true,
}).run(async ({ io, flags: { apiKey: _unused, ...flags } }) => {
  const target = await resolveTarget(io, flags);
  const { token } = requireLogin(target);
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const request = { method: "POST", url: `${target.baseUrl}/v1/auth/logout`, headers, body: undefined };
  if (!(await mayBeSent(io, target, request, flags))) return;
  const { status, text } = await sendOrFail(request, target);
  // A 401 means that the token has stopped working already, which is the purpose of a logout.
  if (status !== 204 && status !== 401) throw refusalOf(status, text);
  saveLogin(io, target.loginPlace(), null);
  await printDone(io, "logged out", flags);
});
