import type { FlagsOf, GlobalFlags } from "../../../api/client/flags.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { connect } from "../host/connect.js";
import { mayBeSent } from "../host/consent.js";
import { requireTrust } from "../host/credential.js";
import { requireWritable } from "../host/policy.js";
import { sendOrFail } from "../host/send.js";
import { isLogin, type Login, saveLogin } from "../profiles/profiles.js";
import { EXIT, Failure, jsonOf, refusalOf, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { printDone } from "../terminal/output.js";
import { bodyText } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

/** `login`: logs in as a user of the account. Stores the token in profiles.json, which only its owner may read. */

const FLAGS = {
  "--email <text>": "e-mail address of the user; asked for when left out",
  "--password-stdin": "read the password from standard input instead of asking for it",
} as const;

type LoginFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

async function credentialsOf(io: Io, { email, passwordStdin }: LoginFlags) {
  if (!io.isTerminal && (email === undefined || !passwordStdin)) {
    const hint = "For example: qa-pay login --email owner@qa-pay.test --password-stdin < password.txt";
    const message = "There is no terminal to ask at: give --email and --password-stdin.";
    throw usage(message, hint);
  }
  return {
    email: email ?? trimPasted(await io.prompt.input("E-mail")),
    // The line break at the end belongs to the file, not to the password.
    password: passwordStdin ? (await io.readInput()).replace(/\r?\n$/, "") : await io.prompt.password("Password"),
  };
}

/** Reads the login in an answer. Throws Failure (exit 7) when there is none. */
function loginOf(baseUrl: string, text: string): Login {
  const login = { ...Object(jsonOf(text)), base_url: baseUrl };
  if (!isLogin(login)) {
    throw new Failure(EXIT.unreachable, "unexpected_answer", "The host answered 200 without a token.");
  }
  const { token, user, account } = login;
  return { base_url: baseUrl, token, user, account };
}

export const command = defineCommand({
  command: "login",
  summary: "Log in as a user of the account, to manage API keys",
  flags: FLAGS,
  examples: ["qa-pay login", "qa-pay login --email owner@qa-pay.test --password-stdin < password.txt"],
  sends: true,
}).run(async ({ io, flags: given }) => {
  // The API key is not used. With `--api-key -` it would read standard input, which may contain the password.
  const { apiKey: _unused, ...flags } = given;
  const connection = await connect(io, flags);
  requireTrust(connection.host, "a password");
  const { url: baseUrl } = connection.host;
  // Checked before the question, so that nobody types a password that is not used then.
  if (!flags.dryRun) requireWritable(connection.policy, { method: "POST", headers: {} });
  const { email, password } = await credentialsOf(io, flags);
  const headers = { accept: "application/json", "content-type": "application/json" };
  const request = { method: "POST", url: `${baseUrl}/v1/auth/login`, headers };
  // The request that is printed must not contain the password.
  const withoutPassword = { ...request, body: JSON.stringify({ email, password: "…" }) };
  if (!(await mayBeSent(io, connection.policy, withoutPassword, flags))) return;
  const { status, text } = await sendOrFail(
    { ...request, body: JSON.stringify({ email, password }) },
    connection.policy,
  );
  if (status !== 200) throw refusalOf(status, text);
  const login = loginOf(baseUrl, text);
  saveLogin(io, connection.credential.loginPlace(), login);
  if (flags.json) io.out(bodyText(io, `${text}\n`));
  else
    await printDone(
      io,
      `logged in as ${login.user.name} <${login.user.email}>, ${login.user.role} of ${login.account.name}`,
      flags,
    );
});
