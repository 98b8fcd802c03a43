import type { Contract } from "../../base/kernel/contract.js";
import { percentDecoded } from "../../base/kernel/page-address.js";

/** Operations by their routes. Pure functions: commands, the typed client, the tools for agents and the console share them. */

/** The parts of an operation that are needed to send its request, or to write it as text. */
export interface Route extends Pick<Contract, "method" | "path" | "auth"> {
  /** The place of the idempotency key: `header`, or the name of a field of the body. Undefined when there is none. */
  readonly key?: string | undefined;
}

export function routeOf({ method, path, auth, idempotency }: Contract): Route {
  return { method, path, auth, ...(idempotency === undefined ? {} : { key: idempotency.field ?? "header" }) };
}

/** The input of an operation at run time. The types in types.ts are stricter, and check the callers of the client. */
export interface Input {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** The values of a route's parameters in a path; null for a path of another route. */
function parametersIn(route: string, path: string): Record<string, string> | null {
  const [wanted, given] = [route.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? "";
    if (part.startsWith("{")) values[part.slice(1, -1)] = percentDecoded(segment);
    else if (part !== segment) return null;
  }
  return values;
}

export interface RouteMatch<Of> {
  readonly route: Of;
  /** Such as `{ id: "ch_1" }`. */
  readonly params: Readonly<Record<string, string>>;
}

/** The route of a request. A route of fixed words has priority over one with a parameter. Null for none. */
export function findRoute<Of extends Pick<Route, "method" | "path">>(
  routes: readonly Of[],
  method: string,
  path: string,
): RouteMatch<Of> | null {
  const fitting = routes.flatMap((route) => {
    const params = route.method === method ? parametersIn(route.path, path) : null;
    return params === null ? [] : [{ route, params }];
  });
  const [found] = fitting.sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length);
  return found ?? null;
}

/** Returns true if a text can be one segment of a path. An empty text, `.` and `..` would change the path itself. */
export function isPathSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== "..";
}

/** Builds a query such as `?a=1&b=2`. Undefined values are left out. Returns an empty text when no value is left. */
export function queryString(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `?${query}` : "";
}

/** The address of an operation on the service: its path with the parameters, and its query. */
export function addressOf(path: string, { params = {}, query = {} }: Input): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(params[name] ?? "")));
  return filled + queryString(query);
}

/** Returns the first character that a header cannot hold. The error of node:http would look like a missing answer. */
export function oddInHeader(text: string): string | undefined {
  return /[^\t\x20-\x7e\x80-\xff]/u.exec(text)?.[0];
}

export function isHeaderText(text: string): boolean {
  return oddInHeader(text) === undefined;
}

/** True if a text is one word of plain characters, like keys, tokens and secrets. */
export function isPlainWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

export type RequestParts = Readonly<ReturnType<typeof requestOf>>;

/**
 * The request of an operation without its host: `address` is path and query, `body` JSON text. A body is sent when the
 * input has one. `credential` are the headers with the key or the token.
 */
export function requestOf(
  { method, path, key }: Route,
  input: Input,
  credential: Readonly<Record<string, string>> = {},
) {
  const { body, idempotencyKey } = input;
  const headers: Record<string, string> = { accept: "application/json", ...credential };
  if (key === "header" && idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  if (body !== undefined) headers["content-type"] = "application/json";
  return {
    method,
    address: addressOf(path, input),
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
