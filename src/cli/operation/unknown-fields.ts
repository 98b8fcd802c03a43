import { isJsonObject } from "../../kernel/json.js";
import { nearest } from "../../kernel/nearest.js";
import type { Io } from "../terminal/io.js";
import { say, type TerminalText } from "../terminal/terminal-text.js";
import { bodyRoutes } from "../tree/body-routes.js";
import type { GlobalFlags } from "../tree/flags.js";

/** The service leaves out what it does not know without a word, so a misspelt field is told to who wrote it. */

/** More of them are no misspellings but another kind of document. */
const MOST_TOLD = 10;

/** Whether a path is one of a route; `{name}` stands for any segment, a reference of a script too. */
function isOf(route: string, path: string): boolean {
  const [wanted, given] = [route.split("/"), path.split("/")];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith("{") || part === given[index]);
}

/** The dotted paths that the body of a request may have; null for a route that is not known. */
function fieldsOf(method: string, path: string): readonly string[] | null {
  const routes = bodyRoutes().filter((route) => route.method === method && isOf(route.path, path));
  return (routes.find((route) => route.path === path) ?? routes[0])?.fields ?? null;
}

function strangers(body: object, known: readonly string[], above = ""): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const field = above + name;
    if (known.includes(field)) return [];
    if (!known.some((one) => one.startsWith(`${field}.`))) return [field];
    return isJsonObject(value) ? strangers(value, known, `${field}.`) : [];
  });
}

/** A field and every object that it is in: `customer.name` and `customer`. */
function withHolders(field: string): string[] {
  const parts = field.split(".");
  return parts.map((_part, index) => parts.slice(0, index + 1).join("."));
}

/** A warning for each field of a body that its route does not know, with the one that was probably meant. */
export function unknownFields(request: string, body: unknown): TerminalText[] {
  const [method = "", address = ""] = request.split(" ");
  const [path = ""] = address.split("?");
  const known = isJsonObject(body) ? fieldsOf(method, path) : null;
  if (known === null || !isJsonObject(body)) return [];
  const names = [...new Set(known.flatMap(withHolders))];
  return strangers(body, known)
    .slice(0, MOST_TOLD)
    .map((field) => {
      const meant = nearest(field, names);
      const advice = meant === undefined ? "" : ` Did you mean ${meant}?`;
      return say`Warning: ${method} ${path} ignores the field ${field}, which it does not know.${advice}\n`;
    });
}

/**
 * A person reads the warnings before anything is sent. A program takes what stands on standard error for the envelope of
 * a failure, so it gets them when there was none.
 */
export function warningsFor(io: Io, { json, quiet }: GlobalFlags, warnings: readonly TerminalText[]) {
  const tell = () => {
    for (const warning of warnings) io.err(warning);
  };
  const nothing = () => undefined;
  if (quiet) return { beforeSending: nothing, afterSuccess: nothing };
  return json ? { beforeSending: nothing, afterSuccess: tell } : { beforeSending: tell, afterSuccess: nothing };
}
