import { z } from "zod";
import { ApiError, type ErrorDetail } from "../kernel/errors.js";
import { isJsonObject, type JsonObject } from "../kernel/json.js";

/** Turns schemas into parsers that answer typed values or throw the contract's 400 (sections 7.1 and 7.2). */

type Issue = z.core.$ZodIssue;

function expectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
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

function refuse(issues: readonly Issue[]): never {
  // One detail a field: of several rules that one value breaks, the last is the narrowest.
  const details = [...new Map(detailsOf(issues).map((detail) => [detail.param, detail])).values()];
  const fields = details.map((detail) => detail.param);
  const message = details.map((detail) => `${detail.param} ${detail.message}`).join("; ");
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

/** Which members of an object schema turn null into "left out", and which objects to look into. */
interface NullPlan {
  readonly drop: readonly string[];
  readonly inside: readonly (readonly [string, NullPlan])[];
}

function planNulls(schema: z.ZodObject): NullPlan {
  const drop: string[] = [];
  const inside: [string, NullPlan][] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!(field instanceof z.ZodType)) continue;
    if (!field.safeParse(null).success) drop.push(name);
    let inner: unknown = field;
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
    if (inner instanceof z.ZodObject) inside.push([name, planNulls(inner)]);
  }
  return { drop, inside };
}

function withoutNulls(value: JsonObject, plan: NullPlan): JsonObject {
  let copy = value;
  const change = (name: string, member: JsonObject | undefined) => {
    if (copy === value) copy = { ...value };
    if (member === undefined) delete copy[name];
    else copy[name] = member;
  };
  for (const name of plan.drop) if (value[name] === null) change(name, undefined);
  for (const [name, inner] of plan.inside) {
    const member = value[name];
    if (isJsonObject(member)) change(name, withoutNulls(member as JsonObject, inner));
  }
  return copy;
}

/** A parser of bodies: null for a field that does not take null counts as left out. */
export function bodyParser(schema: z.ZodObject): {
  readonly optional: boolean;
  parse(value: JsonObject): Record<string, unknown>;
} {
  const plan = planNulls(schema);
  return {
    optional: schema.safeParse({}).success,
    parse: (value) => parse(schema, withoutNulls(value, plan)),
  };
}

/** A parser of query strings. A parameter that is given twice is refused: one of them would be ignored silently. */
export function queryParser(schema: z.ZodObject): (search: string) => Record<string, unknown> {
  const withoutQuery = schema.safeParse({});
  return (search) => {
    if (search === "" && withoutQuery.success) return withoutQuery.data;
    const values: Record<string, string> = {};
    for (const [name, value] of new URLSearchParams(search)) {
      if (Object.hasOwn(values, name)) {
        const details = [{ param: name, message: "is given more than once" }];
        throw new ApiError("invalid_request", { message: `${name} is given more than once`, param: name, details });
      }
      values[name] = value;
    }
    return parse(schema, values);
  };
}
