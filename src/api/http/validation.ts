import * as z from "zod";
import { ApiError, type ErrorDetail, fieldError, MAX_DETAILS, shorten } from "../../base/kernel/errors.js";
import { isJsonObject, type JsonObject } from "../../base/kernel/json.js";

/**
 * Creates parsers from schemas. They return the parsed value or throw a 400 (docs/service/errors.md#envelope,
 * docs/service/errors.md#codes).
 */

type Issue = z.core.$ZodIssue;

function expectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      if (Number.isNaN(issue.input)) return "is a number that cannot be kept exactly";
      return `must be ${/^[aeio]/.test(issue.expected) ? "an" : "a"} ${issue.expected === "int" ? "integer" : issue.expected}`;
    case "too_small":
      return `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    case "invalid_value":
      if (issue.input === undefined) return "is required";
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "unrecognized_keys":
      return "is not a parameter here";
    default:
      return undefined;
  }
}

function detailsOf(issues: readonly Issue[]): ErrorDetail[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ param: [...issue.path, key].join("."), message: issue.message }))
      : [{ param: issue.path.join("."), message: issue.message }],
  );
}

/** A message about all failed fields. When it gets too long, the other fields are only counted. */
function messageOf(details: readonly ErrorDetail[]): string {
  const ROOM = 900;
  let message = "";
  let shownIssues = 0;
  for (const detail of details.slice(0, MAX_DETAILS)) {
    const sentence = `${shorten(detail.param)} ${detail.message}`;
    if (shownIssues > 0 && message.length + sentence.length > ROOM) break;
    message += shownIssues === 0 ? sentence : `; ${sentence}`;
    shownIssues += 1;
  }
  return shownIssues === details.length ? message : `${message}; and ${details.length - shownIssues} more`;
}

function refuse(issues: readonly Issue[]): never {
  // One detail for each field. When a value breaks several rules, the last one is the most specific.
  const details = [...new Map(detailsOf(issues).map((detail) => [detail.param, detail])).values()];
  const fields = details.map((detail) => detail.param);
  const message = messageOf(details);
  throw new ApiError(fields.includes("amount") ? "invalid_amount" : "invalid_request", {
    message,
    details,
    ...(fields.length === 1 && fields[0] !== undefined ? { param: fields[0] } : {}),
  });
}

function parse(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  const result = schema.safeParse(value, { error: expectation });
  return result.success ? result.data : refuse(result.error.issues);
}

/** The preparation of a body before its schema checks it. */
interface BodyPlan {
  /** Members that do not allow null. Null counts as left out there. */
  readonly drop: readonly string[];
  /** Members that are lists, with the maximum number of their items. */
  readonly lists: readonly (readonly [string, number])[];
  readonly inside: readonly (readonly [string, BodyPlan])[];
}

/** The maximum of a list. Without one, a request could cause an error text for each of a hundred thousand items. */
function maximumOf(name: string, list: z.ZodArray): number {
  for (const { _zod } of list.def.checks ?? []) {
    if ("maximum" in _zod.def && typeof _zod.def.maximum === "number") return _zod.def.maximum;
  }
  throw new Error(`the list ${name} of a body needs a maximum`);
}

function unwrapSchema(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return isWrapper ? unwrapSchema(schema.unwrap()) : schema;
}

/**
 * The first use of a schema, or of one of its fields, compiles it. All schemas together take longer than opening the
 * database, so a start waits for none of them.
 */
function planOf(schema: z.ZodObject): BodyPlan {
  const fields: [string, z.ZodType][] = [];
  const lists: [string, number][] = [];
  const inside: [string, BodyPlan][] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!(field instanceof z.ZodType)) continue;
    fields.push([name, field]);
    const inner = unwrapSchema(field);
    if (inner instanceof z.ZodObject) inside.push([name, planOf(inner)]);
    if (inner instanceof z.ZodArray) lists.push([name, maximumOf(name, inner)]);
  }
  let drop: readonly string[] | undefined;
  return {
    get drop() {
      drop ??= fields.filter(([, field]) => !field.safeParse(null).success).map(([name]) => name);
      return drop;
    },
    lists,
    inside,
  };
}

/** The body without members that count as left out. Throws `invalid_request` for a list that is too long. */
function prepareBody(value: JsonObject, plan: BodyPlan, path = ""): JsonObject {
  let copy = value;
  const change = (name: string, member: JsonObject | undefined) => {
    if (copy === value) copy = { ...value };
    if (member === undefined) delete copy[name];
    else copy[name] = member;
  };
  for (const name of plan.drop) if (value[name] === null) change(name, undefined);
  for (const [name, maximum] of plan.lists) {
    const member = value[name];
    if (Array.isArray(member) && member.length > maximum) {
      throw fieldError(path + name, `must have at most ${maximum} items`);
    }
  }
  for (const [name, inner] of plan.inside) {
    const member = value[name];
    if (!isJsonObject(member)) continue;
    const next = prepareBody(member, inner, `${path}${name}.`);
    if (next !== member) change(name, next);
  }
  return copy;
}

/** A parser of bodies. Null counts as left out for a field that does not allow null. */
export function bodyParser(schema: z.ZodObject): {
  readonly optional: boolean;
  parse(value: JsonObject): Record<string, unknown>;
} {
  const plan = planOf(schema);
  let optional: boolean | undefined;
  return {
    get optional() {
      optional ??= schema.safeParse({}).success;
      return optional;
    },
    parse: (value) => parse(schema, prepareBody(value, plan)),
  };
}

/** A parser of query strings. It refuses a repeated parameter, instead of ignoring one of the values. */
export function queryParser(schema: z.ZodObject): (search: string) => Record<string, unknown> {
  let withoutQuery: ReturnType<typeof schema.safeParse> | undefined;
  return (search) => {
    if (search === "") {
      withoutQuery ??= schema.safeParse({});
      if (withoutQuery.success) return withoutQuery.data;
    }
    const values = new Map<string, string>();
    for (const [name, value] of new URLSearchParams(search)) {
      if (values.has(name)) throw fieldError(name, "is sent more than once");
      values.set(name, value);
    }
    // Object.fromEntries keeps a parameter that is named __proto__; an assignment would lose it.
    return parse(schema, Object.fromEntries(values));
  };
}
