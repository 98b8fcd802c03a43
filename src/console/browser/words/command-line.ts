import { shellWord } from "../../../cli/terminal/shell.js";
import { type AnyInput, addressOf } from "../api/input.js";
import type { CommandFact, FlagFact } from "../facts/commands.js";
import type { RouteFact } from "../facts/routes.js";

/** An operation with its input as text that a person can run elsewhere. Pure functions. */

/** The member of an object at a dotted path. */
export function memberAt(object: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined | null)?.[name], object);
}

function flagText({ type }: FlagFact, value: unknown): string {
  if (type === "list" && Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** A value that looks like a flag is joined to its flag. */
function flagWords(name: string, value: string): string[] {
  return value.startsWith("-") ? [shellWord(`--${name}=${value}`)] : [`--${name}`, shellWord(value)];
}

function argumentsOf(fact: CommandFact, { params, query, body }: AnyInput): string[] {
  return fact.arguments.map(({ name, field }) =>
    String((field === undefined ? params?.[name] : (memberAt(body, field) ?? query?.[field])) ?? ""),
  );
}

function flagsOf(fact: CommandFact, { query, body }: AnyInput): string[] {
  const asArgument = new Set(fact.arguments.flatMap(({ field }) => field ?? []));
  return fact.flags.flatMap((flag) => {
    if (asArgument.has(flag.field)) return [];
    const value = flag.place === "query" ? query?.[flag.field] : memberAt(body, flag.field);
    if (value === undefined || value === "" || value === fact.sends[flag.field]) return [];
    return flagWords(flag.name, flagText(flag, value));
  });
}

/** `qa-pay …` with all arguments and flags. `baseUrl` is left out for the address that the command takes by itself. */
export function commandLine(fact: CommandFact, input: AnyInput, baseUrl: string | null): string {
  return [
    "qa-pay",
    ...fact.command.split(" "),
    ...argumentsOf(fact, input).map(shellWord),
    ...(fact.variant === undefined ? [] : [`--${fact.variant}`]),
    ...flagsOf(fact, input),
    ...(baseUrl === null ? [] : ["--base-url", shellWord(baseUrl)]),
  ].join(" ");
}

/** `curl …` for a POSIX shell. The API key stands in it as a variable. */
export function curlLine({ method, path, key }: RouteFact, input: AnyInput, baseUrl: string): string {
  const isForUsers = /^\/v1\/(?:auth|api-keys)\b/.test(path);
  const credential = isForUsers ? '"authorization: Bearer $QA_PAY_TOKEN"' : '"apikey: $QA_PAY_API_KEY"';
  const body = method === "GET" || method === "DELETE" ? null : JSON.stringify(input.body ?? {});
  return [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    shellWord(baseUrl + addressOf(path, input)),
    "-H",
    credential,
    ...(key === "header" ? ["-H", '"idempotency-key: $(uuidgen)"'] : []),
    ...(body === null ? [] : ["-H", "'content-type: application/json'", "--data-raw", shellWord(body)]),
  ].join(" ");
}

/** A call of the typed client. */
export function clientCall(id: string, { key }: RouteFact, input: AnyInput): string {
  const { params, query, body } = input;
  const parts = [
    ...(params === undefined ? [] : [`params: ${JSON.stringify(params)}`]),
    ...(query === undefined || Object.keys(query).length === 0 ? [] : [`query: ${JSON.stringify(query)}`]),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
    ...(key === "header" ? ["idempotencyKey: crypto.randomUUID()"] : []),
  ];
  return `await client[${JSON.stringify(id)}](${parts.length === 0 ? "" : `{ ${parts.join(", ")} }`});`;
}
