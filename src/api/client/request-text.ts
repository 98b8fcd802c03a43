import { isJsonObject } from "../../base/kernel/json.js";
import { shellWord } from "../../base/kernel/shell.js";
import type { LoggedRequest } from "../../service/features/requests/logged-request.js";
import { type Command, commandWords, flagWords } from "./command-words.js";
import { addressOf, findRoute, type Input, type Route } from "./route.js";

/**
 * Requests as lines for a POSIX shell. The credential stands in them as a variable. Pure functions: commands, the console and the
 * reference show the same lines.
 */

/** The log's record of a sent request. The log of another version may lack its headers and its refusal. */
export type SentRequest = Pick<LoggedRequest, "method" | "path" | "idempotency_key" | "request_body"> &
  Partial<Pick<LoggedRequest, "error" | "request_headers">>;

/** A request in written form. */
export interface WrittenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly auth: Route["auth"];
  /** The headers that change the service's answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when there is none; null when the log did not keep it. */
  readonly body: string | null | undefined;
  /** The place of a new idempotency key: `header`, or a field of the body. */
  readonly newKey?: string | undefined;
  /** It was refused because it had no idempotency key. */
  readonly lacksKey?: boolean;
}

export interface Repetition {
  readonly line: string;
  /** Sentences to read or follow before running the line. */
  readonly notes: readonly string[];
}

const BODY_FILE = "body.json";
const NO_BODY = `The body was too long to be kept. Write it into ${BODY_FILE} before you run this.`;
const SECRETS = "Secrets are not in the log. Put the real ones in the place of [not logged].";
const SHORTENED = "A text was too long to be kept whole: complete it where it says how many characters are missing.";
const TOKEN = "This is a route for users: set QA_PAY_TOKEN to the token of a login.";

const NOT_KEPT = /^\[\d+ characters, not kept\]$/;

function bodyOf({ request_body: body }: SentRequest): string | null | undefined {
  if (body === null) return undefined;
  if (typeof body !== "string") return JSON.stringify(body);
  return NOT_KEPT.test(body) ? null : body;
}

/** A request of the log, as it was sent. For a path without a route the API key is the credential. */
export function asSent(entry: SentRequest, routes: readonly Pick<Route, "method" | "path" | "auth">[]): WrittenRequest {
  const { method, path, request_headers: sent = {}, idempotency_key: key } = entry;
  const { "content-type": type, accept, origin } = sent;
  return {
    method,
    path,
    auth: findRoute(routes, method, path.split("?")[0] ?? "")?.route.auth ?? "key",
    headers: {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(accept === undefined || accept === "*/*" ? {} : { accept }),
      ...(origin === undefined ? {} : { origin }),
      // A key that is a field of the body is sent with the body.
      ...(key === null || sent["idempotency-key"] === undefined ? {} : { "idempotency-key": key }),
    },
    body: bodyOf(entry),
    lacksKey: key === null && entry.error?.param === "Idempotency-Key",
  };
}

/** The input of a request of the log; null when the input of its route cannot express it. */
export function inputOf<Of extends Route>(
  { method, path, request_body: body, idempotency_key: idempotencyKey, request_headers: headers }: SentRequest,
  routes: readonly Of[],
): { readonly route: Of; readonly input: Input & { readonly body?: Readonly<Record<string, unknown>> } } | null {
  const [address = "", search = ""] = path.split(/\?(.*)/s);
  const found = findRoute(routes, method, address);
  const query = [...new URLSearchParams(search)];
  const isTwice = new Set(query.map(([name]) => name)).size < query.length;
  if (found === null || isTwice || (body !== null && !isJsonObject(body))) return null;
  const { route, params } = found;
  const input = {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(body === null ? {} : { body }),
    ...(idempotencyKey === null || headers?.["idempotency-key"] === undefined ? {} : { idempotencyKey }),
  };
  return { route, input };
}

/** The request of an operation, with a new idempotency key if it needs one. */
export function asNew({ method, path, auth, key }: Route, input: Input): WrittenRequest {
  const takesBody = method !== "GET" && method !== "DELETE";
  const body = Object.entries(input.body ?? {}).filter(([name]) => key === "header" || name !== key);
  return {
    method,
    path: addressOf(path, input),
    auth,
    headers: takesBody ? { "content-type": "application/json" } : {},
    body: takesBody ? JSON.stringify(Object.fromEntries(body)) : undefined,
    newKey: key,
  };
}

function repetition(words: readonly string[], notes: readonly string[]): Repetition {
  const line = words.join(" ");
  const more = [
    ...(line.includes("[not logged]") ? [SECRETS] : []),
    ...(line.includes(" characters, not kept]") ? [SHORTENED] : []),
  ];
  return { line, notes: [...notes, ...more] };
}

/** A body for a shell, in which `uuidgen` creates the idempotency key. */
function bodyWord(body: string, newKey: string | undefined): string {
  if (newKey === undefined || newKey === "header") return shellWord(body);
  return `${shellWord(`{"${newKey}":"`)}"$(uuidgen)"${shellWord(body === "{}" ? '"}' : `",${body.slice(1)}`)}`;
}

/** `variable` holds the API key. */
export function curlLine(request: WrittenRequest, baseUrl: string, variable = "QA_PAY_API_KEY"): Repetition {
  const { method, path, auth, headers, body, newKey } = request;
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", shellWord(`${name}: ${value}`)]);
  // Without this header, curl declares the body as a form.
  if (body !== undefined && headers["content-type"] === undefined) given.push("-H", "content-type:");
  const words = [
    "curl",
    // Without this flag, curl reads brackets in the address as a pattern.
    ...(/[[\]{}]/.test(path) ? ["--globoff"] : []),
    ...(method === "GET" ? [] : ["-X", method]),
    shellWord(baseUrl + path),
    ...(auth === "key" ? ["-H", `"apikey: $${variable}"`] : []),
    ...(auth === "jwt" ? ["-H", '"authorization: Bearer $QA_PAY_TOKEN"'] : []),
    ...(newKey === "header" ? ["-H", '"idempotency-key: $(uuidgen)"'] : []),
    ...given,
    ...(body === null ? ["--data-binary", `@${BODY_FILE}`] : []),
    ...(typeof body === "string" ? ["--data-raw", bodyWord(body, newKey)] : []),
  ];
  return repetition(words, [...(body === null ? [NO_BODY] : []), ...(auth === "jwt" ? [TOKEN] : [])]);
}

/** `qa-pay …` from the words of a command. `baseUrl` is null for the command's default address. */
export function qaPayLine(
  words: readonly string[],
  baseUrl: string | null,
  flags: readonly string[],
  notes: readonly string[] = [],
): Repetition {
  const address = baseUrl === null ? [] : ["--base-url", shellWord(baseUrl)];
  return repetition(["qa-pay", ...words, ...address, ...flags], notes);
}

export const KEY_FLAGS: readonly string[] = ["--api-key", '"$QA_PAY_API_KEY"'];
const TOKEN_FLAGS: readonly string[] = ["--header", '"authorization:Bearer $QA_PAY_TOKEN"'];

/** `qa-pay api …`, for a request that no other command sends. `flags` pass the API key. */
export function apiLine(request: WrittenRequest, baseUrl: string | null, flags = KEY_FLAGS): Repetition {
  const { method, path, auth, headers, body, newKey } = request;
  const { "idempotency-key": key, accept: _accept, "content-type": type = "application/json", ...others } = headers;
  const given = Object.entries(others);
  if (!type.startsWith("application/json")) given.push(["content-type", type]);
  // Without the empty header, `api` would create a key.
  if (request.lacksKey) given.push(["idempotency-key", ""]);
  // `api` reads a file for `@name` and standard input for `-`. A space in front prevents that, and changes no JSON.
  const text = body === "-" || body?.startsWith("@") ? ` ${body}` : body;
  const words = [
    "api",
    method,
    shellWord(path),
    ...(text === undefined ? [] : ["--data", text === null ? `@${BODY_FILE}` : bodyWord(text, newKey)]),
    ...given.flatMap(([name, value]) => ["--header", shellWord(`${name}:${value}`)]),
    ...(key === undefined ? [] : flagWords("idempotency-key", key)),
  ];
  const isOfUser = auth === "jwt";
  const notes = [...(body === null ? [NO_BODY] : []), ...(isOfUser ? [TOKEN] : [])];
  return qaPayLine(words, baseUrl, isOfUser ? TOKEN_FLAGS : flags, notes);
}

interface OperationCallText {
  readonly input: Input;
  readonly baseUrl: string | null;
  readonly flags?: readonly string[] | undefined;
}

/** The command of an operation with all arguments and flags; `qa-pay api …` for an input that no command can send. */
export function operationLine(
  command: Command | undefined,
  route: Route,
  { input, baseUrl, flags = [] }: OperationCallText,
): string {
  const words = command === undefined ? null : commandWords(command, route.path, input);
  return (words === null ? apiLine(asNew(route, input), baseUrl, flags) : qaPayLine(words, baseUrl, flags)).line;
}
