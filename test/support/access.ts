import type { UserRole } from "../../src/base/kernel/contract.js";
import { type Answer, bodyOf, type CallOptions, type Loose, type TestEmulator } from "./emulator.js";

/** Users of the dashboard: logging in, and calls with their tokens. */

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The user of a role of the first account, with the password that this start made. */
export function userOf(emulator: TestEmulator, role: UserRole = "OWNER"): Credentials {
  const user = emulator.users.find((one) => one.role === role);
  if (user === undefined || user.password === null) throw new Error(`this start made no ${role}`);
  return { email: user.email, password: user.password };
}

export function postLogin(emulator: TestEmulator, body: unknown): Promise<Answer> {
  return emulator.call("POST", "/v1/auth/login", { key: null, body });
}

/** Returns a new token. Throws when the login is refused. */
export async function tokenOf(emulator: TestEmulator, who: UserRole | Credentials = "OWNER"): Promise<string> {
  const credentials = typeof who === "string" ? userOf(emulator, who) : who;
  const { status, body } = await postLogin(emulator, credentials);
  if (status !== 200) throw new Error(`no login: ${status} ${JSON.stringify(body)}`);
  return body.token;
}

export function bearer(token: string): CallOptions & { readonly headers: Record<string, string> } {
  return { key: null, headers: { authorization: `Bearer ${token}` } };
}

/** Issues a key and returns it. */
export async function issue(emulator: TestEmulator, token: string, body: object = {}): Promise<Loose> {
  return bodyOf(await emulator.call("POST", "/v1/api-keys", { ...bearer(token), body }));
}

/** True if an API key is let in. */
export async function works(emulator: TestEmulator, key: string): Promise<boolean> {
  return (await emulator.call("GET", "/v1/wallets", { key })).status === 200;
}
