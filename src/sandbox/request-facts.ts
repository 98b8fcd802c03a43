import type { IncomingHttpHeaders } from "node:http";
import { CONSOLE } from "../kernel/cause.js";
import { ID_PREFIX, rawId } from "../kernel/ids.js";
import { isJsonObject } from "../kernel/json.js";

/** What the request log says about a request besides its texts: the caller, the object, the error, the headers. */

/** The headers that are kept. No header with a credential is among them. */
const REQUEST_HEADERS = [
  "user-agent",
  "content-type",
  "content-length",
  "accept",
  "accept-language",
  "idempotency-key",
  "x-request-id",
  "origin",
  "traceparent",
] as const;

const RESPONSE_HEADERS = [
  "content-type",
  "retry-after",
  "x-ratelimit-limit-minute",
  "x-ratelimit-remaining-minute",
  "idempotent-replayed",
] as const;

type Headers = Readonly<Record<string, string>>;

function chosen(names: readonly string[], headers: IncomingHttpHeaders): Headers {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) kept[name] = String(value);
  }
  return kept;
}

export const keptRequestHeaders = (headers: IncomingHttpHeaders): Headers => chosen(REQUEST_HEADERS, headers);
export const keptResponseHeaders = (headers: Headers): Headers => chosen(RESPONSE_HEADERS, headers);

/** The prefix of the ids behind a segment of a path. */
const PREFIX_BEHIND: Readonly<Record<string, string>> = {
  charges: ID_PREFIX.charge,
  payments: ID_PREFIX.transaction,
  cases: ID_PREFIX.medCase,
  infractions: ID_PREFIX.medCase,
  endpoints: ID_PREFIX.endpoint,
  deliveries: ID_PREFIX.delivery,
  "api-keys": ID_PREFIX.apiKey,
};

/** An id as the service writes it for the object of this noun; null for a text that is no id. */
function publicId(noun: string, text: string): string | null {
  const prefix = PREFIX_BEHIND[noun];
  if (prefix === undefined) return rawId(text, ...Object.values(ID_PREFIX)) === null ? null : text;
  const raw = rawId(text, prefix, ID_PREFIX.charge, ID_PREFIX.transaction, "");
  return raw === null ? null : prefix + raw;
}

/** The id in an answer. Most answers begin with it, and then the rest is not read. */
function idIn(answer: string): string {
  const first = /^\{"id":"([\w-]+)"/.exec(answer)?.[1];
  if (first !== undefined) return first;
  const value = jsonOf(answer);
  return isJsonObject(value) && typeof value.id === "string" ? value.id : "";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Asked {
  /** The path of the contract, such as `/v1/charges/{id}`. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The public id of the object that a request is about: the one in its path, else the one in the answer that created it.
 * Null when there is none.
 */
export function subjectOf({ route, params }: Asked, status: number, answer: string): string | null {
  const [, noun, name] = /\/([\w-]+)\/\{(\w+)\}/.exec(route) ?? [];
  if (noun !== undefined && name !== undefined) return publicId(noun, params[name] ?? "");
  return status === 201 ? publicId(route.split("/").at(-1) ?? "", idIn(answer)) : null;
}

/** The error of an envelope. */
export interface LoggedError {
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
}

/** The error in the envelope of a refusal; null for any other answer. */
export function errorIn(status: number, answer: string): LoggedError | null {
  const value = status < 400 ? null : jsonOf(answer);
  const error = isJsonObject(value) ? value.error : null;
  if (!isJsonObject(error)) return null;
  const { type, code, param } = error;
  return { type: String(type), code: String(code), param: typeof param === "string" ? param : null };
}

const LONGEST_CALLER = 60;

/** The name and version of a program, from its User-Agent. Browsers all begin with `Mozilla`. */
function shortAgent(agent: string): string {
  const product = /\b(?:Edg|Firefox|Chrome|Version)\/[\d.]+/.exec(agent)?.[0];
  if (agent.startsWith("Mozilla/")) return product?.replace("Version", "Safari") ?? "browser";
  return agent.split(" ")[0] ?? "";
}

interface Asker {
  readonly agent: string | undefined;
  /** The command of our own command line that sent the request. */
  readonly command: string | null;
  readonly isUser: boolean;
  readonly fingerprint: string | null;
}

/** In a few words: the program or the person behind a request. Null when the request says nothing about it. */
export function callerOf({ agent, command, isUser, fingerprint }: Asker): string | null {
  if (command !== null) return command === CONSOLE ? CONSOLE : `command: ${command}`;
  if (isUser) return "user";
  const name = shortAgent(agent ?? "");
  if (name !== "") return name.slice(0, LONGEST_CALLER);
  return fingerprint === null ? null : `key …${fingerprint.slice(-4)}`;
}
