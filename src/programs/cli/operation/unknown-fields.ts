import type { GlobalFlags } from "../../../api/client/flags.js";
import { findRoute } from "../../../api/client/route.js";
import { isJsonObject } from "../../../base/kernel/json.js";
import { nearest } from "../../../base/kernel/nearest.js";
import type { Io } from "../terminal/io.js";
import { joinTexts, localized, say, type TerminalText } from "../terminal/terminal-text.js";
import { routes } from "../tree/route-table.js";

/** Warns about unknown fields in a body. The service ignores them silently, so a misspelt field would go unnoticed. */

/** The most warnings for one body. A body with more unknown fields is not misspelt but another kind of document. */
const MOST_NAMED = 10;

function unknownIn(body: object, fields: readonly string[], above = ""): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const field = above + name;
    if (fields.includes(field)) return [];
    if (!fields.some((one) => one.startsWith(`${field}.`))) return [field];
    return isJsonObject(value) ? unknownIn(value, fields, `${field}.`) : [];
  });
}

/** A field and all objects around it: `customer` and `customer.name`. */
function withParents(field: string): string[] {
  const parts = field.split(".");
  return parts.map((_part, index) => parts.slice(0, index + 1).join("."));
}

/**
 * A warning for each unknown field of a body, with the most similar known field. `request` is such as `POST
 * /v1/charges`.
 */
export function unknownFields(request: string, body: unknown): TerminalText[] {
  const [method = "", address = ""] = request.split(" ");
  const [path = ""] = address.split("?");
  const fields = findRoute(routes, method, path)?.route.fields;
  if (method === "GET" || fields === undefined || !isJsonObject(body)) return [];
  const names = [...new Set(fields.flatMap(withParents))];
  return unknownIn(body, fields)
    .slice(0, MOST_NAMED)
    .map((field) => {
      const meant = nearest(field, names);
      const warning = localized`Warning: ${method} ${path} ignores the field ${field}, which it does not know.`;
      return say`${joinTexts(meant === undefined ? [warning] : [warning, localized`Did you mean ${meant}?`], " ")}\n`;
    });
}

/**
 * Decides when the warnings are printed. A person gets them before the request is sent. With --json they come after a
 * success: a failed command must print nothing but the error envelope on standard error.
 */
export function warningsFor(io: Io, { json, quiet }: GlobalFlags, warnings: readonly TerminalText[]) {
  const printer = (isItsTime: boolean) => () => {
    if (isItsTime && !quiet) for (const warning of warnings) io.err(warning);
  };
  return { beforeSending: printer(!json), afterSuccess: printer(json === true) };
}
