import { fillPath, type HttpRequest, isPathSegment, queryString } from "../../client/send.js";
import { requireKey, requireLogin } from "../target/resolve-target.js";
import type { Target } from "../target/target.js";
import { exactJson, Failure, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import type { FlagSpec, OperationSpec } from "../tree/describe-operations.js";
import { centavosOf } from "./centavos.js";
import { isInQuery, pastedField, pastedIds } from "./pasted-id.js";

/** Turns a parsed command line into one request. */

/** Loaded when a flag names a file, because most command lines name none. */
async function fileText(io: Pick<Io, "cwd">, file: string): Promise<string> {
  const { readNamed } = await import("../terminal/named-file.js");
  return String(await readNamed(io, file));
}

function noInteger(flag: FlagSpec, text: string): Failure {
  const isAmount = flag.field.split(".").at(-1) === "amount";
  if (!isAmount) return usage(`--${flag.name} takes a whole number, not ${text}.`);
  const example = centavosOf(text) ?? "1990 for R$ 19,90";
  return usage(`--${flag.name} takes a whole number of centavos, not ${text}: write ${example}.`);
}

/** Converts the value of a flag to the type of its field. Throws Failure (exit 2) for a value of another type. */
async function flagValue(io: Pick<Io, "cwd">, flag: FlagSpec, given: string | string[] | boolean): Promise<unknown> {
  if (flag.nullable && given === "null") return null;
  const text = Array.isArray(given) ? given.join(",") : String(given);
  switch (flag.type) {
    case "integer":
      if (/^-?\d+$/.test(text)) return Number(text);
      throw noInteger(flag, text);
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
        return exactJson(text.startsWith("@") ? await fileText(io, text.slice(1)) : text, `--${flag.name}`);
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

/**
 * Throws Failure (exit 2) for text that a header cannot hold: the error of node:http would look like a missing answer.
 */
function headerText(what: string, text: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  throw usage(`${what} holds a character that cannot be sent in a header: use letters, digits and punctuation.`);
}

export interface Prepared {
  readonly request: HttpRequest;
  /** The arguments of the command, with the ids of pasted addresses. */
  readonly ids: readonly string[];
  /** The idempotency key of the request, given or generated; null when the operation has none. */
  readonly idempotencyKey: string | null;
}

/**
 * Builds the request of an operation. `positional` are its arguments, `options` its flags. Throws Failure (exit 2 or
 * 3).
 */
export async function prepare(
  spec: OperationSpec,
  target: Target,
  positional: readonly string[],
  options: Readonly<Record<string, string | string[] | boolean | undefined>>,
  io: Pick<Io, "cwd" | "random">,
): Promise<Prepared> {
  const ids = pastedIds(spec, target, positional);
  const byName = Object.fromEntries(spec.arguments.map(({ name }, index) => [name, ids[index]]));
  const unusable = spec.arguments.find(
    (argument) => !isInQuery(spec, argument) && !isPathSegment(byName[argument.name] ?? ""),
  );
  if (unusable !== undefined) throw usage(`${JSON.stringify(byName[unusable.name])} cannot be an ${unusable.name}.`);
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = { ...spec.constants, ...spec.defaults };
  for (const flag of spec.flags) {
    const given = options[flag.name];
    if (given === undefined) continue;
    const value = pastedField(flag.field, await flagValue(io, flag, given), target);
    if (flag.place === "query") query[flag.field] = value;
    else put(body, flag.field, value);
  }
  for (const argument of spec.arguments) {
    const { name, field } = argument;
    if (field === undefined) continue;
    if (isInQuery(spec, argument)) query[field] = byName[name];
    else put(body, field, byName[name]);
  }
  const headers: Record<string, string> = { accept: "application/json" };
  if (spec.auth === "jwt") headers.authorization = `Bearer ${requireLogin(target).token}`;
  if (spec.auth === "key") headers.apikey = requireKey(target);
  const { idempotencyKey: place } = spec;
  const key = place === undefined ? null : String(options["idempotency-key"] ?? io.random());
  if (key !== null && place === "header") headers["idempotency-key"] = headerText("--idempotency-key", key);
  else if (key !== null && place !== undefined) body[place] = key;
  const withBody = spec.method === "POST" || spec.method === "PATCH";
  if (withBody) headers["content-type"] = "application/json";
  const url = target.baseUrl + fillPath(spec.path, byName) + queryString(query);
  const text = withBody ? JSON.stringify(body) : undefined;
  const timeoutMs = target.timeoutMs ?? spec.timeoutMs;
  const request = { method: spec.method, url, headers, body: text, timeoutMs };
  return { request, ids, idempotencyKey: key };
}
