import { connect } from "../host/connect.js";
import { mayBeSent } from "../host/consent.js";
import { requireLogin } from "../host/credential.js";
import { sendOrFail } from "../host/send.js";
import { saveLogin } from "../profiles/profiles.js";
import { refusalOf } from "../terminal/failure.js";
import { printDone } from "../terminal/output.js";
import { defineCommand } from "../tree/define-command.js";

export const command = defineCommand({
  command: "logout",
  summary: "End the login: its token stops working",
  examples: ["qa-pay logout"],
  sends: true,
}).run(async ({ io, flags: { apiKey: _unused, ...flags } }) => {
  const connection = await connect(io, flags);
  const { token } = requireLogin(connection);
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const request = { method: "POST", url: `${connection.host.url}/v1/auth/logout`, headers, body: undefined };
  if (!(await mayBeSent(io, connection.policy, request, flags))) return;
  const { status, text } = await sendOrFail(request, connection.policy);
  // A 401 means that the token has stopped working already, which is the purpose of a logout.
  if (status !== 204 && status !== 401) throw refusalOf(status, text);
  saveLogin(io, connection.credential.loginPlace(), null);
  await printDone(io, "logged out", flags);
});
