import {
  bodyOf,
  credentialOf,
  headersOf,
  type Repetition,
  type SentRequest,
} from "../../../client/repeated-request.js";
import type { AnyInput } from "../api/input.js";
import type { RouteFact } from "../facts/routes.js";
import { clientCall } from "./command-line.js";

/** A request of the log as text that sends it again or tests it elsewhere. Pure functions. */

export interface AnsweredRequest extends SentRequest {
  readonly status: number;
  readonly response_body: unknown;
}

export interface CalledOperation {
  readonly id: string;
  readonly route: RouteFact;
  readonly input: AnyInput;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The values of a route's parameters in a path; null when the path is not one of this route. */
function parametersIn(route: string, path: string): Record<string, string> | null {
  const [wanted, given] = [route.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined) values[name] = decoded(segment);
    else if (part !== segment) return null;
  }
  return values;
}

/** The operation that a request has called, with its input; null for a request that is in no contract. */
export function operationOf(
  routes: Readonly<Record<string, RouteFact>>,
  { method, path, request_body: body, idempotency_key: idempotencyKey, request_headers: headers }: SentRequest,
): CalledOperation | null {
  const [address = "", search = ""] = path.split(/\?(.*)/s);
  const fitting = Object.entries(routes).flatMap(([id, route]) => {
    const params = route.method === method ? parametersIn(route.path, address) : null;
    return params === null ? [] : [{ id, route, params }];
  });
  // A route of fixed words is meant before one with a parameter in their place.
  const [found] = fitting.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  if (found === undefined || (body !== null && !isObject(body))) return null;
  const { id, route, params } = found;
  const query = Object.fromEntries(new URLSearchParams(search));
  const input = {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body === null ? {} : { body }),
    ...(idempotencyKey === null || headers?.["idempotency-key"] === undefined ? {} : { idempotencyKey }),
  };
  return { id, route, input };
}

/** A call of the typed client, with a new idempotency key; null for a request that no method of the client sends. */
export function clientLine(routes: Readonly<Record<string, RouteFact>>, entry: SentRequest): string | null {
  const called = operationOf(routes, entry);
  return called === null ? null : clientCall(called.id, called.route, called.input);
}

/** Quotes a text for PowerShell, which ends such a text at typographic quotes too. */
export function powerShellText(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
}

/** Windows PowerShell sends a body as ISO-8859-1 unless the type names another encoding. */
function withCharset(type: string): string {
  return /^application\/json\s*$/i.test(type) ? `${type.trim()}; charset=utf-8` : type;
}

/** `Invoke-RestMethod …`. The API key stands in it as a variable. */
export function powerShellLine(entry: SentRequest, baseUrl: string): Repetition {
  const { "content-type": type = "application/json", ...others } = headersOf(entry);
  const body = bodyOf(entry);
  const credential = {
    key: ["'apikey' = $env:QA_PAY_API_KEY"],
    token: ["'authorization' = \"Bearer $env:QA_PAY_TOKEN\""],
    none: [],
  }[credentialOf(entry.path)];
  const headers = [
    ...credential,
    ...Object.entries(others).map(([name, value]) => `${powerShellText(name)} = ${powerShellText(value)}`),
  ];
  const data = body === null ? ["-InFile", "body.json"] : ["-Body", powerShellText(body ?? "")];
  const line = [
    ...["Invoke-RestMethod", "-Method", entry.method, "-Uri", powerShellText(baseUrl + entry.path)],
    ...(headers.length === 0 ? [] : ["-Headers", `@{ ${headers.join("; ")} }`]),
    ...(body === undefined ? [] : ["-ContentType", powerShellText(withCharset(type)), ...data]),
  ].join(" ");
  return { line, notes: [] };
}

/** The members of an answer that are the same at each run: no ids, times and addresses. */
export function lastingPart({ status, request_body: sent, response_body: answer }: AnsweredRequest): unknown {
  if (!isObject(answer)) return null;
  if (status >= 400 && isObject(answer.error)) {
    const { type, code, param } = answer.error;
    return { error: { type, code, ...(param === undefined || param === null ? {} : { param }) } };
  }
  const asSent = Object.entries(answer).filter(
    ([name, value]) =>
      name === "object" ||
      name === "status" ||
      (isObject(sent) && typeof value !== "object" && Object.hasOwn(sent, name) && sent[name] === value),
  );
  return asSent.length === 0 ? null : Object.fromEntries(asSent);
}

function literal(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}

/** A test for Vitest that sends the request to an emulator of its own and expects the same answer. */
export function vitestText(entry: AnsweredRequest): string {
  const { method, path, status, request_body: body } = entry;
  const credential = { key: ["apikey: emulator.testKey"], token: [], none: [] }[credentialOf(path)];
  const headers = [
    ...credential,
    ...Object.entries(headersOf(entry)).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const text = typeof body === "string" ? JSON.stringify(body) : `JSON.stringify(${literal(body, "      ")})`;
  const lasting = lastingPart(entry);
  return [
    'import { createEmulator } from "qa-pay";',
    'import { expect, test } from "vitest";',
    "",
    `test(${JSON.stringify(`${method} ${path} answers ${status}`)}, async () => {`,
    "  const emulator = await createEmulator();",
    "  try {",
    `    const answer = await fetch(emulator.url + ${JSON.stringify(path)}, {`,
    `      method: ${JSON.stringify(method)},`,
    `      headers: { ${headers.join(", ")} },`,
    ...(body === null ? [] : [`      body: ${text},`]),
    "    });",
    `    expect(answer.status).toBe(${status});`,
    ...(lasting === null ? [] : [`    expect(await answer.json()).toMatchObject(${literal(lasting, "    ")});`]),
    "  } finally {",
    "    await emulator.close();",
    "  }",
    "});",
    "",
  ].join("\n");
}

/** Why a request of the log cannot be sent again as it was; null when it can. */
export function reasonNotToSend(entry: SentRequest): "not_kept" | "secret" | "not_json" | null {
  const body = bodyOf(entry);
  if (body === null) return "not_kept";
  if (`${entry.path}${body ?? ""}`.includes("[not logged]")) return "secret";
  if (/\[\d+ characters, not kept\]/.test(`${entry.path}${body ?? ""}`)) return "not_kept";
  return body !== undefined && !/^application\/json\b/i.test(headersOf(entry)["content-type"] ?? "")
    ? "not_json"
    : null;
}

/** The body with another idempotency key, when the key is a field of the body. */
export function withBodyKey(route: RouteFact | undefined, body: unknown, key: string): unknown {
  if (route?.key === undefined || route.key === "header" || !isObject(body)) return body;
  return { ...body, [route.key]: key };
}
