import type { KeptRequest } from "./logged-request.js";
import { toLoggedRequest } from "./logged-request.js";

/** The filter of the request log and its live stream. The query has been checked against the contract. */

interface RequestQuery {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** The id of the request. */
  readonly request?: string | undefined;
  /** The id of the object that the request is about, without prefix. */
  readonly subject?: string | undefined;
  readonly caller?: string | undefined;
  readonly q?: string | undefined;
}

/** Whether a text holds a part, in capitals or not. */
function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** All values of a request as one text, bodies as JSON. */
function textOf(entry: KeptRequest): string {
  const { error, ...others } = toLoggedRequest(entry);
  const values = [...Object.values(others), ...Object.values(error ?? {})].filter((value) => value !== null);
  return values.map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value))).join("\n");
}

export function requestFilter({ method, path, status, request, subject, caller, q }: RequestQuery) {
  return (entry: KeptRequest): boolean =>
    (method === undefined || entry.method === method) &&
    (path === undefined || entry.path.startsWith(path)) &&
    (status === undefined || entry.status === status) &&
    (request === undefined || entry.id === request) &&
    (subject === undefined || entry.subject?.endsWith(subject) === true) &&
    (caller === undefined || holds(entry.caller ?? "", caller)) &&
    // Searches only what is shown. Otherwise a hidden secret could be found letter by letter.
    (q === undefined || holds(textOf(entry), q));
}
