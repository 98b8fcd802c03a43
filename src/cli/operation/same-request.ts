import { canonicalJson, isJsonObject, type JsonObject } from "../../kernel/json.js";
import { pick } from "../../kernel/pick.js";
import type { Target } from "../target/target.js";
import { Failure } from "../terminal/failure.js";
import type { FlagSpec, OperationSpec } from "../tree/describe-operations.js";
import { prepare } from "./prepare.js";

/** Finds the command that sends the same request as one that was sent before. */

export interface SentRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** Null when there is no body. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

export interface SameCommand {
  readonly spec: OperationSpec;
  /** The words of the command and its arguments. */
  readonly words: readonly string[];
  /** The values of the flags by their names without dashes, the idempotency key among them. */
  readonly flags: Readonly<Record<string, string>>;
}

/** A host and credentials to make a request with. They are not compared. */
const ANYWHERE: Target = {
  baseUrl: "http://localhost",
  apiKey: "any",
  login: () => ({
    base_url: "http://localhost",
    token: "any",
    user: { id: "", email: "", name: "", role: "" },
    account: { id: "", name: "" },
  }),
};

/** The values of a path's parameters; null for a path of another route. */
function parametersIn(route: string, path: string): string[] | null {
  const [wanted, given] = [route.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const values: string[] = [];
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? "";
    if (part.startsWith("{")) values.push(decoded(segment));
    else if (part !== segment) return null;
  }
  return values;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The value of a field as its flag takes it. */
function flagText({ type }: FlagSpec, value: unknown): string {
  if (type === "list" && Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** Whether the command line accepts the value of a flag; it checks choices before the request is made. */
function isChoice({ choices, type, nullable }: FlagSpec, text: string): boolean {
  return choices === undefined || choices.length === 0 || type === "list" || nullable || choices.includes(text);
}

function flagsFor(spec: OperationSpec, search: string, body: JsonObject): Record<string, string> | null {
  const flags: Record<string, string> = {};
  const query = new URLSearchParams(search);
  const isArgument = (field: string) => spec.arguments.some((argument) => argument.field === field);
  for (const flag of spec.flags) {
    const value = flag.place === "query" ? (query.get(flag.field) ?? undefined) : pick(body, flag.field);
    if (value === undefined || (flag.place === "body" && isArgument(flag.field))) continue;
    const text = flagText(flag, value);
    if (!isChoice(flag, text)) return null;
    flags[flag.name] = text;
  }
  const isMissing = ({ name, required }: FlagSpec) => required && flags[name] === undefined;
  const lacksOneOf = spec.oneOf.length > 0 && spec.oneOf.every((name) => flags[name] === undefined);
  return spec.flags.some(isMissing) || lacksOneOf ? null : flags;
}

/** The query in a form that does not depend on its order and on how characters are escaped. */
function plainQuery(search: string): string {
  return JSON.stringify([...new URLSearchParams(search)].sort());
}

async function commandOf(spec: OperationSpec, sent: SentRequest): Promise<SameCommand | null> {
  const { path, search } = partsOf(sent.path);
  const body = sent.body ?? {};
  const inPath = spec.method === sent.method ? parametersIn(spec.path, path) : null;
  if (inPath === null || !isJsonObject(body)) return null;
  // Without a key of the request, the command would send a new one.
  if (spec.idempotencyKey !== undefined && sent.idempotencyKey === null) return null;
  const values = spec.arguments.map(({ field }, index) =>
    field === undefined ? (inPath[index] ?? "") : String(pick(body, field) ?? ""),
  );
  const fields = flagsFor(spec, search, body);
  if (fields === null) return null;
  const key = spec.idempotencyKey === undefined ? {} : { "idempotency-key": sent.idempotencyKey ?? "" };
  const flags = { ...fields, ...key };
  const { request } = await prepare(spec, ANYWHERE, values, flags, { cwd: "", random: () => "" });
  const made = partsOf(request.url.slice(ANYWHERE.baseUrl.length));
  const isSame =
    decoded(made.path) === decoded(path) &&
    plainQuery(made.search) === plainQuery(search) &&
    canonicalJson(JSON.parse(request.body ?? "{}")) === canonicalJson(body);
  return isSame ? { spec, words: [...spec.command.split(" "), ...values], flags } : null;
}

function partsOf(address: string): { path: string; search: string } {
  const mark = address.indexOf("?");
  return mark === -1
    ? { path: address, search: "" }
    : { path: address.slice(0, mark), search: address.slice(mark + 1) };
}

/** Returns the command that sends the same request. Null when none does, for example because of an unknown field. */
export async function sameCommand(sent: SentRequest, specs: readonly OperationSpec[]): Promise<SameCommand | null> {
  for (const spec of specs) {
    try {
      const found = await commandOf(spec, sent);
      if (found !== null) return found;
    } catch (error) {
      // The flag does not accept this value.
      if (!(error instanceof Failure)) throw error;
    }
  }
  return null;
}
