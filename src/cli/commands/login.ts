import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure, jsonOf, refusalOf } from "../failure.js";
import type { Io } from "../io.js";
import { palette, timeText } from "../output.js";
import { type Login, saveLogin } from "../profiles.js";
import { findTarget, type GlobalFlags, requireLogin, requireTrust, resolveTarget, sendOrFail } from "../request.js";
import { mayBeSent } from "../safety.js";
import { bodyText, jsonText, say } from "../terminal-text.js";

/** Logging in as a user of the account. The token is kept in the profile, which only its owner may read. */

interface LoginFlags extends GlobalFlags {
  readonly email?: string;
  readonly passwordStdin?: boolean;
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function credentialsOf(io: Io, { email, passwordStdin }: LoginFlags): Promise<Credentials> {
  if (!io.isTerminal && (email === undefined || !passwordStdin)) {
    const hint = "For example: qa-pay login --email owner@qa-pay.test --password-stdin < password.txt";
    const message = "There is no terminal to ask at: give --email and --password-stdin.";
    throw new Failure(EXIT.usage, "usage", message, undefined, hint);
  }
  return {
    email: email ?? (await io.prompt.input("E-mail")),
    // The line end is the file's, not the password's.
    password: passwordStdin ? (await io.readInput()).replace(/\r?\n$/, "") : await io.prompt.password("Password"),
  };
}

function nameOf({ user, account }: Pick<Login, "user" | "account">): string {
  return `${user.name} <${user.email}>, ${user.role} of ${account.name}`;
}

/** The API key plays no part, so that `-` leaves standard input to the password. */
function withoutKey({ apiKey: _unused, ...flags }: LoginFlags): LoginFlags {
  return flags;
}

/** Throws Failure (exit 7) for an answer that holds no login. */
function loginOf(text: string): Pick<Login, "token" | "user" | "account"> {
  const { token, user, account } = (jsonOf(text) ?? {}) as Partial<Login>;
  // It is sent as a header.
  const isToken = typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
  if (isToken && typeof user?.email === "string" && typeof account?.name === "string") {
    return { token, user, account };
  }
  throw new Failure(EXIT.unreachable, "unexpected_answer", "The host answered 200 without a token.");
}

export async function logIn(io: Io, given: LoginFlags): Promise<ExitCode> {
  const flags = withoutKey(given);
  const target = await resolveTarget(io, flags);
  requireTrust(target, "a password");
  const { baseUrl } = target;
  const { email, password } = await credentialsOf(io, flags);
  const headers = { accept: "application/json", "content-type": "application/json" };
  const request = { method: "POST", url: `${baseUrl}/v1/auth/login`, headers };
  // What is shown or asked about must not hold the password.
  const shown = { ...request, body: JSON.stringify({ email, password: "…" }) };
  if (!(await mayBeSent(io, shown, flags))) return EXIT.done;
  const { status, text } = await sendOrFail({ ...request, body: JSON.stringify({ email, password }) }, target);
  if (status !== 200) throw refusalOf(status, text);
  const { token, user, account } = loginOf(text);
  saveLogin(io, target.loginPlace(), { base_url: baseUrl, token, user, account });
  if (flags.json) io.out(bodyText(io, `${text}\n`));
  else if (!flags.quiet) {
    const paint = await palette(io, flags.color !== false);
    io.out(say`${paint.good("✓")} logged in as ${nameOf({ user, account })}\n`);
  }
  return EXIT.done;
}

export async function logOut(io: Io, given: GlobalFlags): Promise<ExitCode> {
  const flags = withoutKey(given);
  const target = await resolveTarget(io, flags);
  const { token } = requireLogin(target);
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const request = { method: "POST", url: `${target.baseUrl}/v1/auth/logout`, headers, body: undefined };
  if (!(await mayBeSent(io, request, flags))) return EXIT.done;
  const { status, text } = await sendOrFail(request, target);
  // A token that no longer works is what was asked for.
  if (status !== 204 && status !== 401) throw refusalOf(status, text);
  saveLogin(io, target.loginPlace(), null);
  if (!flags.quiet && !flags.json) {
    const paint = await palette(io, flags.color !== false);
    io.out(say`${paint.good("✓")} logged out\n`);
  }
  return EXIT.done;
}

/** When a token ends, as it says itself: the service counts on its emulated clock. */
function expiryOf(token: string): string | null {
  try {
    const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8");
    const { exp } = JSON.parse(payload) as { exp: number };
    return new Date(exp * 1_000).toISOString();
  } catch {
    return null;
  }
}

export async function whoAmI(io: Io, given: GlobalFlags): Promise<ExitCode> {
  const target = await findTarget(io, withoutKey(given));
  const { baseUrl: base_url, from } = target;
  const { user, account, token } = requireLogin(target);
  const expires_at = expiryOf(token);
  if (given.json) {
    io.out(jsonText({ user, account, base_url, base_url_from: from, expires_at }));
    return EXIT.done;
  }
  const paint = await palette(io, given.color !== false);
  const row = (name: string, value: string) => io.out(say`${paint.dim(name.padEnd(8))}  ${value}\n`);
  row("User", `${user.name} <${user.email}>`);
  row("Role", user.role);
  row("Account", account.name);
  row("At", base_url);
  row("From", from);
  if (expires_at !== null) row("Until", `${timeText(expires_at, given.utc)} on the clock of the service`);
  return EXIT.done;
}
