import { isWebAddress } from "../../../kernel/page-address.js";
import { pick } from "../../../kernel/pick.js";
import { shellWord } from "../../../kernel/shell.js";
import { type AnyInput, addressOf } from "../api/input.js";
import type { CommandFact, FlagFact } from "../facts/commands.js";
import type { RouteFact } from "../facts/routes.js";

/** An operation with its input as text that a person can run elsewhere. Pure functions. */

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The paths of all values of a body. An object is one value where a flag takes it as JSON, or when it is empty. */
function pathsIn(value: Members, isWhole: (path: string) => boolean, above = ""): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const path = above + name;
    if (member === undefined) return [];
    const isOne = isWhole(path) || !isObject(member) || Object.keys(member).length === 0;
    return isOne ? [path] : pathsIn(member, isWhole, `${path}.`);
  });
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : String(value).split(",");
}

/** The flags that read an address of a page as the id in it (src/cli/operation/pasted-id.ts). */
const ID_FIELDS: ReadonlySet<string> = new Set(["charge_id", "case_id", "endpointId", "endpoint", "subject"]);

/** Whether the flag gives exactly this value to its field. In a query, every value is text in the end. */
function canGive({ field, type, place, choices, nullable }: FlagFact, value: unknown): boolean {
  if (value === null) return nullable === true;
  if (ID_FIELDS.has(field) && isWebAddress(String(value))) return false;
  const text = String(value);
  const isText = typeof value === "string";
  const isPlain = place === "query" ? !isObject(value) : typeof value !== "object";
  switch (type) {
    case "integer":
      return (place === "query" || !isText) && /^-?\d+$/.test(text) && String(Number(text)) === text;
    case "number":
      return (place === "query" || !isText) && text !== "" && String(Number(text)) === text && text !== "NaN";
    case "boolean":
      return (place === "query" || !isText) && (text === "true" || text === "false");
    case "list":
      return (
        (place === "query" || Array.isArray(value)) &&
        itemsOf(value).every(
          (item) => typeof item === "string" && item !== "" && item === item.trim() && !item.includes(","),
        )
      );
    case "json":
      return place === "body";
    default:
      if (!isPlain || !(isText || place === "query") || (nullable === true && text === "null")) return false;
      return choices === undefined || choices.length === 0 || nullable === true || choices.includes(text);
  }
}

function flagText({ type }: FlagFact, value: unknown): string {
  if (type === "json") return JSON.stringify(value);
  return Array.isArray(value) ? value.join(",") : String(value);
}

/** A value that looks like a flag is joined to its flag. */
function flagWords(name: string, value: string): string[] {
  return value.startsWith("-") ? [shellWord(`--${name}=${value}`)] : [`--${name}`, shellWord(value)];
}

/** Whether an argument means this very id: quotes and spaces around it are taken off, and an address is read as the id in it. */
function isBareId(text: string): boolean {
  return text !== "" && !/^[\s"'“”‘’<-]|[\s"'“”‘’>,;]$/u.test(text) && !isWebAddress(text);
}

/** The words of the arguments, as far as they can be given by their place; null when the command cannot give one of them. */
function argumentWords(fact: CommandFact, { params, query, body }: AnyInput): string[] | null {
  const words: string[] = [];
  for (const { name, field } of fact.arguments) {
    const inQuery = field === undefined ? undefined : query?.[field];
    const value = field === undefined ? params?.[name] : (pick(body, field) ?? inQuery);
    const text = String(value ?? "");
    if (inQuery !== undefined) words.push(...(text.startsWith("-") ? flagWords(name, text) : [shellWord(text)]));
    // In a form that is still empty, the command is shown with its argument open.
    else if (text === "") words.push("''");
    else if (isBareId(text) && (field === undefined || typeof value === "string")) words.push(shellWord(text));
    else return null;
  }
  return words;
}

/** The flags of a command; null when its flags cannot make this very query and body. */
function flagsOf(fact: CommandFact, { query = {}, body = {} }: AnyInput): string[] | null {
  const asArgument = new Set(fact.arguments.flatMap(({ field }) => field ?? []));
  const given = new Set<string>([...asArgument, fact.idempotencyKey ?? ""]);
  const words: string[] = [];
  for (const flag of fact.flags) {
    const { field, place } = flag;
    if (asArgument.has(field)) continue;
    const value = place === "query" ? query[field] : pick(body, field);
    if (value === undefined || (place === "query" && value === "")) continue;
    given.add(field);
    if (place === "body" && value === fact.sends[field]) continue;
    if (!canGive(flag, value)) return null;
    words.push(...flagWords(flag.name, flagText(flag, value)));
  }
  for (const [field, value] of Object.entries(fact.sends)) {
    if (pick(body, field) === value) given.add(field);
    else if (!given.has(field)) return null;
  }
  const isWhole = (path: string) => fact.flags.some(({ place, field }) => place === "body" && field === path);
  const others = [
    ...pathsIn(body, isWhole),
    ...Object.entries(query).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [name])),
  ];
  return others.every((field) => given.has(field)) ? words : null;
}

/** JSON for a shell, in which an idempotency key in the body is made anew by `uuidgen`. */
function bodyWord({ key }: RouteFact, body: Members): string {
  if (key === undefined || key === "header") return shellWord(JSON.stringify(body));
  const { [key]: _given, ...others } = body;
  const rest = JSON.stringify(others).slice(1);
  const start = shellWord(`{"${key}":"`);
  return `${start}"$(uuidgen)"${shellWord(rest === "}" ? '"}' : `",${rest}`)}`;
}

/** The kind of credential that a route takes: routes of users take the token of a login. */
function credentialOf(path: string): "key" | "token" | "none" {
  if (path === "/v1/auth/login" || path === "/v1/webhooks/event-catalog") return "none";
  return /^\/v1\/(?:auth|api-keys)\b/.test(path) ? "token" : "key";
}

const TOKEN = '"authorization: Bearer $QA_PAY_TOKEN"';

/** `qa-pay api …`, for a request that the flags of the command cannot make. */
function apiWords(route: RouteFact, input: AnyInput): string[] {
  const { method, path } = route;
  const takesBody = method !== "GET" && method !== "DELETE";
  return [
    ...["api", method, shellWord(addressOf(path, input))],
    ...(takesBody ? ["--data", bodyWord(route, input.body ?? {})] : []),
    ...(credentialOf(path) === "token" ? ["--header", TOKEN] : []),
  ];
}

/**
 * `qa-pay …` with all arguments and flags; `qa-pay api …` for a request that they cannot make. `baseUrl` is left out for the
 * address that the command takes by itself.
 */
export function commandLine(fact: CommandFact, route: RouteFact, input: AnyInput, baseUrl: string | null): string {
  const inPlace = argumentWords(fact, input);
  const flags = flagsOf(fact, input);
  const variant = fact.variant === undefined ? [] : [`--${fact.variant}`];
  const own =
    inPlace === null || flags === null
      ? apiWords(route, input)
      : [...fact.command.split(" "), ...inPlace, ...variant, ...flags];
  return lineOf(own, baseUrl);
}

/** `qa-pay api …`, for an operation without a command. */
export function apiLine(route: RouteFact, input: AnyInput, baseUrl: string | null): string {
  return lineOf(apiWords(route, input), baseUrl);
}

function lineOf(words: readonly string[], baseUrl: string | null): string {
  return ["qa-pay", ...words, ...(baseUrl === null ? [] : ["--base-url", shellWord(baseUrl)])].join(" ");
}

/** `curl …` for a POSIX shell. The API key stands in it as a variable. */
export function curlLine(route: RouteFact, input: AnyInput, baseUrl: string): string {
  const { method, path, key } = route;
  const credential = credentialOf(path);
  const takesBody = method !== "GET" && method !== "DELETE";
  return [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    shellWord(baseUrl + addressOf(path, input)),
    ...(credential === "none" ? [] : ["-H", credential === "token" ? TOKEN : '"apikey: $QA_PAY_API_KEY"']),
    ...(key === "header" ? ["-H", '"idempotency-key: $(uuidgen)"'] : []),
    ...(takesBody ? ["-H", "'content-type: application/json'", "--data-raw", bodyWord(route, input.body ?? {})] : []),
  ].join(" ");
}

/** A call of the typed client. */
export function clientCall(id: string, { key }: RouteFact, input: AnyInput): string {
  const { params, query, body } = input;
  const inBody = key !== undefined && key !== "header" ? `${JSON.stringify(key)}: crypto.randomUUID(), ` : "";
  const sent = body === undefined && inBody === "" ? null : JSON.stringify(body ?? {});
  const parts = [
    ...(params === undefined ? [] : [`params: ${JSON.stringify(params)}`]),
    ...(query === undefined || Object.keys(query).length === 0 ? [] : [`query: ${JSON.stringify(query)}`]),
    ...(sent === null ? [] : [`body: ${inBody === "" ? sent : `{ ${inBody}...${sent} }`}`]),
    ...(key === "header" ? ["idempotencyKey: crypto.randomUUID()"] : []),
  ];
  return `await client[${JSON.stringify(id)}](${parts.length === 0 ? "" : `{ ${parts.join(", ")} }`});`;
}
