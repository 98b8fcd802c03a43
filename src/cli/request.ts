import {
  fillPath,
  type HttpAnswer,
  type HttpRequest,
  isPathSegment,
  queryString,
  send,
  Unreachable,
} from "../client/send.js";
import type { CommandSpec, FlagSpec } from "./describe-commands.js";
import { EXIT } from "./exit-codes.js";
import { Failure, jsonOf, refusalOf } from "./failure.js";
import type { Io } from "./io.js";
import type { Login } from "./profiles.js";
import { announceMode } from "./safety.js";
import { chooseTarget } from "./settings.js";

/** Turns a parsed command line into one request and the answer into text or a failure. */

export interface GlobalFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly json?: boolean;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly utc?: boolean;
}

export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Who is logged in at that address, when anybody is. */
  readonly login?: Login | undefined;
}

const KEY_HINT = "Start a server here with `qa-pay serve`, or give a key with --api-key or QA_PAY_API_KEY.";
const LOGIN_HINT = "Log in with `qa-pay login`; the first `qa-pay serve` showed the users and their passwords.";

function usage(message: string): Failure {
  return new Failure(EXIT.usage, "usage", message);
}

/** Flag beats environment beats the project's `.env` beats profile. Says whose data that is when it is no local test. */
export async function resolveTarget(io: Io, flags: GlobalFlags): Promise<Target> {
  const typed = flags.apiKey === "-" ? { ...flags, apiKey: (await io.readInput()).trim() } : flags;
  const target = chooseTarget(io, typed);
  announceMode(io, target, flags);
  return target;
}

/** Who is logged in there. Throws Failure (exit 3) when nobody is. */
export function requireLogin({ baseUrl, login }: Target): Login {
  if (login !== undefined) return login;
  throw new Failure(EXIT.denied, "unauthorized", `Nobody is logged in at ${baseUrl}.`, undefined, LOGIN_HINT);
}

async function fileText(path: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(path, "utf8");
  } catch {
    throw usage(`The file ${path} cannot be read.`);
  }
}

/** The value of a flag in the type of its field. What cannot be one is refused before anything is sent. */
async function flagValue(flag: FlagSpec, given: string | string[] | boolean): Promise<unknown> {
  if (flag.nullable && given === "null") return null;
  const text = Array.isArray(given) ? given.join(",") : String(given);
  switch (flag.type) {
    case "integer":
      if (!/^-?\d+$/.test(text)) throw usage(`--${flag.name} takes a whole number, not ${text}.`);
      return Number(text);
    case "number":
      if (text.trim() === "" || Number.isNaN(Number(text))) throw usage(`--${flag.name} takes a number, not ${text}.`);
      return Number(text);
    case "boolean":
      if (text !== "true" && text !== "false") throw usage(`--${flag.name} takes true or false, not ${text}.`);
      return text === "true";
    case "list":
      return text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    case "json":
      try {
        return JSON.parse(text.startsWith("@") ? await fileText(text.slice(1)) : text);
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw usage(`--${flag.name} takes JSON, or @file with JSON.`);
      }
    case "string":
    case "instant":
      return text;
  }
}

function put(body: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? path;
  let holder = body;
  for (const key of keys) {
    holder[key] ??= {};
    holder = holder[key] as Record<string, unknown>;
  }
  holder[last] = value;
}

export interface Prepared {
  readonly request: HttpRequest;
  /** The key that makes a repetition harmless, given or made. */
  readonly idempotencyKey: string | null;
}

export async function prepare(
  spec: CommandSpec,
  target: Target,
  positional: readonly string[],
  options: Readonly<Record<string, string | string[] | boolean | undefined>>,
  newIdempotencyKey: () => string,
): Promise<Prepared> {
  const ids = Object.fromEntries(spec.arguments.map(({ name }, index) => [name, positional[index]]));
  const unusable = spec.arguments.find(({ name }) => !isPathSegment(ids[name] ?? ""));
  if (unusable !== undefined) throw usage(`${JSON.stringify(ids[unusable.name])} cannot be an ${unusable.name}.`);
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = { ...spec.constants };
  for (const flag of spec.flags) {
    const given = options[flag.name];
    if (given === undefined) continue;
    const value = await flagValue(flag, given);
    if (flag.place === "query") query[flag.field] = value;
    else put(body, flag.field, value);
  }
  for (const { name, field } of spec.arguments) if (field !== undefined) put(body, field, ids[name]);
  const headers: Record<string, string> = { accept: "application/json" };
  if (spec.auth === "jwt") headers.authorization = `Bearer ${requireLogin(target).token}`;
  if (spec.auth === "key") {
    if (target.apiKey === null) {
      throw new Failure(EXIT.denied, "unauthorized", "No API key is known.", undefined, KEY_HINT);
    }
    headers.apikey = target.apiKey;
  }
  const { idempotencyKey: place } = spec;
  const key = place === undefined ? null : String(options["idempotency-key"] ?? newIdempotencyKey());
  if (key !== null && place === "header") headers["idempotency-key"] = key;
  else if (key !== null && place !== undefined) body[place] = key;
  const withBody = spec.method === "POST" || spec.method === "PATCH";
  if (withBody) headers["content-type"] = "application/json";
  const url = target.baseUrl + fillPath(spec.path, ids) + queryString(query);
  const request = { method: spec.method, url, headers, body: withBody ? JSON.stringify(body) : undefined };
  return { request, idempotencyKey: key };
}

/** The answer's body as it came. Throws Failure for whatever is not a 2xx, and for a page that some host shows. */
export async function exchange(spec: CommandSpec, target: Target, request: HttpRequest): Promise<string> {
  const answer = await sendOrFail(request);
  const { status, text } = answer;
  if (status < 300) {
    if (text !== "") jsonOf(text);
    return text;
  }
  if (spec.surface === "sandbox" && status === 404 && !(await isEmulator(target))) {
    throw notEmulator(target);
  }
  throw refusalOf(status, text, hintFor(spec, request, answer));
}

export function notEmulator({ baseUrl }: Target): Failure {
  const message = `${baseUrl} is no qa-pay emulator; this works only on one.`;
  return new Failure(EXIT.usage, "no_emulator", message);
}

export async function sendOrFail(request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await send(request);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const hint = "Is the server running? `qa-pay serve` starts one on this machine.";
    throw new Failure(EXIT.unreachable, "unreachable", error.message, undefined, hint);
  }
}

/** A service that is none answers 404 to every control route, and so does an emulator to an unknown id. */
async function isEmulator({ baseUrl, apiKey }: Target): Promise<boolean> {
  const headers = { accept: "application/json", apikey: apiKey ?? "" };
  const { status, text } = await sendOrFail({ method: "GET", url: `${baseUrl}/_sandbox`, headers, body: undefined });
  return status === 200 && text.includes('"emulator":"qa-pay"');
}

function hintFor(spec: CommandSpec, { url }: HttpRequest, { status, headers }: HttpAnswer): string | undefined {
  const wait = headers.get("retry-after");
  if (status === 429 && wait !== undefined) return `Retry-After is ${wait}${/^\d+$/.test(wait) ? " seconds" : ""}.`;
  if (status === 401) return spec.auth === "jwt" ? LOGIN_HINT : KEY_HINT;
  if (status !== 404) return undefined;
  // Section 4.6 knows the same object by its raw id; what a person has at hand is mostly a charge's.
  const raw = /\/v1\/payments\/ch_([^/?]+)/.exec(url)?.[1];
  if (raw !== undefined) return `That is a charge's id. Its payment is tx_${raw}.`;
  if (spec.preview === undefined) return undefined;
  return `This route is a preview: the server must be started with \`qa-pay serve --preview ${spec.preview}\`.`;
}
