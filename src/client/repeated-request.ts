import { shellWord } from "../kernel/shell.js";

/**
 * Lines for a POSIX shell that send a request of the log again. The API key stands in them as a variable. Pure functions: the
 * console shows the same lines.
 */

/** What the log keeps of a request that was sent. */
export interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly idempotency_key: string | null;
  readonly error?: { readonly code: string; readonly param: string | null } | null;
  readonly request_headers?: Readonly<Record<string, string>>;
  readonly request_body: unknown;
}

export interface Repetition {
  readonly line: string;
  /** Sentences for the person: what to know or to do before running the line. */
  readonly notes: readonly string[];
}

const BODY_FILE = "body.json";
const NO_BODY = `The body was too long to be kept. Write it into ${BODY_FILE} before you run this.`;
const SECRETS = "Secrets are not in the log. Put the real ones in the place of [not logged].";
const SHORTENED = "A text was too long to be kept whole: complete it where it says how many characters are missing.";
const TOKEN = "This is a route for users: set QA_PAY_TOKEN to the token of a login.";

const NOT_KEPT = /^\[\d+ characters, not kept\]$/;

/** The kind of credential that a route takes: routes of users take a login's token (docs/service/keys.md#login). */
export function credentialOf(path: string): "key" | "token" | "none" {
  if (/^\/v1\/auth\/login\b/.test(path)) return "none";
  return /^\/v1\/(?:auth|api-keys)\b/.test(path) ? "token" : "key";
}

/** The body as text. Undefined when there was no body; null when the log did not keep the body. */
export function bodyOf({ request_body: body }: SentRequest): string | null | undefined {
  if (body === null) return undefined;
  if (typeof body !== "string") return JSON.stringify(body);
  return NOT_KEPT.test(body) ? null : body;
}

function repetition(words: readonly string[], notes: readonly string[]): Repetition {
  const line = words.join(" ");
  const more = [
    ...(line.includes("[not logged]") ? [SECRETS] : []),
    ...(line.includes(" characters, not kept]") ? [SHORTENED] : []),
  ];
  return { line, notes: [...notes, ...more] };
}

/** The headers that change what the service answers. */
export function headersOf({ request_headers: sent = {}, idempotency_key: key }: SentRequest): Record<string, string> {
  const { "content-type": type, accept, origin } = sent;
  return {
    ...(type === undefined ? {} : { "content-type": type }),
    ...(accept === undefined || accept === "*/*" ? {} : { accept }),
    ...(origin === undefined ? {} : { origin }),
    // A key that is a field of the body is sent with the body.
    ...(key === null || sent["idempotency-key"] === undefined ? {} : { "idempotency-key": key }),
  };
}

export function curlLine(entry: SentRequest, baseUrl: string): Repetition {
  const body = bodyOf(entry);
  const credential = credentialOf(entry.path);
  const headers = Object.entries(headersOf(entry)).flatMap(([name, value]) => ["-H", shellWord(`${name}: ${value}`)]);
  // Without this header, curl declares the body as a form.
  if (body !== undefined && entry.request_headers?.["content-type"] === undefined) headers.push("-H", "content-type:");
  const data = body === null ? ["--data-binary", `@${BODY_FILE}`] : ["--data-raw", shellWord(body ?? "")];
  return repetition(
    [
      "curl",
      // Without this flag, curl reads brackets in the address as a pattern.
      ...(/[[\]{}]/.test(entry.path) ? ["--globoff"] : []),
      ...(entry.method === "GET" ? [] : ["-X", entry.method]),
      shellWord(baseUrl + entry.path),
      ...(credential === "key" ? ["-H", '"apikey: $QA_PAY_API_KEY"'] : []),
      ...(credential === "token" ? ["-H", '"authorization: Bearer $QA_PAY_TOKEN"'] : []),
      ...headers,
      ...(body === undefined ? [] : data),
    ],
    [...(body === null ? [NO_BODY] : []), ...(credential === "token" ? [TOKEN] : [])],
  );
}

/** A flag with its value. A value that looks like a flag is joined to its flag. */
export function flagWords([name, value]: readonly [string, string]): string[] {
  return value.startsWith("-") ? [shellWord(`--${name}=${value}`)] : [`--${name}`, shellWord(value)];
}

/** The words of `qa-pay api`, for a request that no other command sends. */
function apiWords(entry: SentRequest): string[] {
  const { method, path, error, idempotency_key: key } = entry;
  const body = bodyOf(entry);
  const { "idempotency-key": inHeader, accept, ...headers } = headersOf(entry);
  const { "content-type": type, ...others } = headers;
  const isJson = type === undefined || type.startsWith("application/json");
  const given = Object.entries({ ...others, ...(isJson ? {} : { "content-type": type }) });
  // This request was refused because it had no key. Without the empty header, `api` would make a key.
  if (key === null && error?.param === "Idempotency-Key") given.push(["idempotency-key", ""]);
  // `api` reads a file for `@name` and standard input for `-`. A space in front prevents that, and changes no JSON.
  const text = body === "-" || body?.startsWith("@") ? ` ${body}` : body;
  return [
    "api",
    method,
    shellWord(path),
    ...(body === undefined ? [] : ["--data", text === null ? `@${BODY_FILE}` : shellWord(text ?? "")]),
    ...given.flatMap(([name, value]) => ["--header", shellWord(`${name}:${value}`)]),
    ...(inHeader === undefined ? [] : flagWords(["idempotency-key", inHeader])),
  ];
}

/** How a command for a route of users takes its credential. */
interface UserCredential {
  readonly flags: readonly string[];
  readonly advice: string;
}

/** The line of a command from its words. The address and the credential are added. */
export function qaPayLine(
  entry: SentRequest,
  words: readonly string[],
  baseUrl: string,
  ofUser: UserCredential,
): Repetition {
  const isOfUser = credentialOf(entry.path) === "token";
  const credential = isOfUser ? ofUser.flags : ["--api-key", '"$QA_PAY_API_KEY"'];
  return repetition(
    ["qa-pay", ...words, "--base-url", shellWord(baseUrl), ...credential],
    [...(bodyOf(entry) === null ? [NO_BODY] : []), ...(isOfUser ? [ofUser.advice] : [])],
  );
}

/** `qa-pay api …`, which sends any request. */
export function apiLine(entry: SentRequest, baseUrl: string): Repetition {
  const flags = ["--header", '"authorization:Bearer $QA_PAY_TOKEN"'];
  return qaPayLine(entry, apiWords(entry), baseUrl, { flags, advice: TOKEN });
}
