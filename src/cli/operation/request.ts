import {
  fillPath,
  type HttpAnswer,
  type HttpRequest,
  isPathSegment,
  queryString,
  send,
  Unreachable,
} from "../../client/send.js";
import { parseDuration } from "../../kernel/duration.js";
import { isJsonObject } from "../../kernel/json.js";
import { nearest } from "../../kernel/nearest.js";
import { type ChosenTarget, chooseTarget } from "../target/choose-target.js";
import type { Login } from "../target/profiles.js";
import { isRunning } from "../target/project.js";
import { announceMode, isLoopback, keyPrefix } from "../target/safety.js";
import { EXIT } from "../terminal/exit-codes.js";
import { envelopeIn, exactJson, Failure, jsonOf, refusalOf, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/terminal-text.js";
import type { FlagSpec, OperationSpec } from "../tree/describe-operations.js";

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
  readonly requestTimeout?: string;
}

export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** What named the host, and what holds the key, in words. */
  readonly from?: string;
  readonly keyFrom?: string | null;
  /** Why a key that there is does not go there. */
  readonly keyHint?: string | undefined;
  /** Who is logged in at that address, when anybody is. */
  readonly login?: () => Login | undefined;
  /** Real milliseconds that a request may take, when somebody said so. */
  readonly timeoutMs?: number | undefined;
}

const KEY_HINT = "Start a server here with `qa-pay serve`, or give a key with --api-key or QA_PAY_API_KEY.";
const LOGIN_HINT = "Log in with `qa-pay login`; the first `qa-pay serve` showed the users and their passwords.";

const LONGEST_TIMEOUT_MS = 86_400_000;

function requestTimeout({ env }: Io, { requestTimeout: flag }: GlobalFlags): number | undefined {
  const text = flag ?? env.QA_PAY_REQUEST_TIMEOUT;
  if (text === undefined || text === "") return undefined;
  const ms = parseDuration(text);
  if (ms !== null && ms >= 1 && ms <= LONGEST_TIMEOUT_MS) return ms;
  const where = flag === undefined ? "QA_PAY_REQUEST_TIMEOUT" : "--request-timeout";
  throw usage(`${where} takes a duration up to 1d, such as 10s or 2m, not ${text}.`);
}

function origin({ from }: Target): string {
  return from === undefined ? "" : ` (from ${from})`;
}

/** Where the command goes, by whatever names a host; its server may have stopped. `-` is read from standard input. */
export async function findTarget(io: Io, flags: GlobalFlags): Promise<ChosenTarget> {
  const apiKey = flags.apiKey === "-" ? await io.readInput() : flags.apiKey;
  const timeoutMs = requestTimeout(io, flags);
  const target = { ...chooseTarget(io, apiKey === undefined ? flags : { ...flags, apiKey }), timeoutMs };
  if (flags.verbose) {
    io.err(say`Host: ${target.baseUrl}${origin(target)}\n`);
    if (target.apiKey !== null) io.err(say`Key: ${keyPrefix(target.apiKey)} (from ${target.keyFrom ?? ""})\n`);
  }
  return target;
}

/** Where a request is to go. Says whose data that is when it is no local test. */
export async function resolveTarget(io: Io, flags: GlobalFlags): Promise<ChosenTarget> {
  const target = await findTarget(io, flags);
  if (!flags.dryRun) requireRunning(io, target);
  announceMode(io, target, flags);
  return target;
}

/** Throws Failure when the server of the project has stopped: whoever listens there by now is another one. */
function requireRunning(io: Io, { project }: ChosenTarget): void {
  if (project === null || isRunning(io, project)) return;
  const message = `The server of this project is not running (${project.file}).`;
  const hint = "`qa-pay serve` starts it. --profile, or --base-url with --api-key, names another one.";
  throw new Failure(EXIT.unreachable, "unreachable", message, undefined, hint);
}

/** The key of the host. Throws Failure (exit 2) when it has none: nothing is sent then. */
export function requireKey(target: Target): string {
  if (target.apiKey !== null) return target.apiKey;
  const message = `No API key is known for ${target.baseUrl}${origin(target)}.`;
  throw new Failure(EXIT.usage, "no_api_key", message, undefined, target.keyHint ?? KEY_HINT);
}

/** Throws Failure (exit 2) when only what came with a project names the host: nothing of the person's goes there. */
export function requireTrust({ baseUrl, from, isTrusted }: ChosenTarget, what: string): void {
  if (isTrusted()) return;
  const hint = `Add --base-url ${baseUrl} to say that you mean it.`;
  const message = `Only ${from} names ${baseUrl}: ${what} does not go there.`;
  throw new Failure(EXIT.usage, "host_not_named", message, undefined, hint);
}

/** Who is logged in there. Throws Failure (exit 3) when nobody is. */
export function requireLogin(target: Target): Login {
  const known = target.login?.();
  if (known !== undefined) return known;
  const message = `Nobody is logged in at ${target.baseUrl}${origin(target)}.`;
  throw new Failure(EXIT.denied, "unauthorized", message, undefined, LOGIN_HINT);
}

async function fileText(path: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(path, "utf8");
  } catch {
    throw usage(`The file ${path} cannot be read.`);
  }
}

function isAmount({ field }: FlagSpec): boolean {
  return field.split(".").at(-1) === "amount";
}

/** For an amount that was written as a price: how it is written here. */
function centavos(flag: FlagSpec, text: string): string {
  const price = /^(?:R\$ ?)?(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!isAmount(flag) || price === null) return isAmount(flag) ? " 1990 is R$ 19,90." : "";
  const [, whole = "", part = ""] = price;
  return ` For R$ ${whole},${part.padEnd(2, "0")} write ${Number(whole + part.padEnd(2, "0"))}.`;
}

/** The value of a flag in the type of its field. What cannot be one is refused before anything is sent. */
async function flagValue(flag: FlagSpec, given: string | string[] | boolean): Promise<unknown> {
  if (flag.nullable && given === "null") return null;
  const text = Array.isArray(given) ? given.join(",") : String(given);
  switch (flag.type) {
    case "integer":
      if (/^-?\d+$/.test(text)) return Number(text);
      throw usage(
        `--${flag.name} takes a whole number${isAmount(flag) ? " of centavos" : ""}, not ${text}.${centavos(flag, text)}`,
      );
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
        return exactJson(text.startsWith("@") ? await fileText(text.slice(1)) : text, `--${flag.name}`);
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

/** Throws Failure for what no header can hold: it would look as if nobody answered. */
function headerText(what: string, text: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  throw usage(`${what} holds a character that cannot be sent in a header: use letters, digits and punctuation.`);
}

/** An id without what comes along from a table, a mail or a log: white space, quotes, brackets, a comma. */
function pasted(id: string): string {
  return id.replace(/^[\s"'“”‘’<]+|[\s"'“”‘’>,;]+$/gu, "");
}

export interface Prepared {
  readonly request: HttpRequest;
  /** The key that makes a repetition harmless, given or made. */
  readonly idempotencyKey: string | null;
}

export async function prepare(
  spec: OperationSpec,
  target: Target,
  positional: readonly string[],
  options: Readonly<Record<string, string | string[] | boolean | undefined>>,
  newIdempotencyKey: () => string,
): Promise<Prepared> {
  const ids = Object.fromEntries(spec.arguments.map(({ name }, index) => [name, pasted(positional[index] ?? "")]));
  const unusable = spec.arguments.find(({ name }) => !isPathSegment(ids[name] ?? ""));
  if (unusable !== undefined) throw usage(`${JSON.stringify(ids[unusable.name])} cannot be an ${unusable.name}.`);
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = { ...spec.constants, ...spec.defaults };
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
  if (spec.auth === "key") headers.apikey = requireKey(target);
  const { idempotencyKey: place } = spec;
  const key = place === undefined ? null : String(options["idempotency-key"] ?? newIdempotencyKey());
  if (key !== null && place === "header") headers["idempotency-key"] = headerText("--idempotency-key", key);
  else if (key !== null && place !== undefined) body[place] = key;
  const withBody = spec.method === "POST" || spec.method === "PATCH";
  if (withBody) headers["content-type"] = "application/json";
  const url = target.baseUrl + fillPath(spec.path, ids) + queryString(query);
  const text = withBody ? JSON.stringify(body) : undefined;
  const timeoutMs = target.timeoutMs ?? spec.timeoutMs;
  const request = { method: spec.method, url, headers, body: text, timeoutMs };
  return { request, idempotencyKey: key };
}

/** The answer's body as it came. Throws Failure for whatever is not a 2xx, and for a page that some host shows. */
export async function exchange(
  spec: OperationSpec,
  target: Target,
  request: HttpRequest,
  told: (answer: HttpAnswer) => void = () => undefined,
): Promise<string> {
  if (spec.surface === "sandbox") await requireEmulator(target);
  const answer = await sendOrFail(request);
  told(answer);
  const { status, text } = answer;
  if (status >= 200 && status < 300) {
    checkAnswer(spec, status, text);
    return text;
  }
  throw refusalOf(status, text, hintFor(spec, target, request, answer));
}

/** Some hosts answer anything with a success. Throws Failure (exit 7) when it is not what was asked for. */
function checkAnswer({ answer: { type, has } }: OperationSpec, status: number, text: string): void {
  const strange = (what: string) => {
    const hint = "Is this the address of the service? See what it says with --verbose, or with `qa-pay doctor`.";
    return new Failure(EXIT.unreachable, "unexpected_answer", `The host answered ${status} ${what}.`, undefined, hint);
  };
  if (type === "nothing") return;
  if (text === "") throw strange("without the object that was asked for");
  const value = jsonOf(text);
  if (type === "array" && !Array.isArray(value)) throw strange("with something else than a list");
  if (type === "object" && !isJsonObject(value)) throw strange("with something else than an object");
  const missing = has.find((name) => !isJsonObject(value) || value[name] === undefined);
  if (missing !== undefined) throw strange(`with an object that has no ${missing}`);
}

function notEmulator({ baseUrl }: Target): Failure {
  const message = `${baseUrl} is no qa-pay emulator; this works only on one.`;
  return new Failure(EXIT.usage, "no_emulator", message);
}

/** What was sent and not answered may have been carried out: a repetition is harmless under the same key alone. */
function nextStep({ isLost, isLate }: Unreachable, { method, url, headers }: HttpRequest): string {
  if (!isLost && isLoopback(url)) return "Is the server running? `qa-pay serve` starts one on this machine.";
  if (!isLost) return "Is the address right, and the network there?";
  if (method === "GET") return isLate ? "Try it again, or give it more time with --request-timeout." : "Try it again.";
  const key = headers["idempotency-key"];
  const how = key === undefined ? "with the same --idempotency-key, or look first" : `with --idempotency-key ${key}`;
  return `It may have been carried out. Repeat it ${how}.`;
}

/** `timeoutMs` counts for a request that names no time of its own. */
export async function sendOrFail(
  request: HttpRequest,
  { timeoutMs }: Pick<Target, "timeoutMs"> = {},
): Promise<HttpAnswer> {
  try {
    return await send({ timeoutMs, ...request });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const hint = nextStep(error, request);
    throw new Failure(EXIT.unreachable, "unreachable", error.message, undefined, hint, !error.isLost);
  }
}

/** A GET with the key of the host. Throws Failure when it has none. */
export function askWithKey(target: Target, path: string): Promise<HttpAnswer> {
  const headers = { accept: "application/json", apikey: requireKey(target) };
  return sendOrFail({ method: "GET", url: target.baseUrl + path, headers, body: undefined }, target);
}

/** An answer that must be a success. Throws Failure for any other. */
export async function readFrom<Answer>(target: Target, path: string): Promise<Answer> {
  const { status, text } = await askWithKey(target, path);
  if (status !== 200) throw refusedBy(target, status, text);
  return jsonOf(text) as Answer;
}

/** What signs webhooks of the account that the key belongs to. Only an emulator tells it. */
export async function signingSecretOf(target: Target): Promise<string> {
  const { signing_secret: secret } = await readFrom<{ signing_secret?: unknown }>(target, "/_sandbox/account");
  // It is written into files as a line of its own.
  if (typeof secret === "string" && /^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new Failure(EXIT.unreachable, "unexpected_answer", `${target.baseUrl} did not tell its webhook secret.`);
}

/**
 * To be asked before anything else is: some hosts answer every address with a page, and what a script begins with on a
 * service that is no emulator is real. Throws Failure: exit 2 for such a host, or what it is refused with.
 */
export async function requireEmulator(target: Target): Promise<void> {
  const { status, text } = await askWithKey(target, "/_sandbox");
  if (status === 200 && text.includes('"emulator":"qa-pay"')) return;
  const isRefused = [401, 403, 429].includes(status) || status >= 500;
  throw isRefused ? refusedBy(target, status, text) : notEmulator(target);
}

/** A refusal of the host that the key was sent to. */
export function refusedBy(target: Target, status: number, text: string): Failure {
  return refusalOf(status, text, status === 401 ? unknownKeyHint(target) : undefined);
}

/** Somebody answers there, so it is the key: most often that of another database. */
function unknownKeyHint({ baseUrl, keyFrom }: Target): string {
  const key = typeof keyFrom === "string" ? `the key from ${keyFrom}` : "this key";
  const cause = "it belongs to another server or database, or was rotated or revoked";
  return `${baseUrl} does not know ${key}: ${cause}. Give its own with --api-key or QA_PAY_API_KEY.`;
}

/** The flag that lifts a refusal, when the command asked for it by a default of its own. */
function defaultHint({ flags, defaults }: OperationSpec, text: string): string | undefined {
  const param = envelopeIn(text)?.error.param ?? "";
  const flag = flags.find(({ field }) => field === param && Object.hasOwn(defaults, field));
  return flag === undefined ? undefined : `Add --${flag.name}: ${flag.description}.`;
}

/** The item of a list that a misspelt one most probably stands for. */
function itemHint({ flags }: OperationSpec, body: string | undefined, text: string): string | undefined {
  const [, field, index] = /^(.+)\.(\d+)$/.exec(envelopeIn(text)?.error.param ?? "") ?? [];
  const choices = flags.find((flag) => flag.field === field && flag.type === "list")?.choices;
  if (field === undefined || choices === undefined) return undefined;
  const given = (JSON.parse(body ?? "{}") as Record<string, unknown[]>)[field]?.[Number(index)];
  const meant = typeof given === "string" ? nearest(given, choices) : undefined;
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

function hintFor(
  spec: OperationSpec,
  target: Target,
  { url, body }: HttpRequest,
  { status, headers, text }: HttpAnswer,
): string | undefined {
  const wait = headers.get("retry-after");
  if (status === 429 && wait !== undefined) return `Retry-After is ${wait}${/^\d+$/.test(wait) ? " seconds" : ""}.`;
  if (status === 401) return spec.auth === "jwt" ? LOGIN_HINT : unknownKeyHint(target);
  if (status === 400) return itemHint(spec, body, text);
  if (status === 422) return defaultHint(spec, text);
  if (status !== 404) return undefined;
  const payment = /\/v1\/charges\/tx_([^/?]+)/.exec(url)?.[1];
  // An emulator says so itself.
  if (payment !== undefined && !text.includes(`ch_${payment}`))
    return `That is a payment's id. Its charge is ch_${payment}.`;
  // Section 4.6 knows the same object by its raw id; what a person has at hand is mostly a charge's.
  const raw = /\/v1\/payments\/ch_([^/?]+)/.exec(url)?.[1];
  if (raw !== undefined && !text.includes(`tx_${raw}`)) return `That is a charge's id. Its payment is tx_${raw}.`;
  if (spec.preview === undefined) return undefined;
  return `This route is a preview: the server must be started with \`qa-pay serve --preview ${spec.preview}\`.`;
}
