import { registry } from "../../src/api/registry.js";
import type { Contract } from "../../src/base/kernel/contract.js";
import { ERROR_CATALOGUE } from "../../src/base/kernel/errors.js";
import { ID_PREFIX } from "../../src/base/kernel/ids.js";
import { DATE_TIME_PATTERN, INSTANT_PATTERN } from "../../src/base/kernel/time.js";
import { retryDelay } from "../../src/service/delivery/schedule.js";
import { medMachine } from "../../src/service/features/med/machine.js";
import { payoutMachine } from "../../src/service/features/payouts/machine.js";
import { refundMachine } from "../../src/service/features/refunds/machine.js";
import { formatAsFlag, SETTING_LIST } from "../../src/service/features/service-settings.js";
import { PAYMENT_METHODS } from "../../src/service/features/transactions/catalogue.js";
import { PUBLIC_STATUS, transactionMachine } from "../../src/service/features/transactions/machine.js";
import { EVENT_CATALOGUE, EVENT_NAMES } from "../../src/service/features/webhooks/catalogue.js";
import { deliveryMachine } from "../../src/service/features/webhooks/machine.js";
import { openApiDocument } from "../../src/service/openapi/document.js";
import { COMPONENTS, createSchemaWriter, type JsonSchema, type Parameter } from "../../src/service/openapi/schemas.js";
import type { Examples } from "./examples.js";
import { type AnyMachine, code, codes, moves, table } from "./tables.js";

/**
 * The parts of docs/service that are read off the source. A page holds them between `<!-- name argument … -->` and
 * `<!-- end -->`; what stands between is replaced by what the block of that name makes of the arguments.
 */

const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);
const { paths, components } = openApiDocument(contracts, {
  previews: new Set(contracts.flatMap(({ preview }) => preview ?? [])),
  sandbox: true,
  version: "",
});

const AUTH = { key: "API key", jwt: "login", none: "none" } as const;

function operations(...prefixes: string[]): string {
  const found = contracts.filter(({ path }) =>
    prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
  );
  const rows = found.map(({ id, method, path, auth, success, summary, preview }) => [
    code(`${method} ${path}`),
    code(id),
    AUTH[auth],
    taken(id).join(", "),
    preview === undefined ? String(success.status) : `404; ${success.status} with \`--preview ${preview}\``,
    `${summary}.`,
  ]);
  return filled(["Operation", "Id", "Needs", "Takes", "Success", "What it does"], rows);
}

/** The schema behind a reference. */
function resolved(schema: JsonSchema): JsonSchema {
  const name = typeof schema.$ref === "string" ? schema.$ref.slice(COMPONENTS.length) : undefined;
  return name === undefined ? schema : (components.schemas[name] ?? schema);
}

function bounds({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const [low, high, unit] =
    minimum === undefined && maximum === undefined ? [minLength, maxLength, " characters"] : [minimum, maximum, ""];
  if (low !== undefined && high !== undefined) return `, ${low} to ${high}${unit}`;
  if (high !== undefined) return `, at most ${high}${unit}`;
  return low === undefined ? "" : `, at least ${low}${unit}`;
}

function typeText(given: JsonSchema): string {
  const schema = resolved(given);
  if (schema.pattern === INSTANT_PATTERN) return "instant or date";
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one: JsonSchema) => typeText(one)).join(" or ");
  if (schema.const !== undefined) return code(String(schema.const));
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => code(String(one))).join(", ");
  if (schema.type === "array") return `list of ${typeText((schema.items ?? {}) as JsonSchema)}`;
  if (schema.format === "date-time" || schema.pattern === DATE_TIME_PATTERN) return "instant";
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return `${String(schema.type ?? "any value")}${bounds(schema)}`;
}

/** The members of an object, those of inner objects by their dotted paths. */
function members(given: JsonSchema, prefix = ""): [name: string, schema: JsonSchema, isRequired: boolean][] {
  const { properties = {}, required = [] } = resolved(given) as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = members(schema, `${prefix}${name}.`);
    return [[prefix + name, schema, required.includes(name)], ...inner];
  });
}

function fieldsOf(schema: JsonSchema, presence: (isRequired: boolean) => string): string {
  const rows = members(schema).map(([name, field, isRequired]) => {
    const fallback = field.default === undefined ? "" : `Default ${code(String(field.default))}. `;
    return [code(name), typeText(field), presence(isRequired), (fallback + meaning(field)).trim()];
  });
  return filled(["Field", "Type", "Presence", "Meaning"], rows);
}

/** The purpose of a field. The type already says that it is an instant. */
function meaning({ description, format }: { description?: string | undefined; format?: string }): string {
  const isCommonplace = format === "date-time" && description === "ISO 8601 UTC timestamp";
  return typeof description === "string" && !isCommonplace ? `${description.replace(/\.$/, "")}.` : "";
}

/** A table without the columns that say nothing in any row. */
function filled(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = head.map((_name, column) => rows.some((row) => row[column] !== ""));
  const only = (cells: readonly string[]) => cells.filter((_cell, column) => kept[column]);
  return table(only(head), rows.map(only));
}

function contractOf(id: string): Contract {
  const found = contracts.find((contract) => contract.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

function documented(id: string) {
  const { path, method } = contractOf(id);
  return paths[path]?.[method.toLowerCase()];
}

function inQuery(id: string): Parameter[] {
  return (documented(id)?.parameters ?? []).filter((one): one is Parameter => "in" in one && one.in === "query");
}

/** Names of what an operation takes in its body and behind the question mark; `?` marks what may be left out. */
function taken(id: string): string[] {
  const { properties = {}, required = [] } = documented(id)?.requestBody?.content?.["application/json"]?.schema ?? {};
  const fields = Object.keys(properties).map((name) => code(required.includes(name) ? name : `${name}?`));
  return [...fields, ...inQuery(id).map(({ name }) => code(`${name}?`))];
}

/** The body that an operation takes, without the null that every optional field may be. */
function body(id: string): string {
  const { body: schema } = contractOf(id);
  if (schema === undefined) throw new Error(`${id} takes no body`);
  return fieldsOf(createSchemaWriter().write(schema, "input"), (isRequired) => (isRequired ? "required" : ""));
}

/** The parameters that an operation takes behind the question mark. */
function query(id: string): string {
  const rows = inQuery(id).map(({ name, schema, description }) => {
    const { default: fallback } = schema;
    const text = fallback === undefined ? "" : `Default ${code(String(fallback))}. `;
    return [code(name), typeText(schema), (text + meaning({ description })).trim()];
  });
  return filled(["Parameter", "Type", "Meaning"], rows);
}

/** The fields of an object that the service answers, by its name in the OpenAPI document. */
function object(name: string): string {
  const schema = components.schemas[name];
  if (schema === undefined) throw new Error(`no object ${name}`);
  return fieldsOf(schema, (isRequired) => (isRequired ? "" : "not always"));
}

const MACHINES: Readonly<Record<string, AnyMachine>> = {
  transaction: transactionMachine,
  refund: refundMachine,
  payout: payoutMachine,
  med: medMachine,
  delivery: deliveryMachine,
};

function machine(name: string): string {
  const found = MACHINES[name];
  if (found === undefined) throw new Error(`no machine ${name}`);
  return moves(found);
}

function statuses(): string {
  const rows = Object.entries(PUBLIC_STATUS).map(([payment, charge]) => [code(payment), code(charge)]);
  return table(["Status of the payment", "Status of the charge"], rows);
}

/** Every event whose name begins so, or of that family. */
function events(...prefixes: string[]): string {
  const found = EVENT_NAMES.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
  return table(
    ["Event", "Family", "When"],
    found.map((name) => [code(name), EVENT_CATALOGUE[name].family, EVENT_CATALOGUE[name].description]),
  );
}

function methods(): string {
  const rows = Object.entries(PAYMENT_METHODS).map(([name, { currencies, refundable }]) => [
    code(name),
    codes(currencies),
    refundable ? "yes" : "no",
  ]);
  return table(["Method", "Currencies", "Can be refunded"], rows);
}

function errors(...names: string[]): string {
  const rows = Object.entries(ERROR_CATALOGUE)
    .filter(([name]) => names.length === 0 || names.some((wanted) => name.startsWith(wanted)))
    .map(([name, { status, type }]) => [code(name), String(status), code(type)]);
  return table(["Code", "HTTP status", "Type"], rows);
}

const ID_OF: Readonly<Record<string, string>> = { transaction: "payment, in lists and events", medCase: "MED case" };

function ids(): string {
  const spelt = (kind: string) => ID_OF[kind] ?? kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return table(
    ["Object", "Id"],
    Object.entries(ID_PREFIX).map(([kind, prefix]) => [spelt(kind), code(`${prefix}<uuid>`)]),
  );
}

const HOUR = 3_600;
const MINUTE = 60;

function duration(seconds: number): string {
  if (seconds >= HOUR) return `${Math.floor(seconds / HOUR)} h ${Math.round((seconds % HOUR) / MINUTE)} min`;
  if (seconds >= MINUTE) return `${Math.floor(seconds / MINUTE)} min ${seconds % MINUTE} s`;
  return `${seconds} s`;
}

/** How long after the end of each failed attempt the next one begins, and after the first one in all. */
function retries(): string {
  let total = 0;
  const rows = Array.from({ length: 14 }, (_, index) => {
    const seconds = retryDelay(index + 1, 10_000) / 1_000;
    total += seconds;
    return [String(index + 2), duration(seconds), duration(total)];
  });
  return table(["Attempt", "Comes after", "Since the first one, at least"], rows);
}

/** The settings of a service as flags of `serve`. */
function settings(): string {
  const rows = SETTING_LIST.map(([name, setting]) => {
    const { flag, about, guide = "", env, opposite, served } = setting;
    const usual = served ?? formatAsFlag(setting, setting.default);
    const isNamed = usual !== null && typeof usual !== "boolean" && setting.defaultBy === undefined;
    const variable = env === undefined ? "" : ` (${code(env)})`;
    const both = opposite === undefined ? "" : `; ${code(`--no-${name}`)}: ${opposite}`;
    return [code(flag), isNamed ? code(String(usual)) : "", about + variable + both + guide];
  });
  return table(["Flag", "Default", "Meaning"], rows);
}

/** An answer of the running server. Pictures and tokens are cut: nobody reads them. */
function json(examples: Examples, words: readonly string[]): string {
  const name = words.join(" ");
  if (examples[name] === undefined) {
    const end =
      words[0] === "event"
        ? ": a file in fixtures must end in a move that reports it, and stand in src/api/fixtures/built-in-fixtures.ts"
        : "";
    throw new Error(`no example ${name}${end}`);
  }
  const text = JSON.stringify(examples[name], null, 2).replace(/("(?:data:image\/png;base64,|eyJ).{20})[^"]*/g, "$1…");
  return `\`\`\`json\n${text}\n\`\`\``;
}

const BLOCKS: Readonly<Record<string, (...words: string[]) => string>> = {
  operations,
  body,
  query,
  object,
  machine,
  statuses,
  events,
  methods,
  errors,
  ids,
  retries,
  settings,
};

/** The page with every block made anew. */
export function withBlocks(page: string, examples: Examples): string {
  return page.replace(/<!-- (\S+)((?: \S+)*) -->\n[\s\S]*?<!-- end -->/g, (_whole, name: string, rest: string) => {
    const words = rest.trim() === "" ? [] : rest.trim().split(" ");
    const make = BLOCKS[name];
    if (make === undefined && name !== "json") throw new Error(`no block ${name}`);
    const text = make === undefined ? json(examples, words) : make(...words);
    return `<!-- ${[name, ...words].join(" ")} -->\n\n${text}\n\n<!-- end -->`;
  });
}
