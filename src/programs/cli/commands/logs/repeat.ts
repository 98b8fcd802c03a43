import { commandWords, flagWords } from "../../../../api/client/command-words.js";
import type { OperationSpec } from "../../../../api/client/describe-operations.js";
import {
  apiLine,
  asSent,
  inputOf,
  KEY_FLAGS,
  qaPayLine,
  type Repetition,
} from "../../../../api/client/request-text.js";
import type { Input } from "../../../../api/client/route.js";
import { pick } from "../../../../base/kernel/pick.js";
import { asStarted } from "../../terminal/program-command.js";
import { routes } from "../../tree/route-table.js";
import type { LoggedRequest } from "./logged-request.js";

const LOGIN = "This is a route for users: run `qa-pay login` first.";

/** Returns the command of one of the operations that sends the request again, else `qa-pay api`. */
export function commandToRepeat(
  entry: LoggedRequest,
  baseUrl: string,
  operations: readonly OperationSpec[],
  program: string,
): Repetition {
  const request = asSent(entry, routes);
  const words = sameCommand(entry, operations);
  const isOfUser = request.auth === "jwt";
  const found =
    words === null
      ? apiLine(request, baseUrl)
      : qaPayLine(words, baseUrl, isOfUser ? [] : KEY_FLAGS, isOfUser ? [LOGIN] : []);
  return { ...found, line: asStarted(found.line, program) };
}

/** The words of the command that sends the same request; null when none does, for example because of an unknown field. */
function sameCommand(entry: LoggedRequest, operations: readonly OperationSpec[]): string[] | null {
  const type = entry.request_headers?.["content-type"] ?? "application/json";
  const called = type.startsWith("application/json") ? inputOf(entry, routes) : null;
  const spec = operations.find(({ method, path }) => method === called?.route.method && path === called.route.path);
  if (called === null || spec === undefined || !isTaken(spec, called.input)) return null;
  const sends = { ...spec.constants, ...spec.defaults };
  const words = commandWords({ ...spec, sends }, spec.path, called.input);
  if (words === null || spec.idempotencyKey === undefined) return words;
  // Without a key of the request, the command would send a new one.
  return entry.idempotency_key === null ? null : [...words, ...flagWords("idempotency-key", entry.idempotency_key)];
}

/** Returns whether a request has everything that its command requires. */
function isTaken({ arguments: named, argumentSpan, flags, oneOf }: OperationSpec, { query, body }: Input): boolean {
  const isPresent = (field: string) => pick(query, field) !== undefined || pick(body, field) !== undefined;
  const isMissing = named.some(({ field, optional }) => field !== undefined && !optional && !isPresent(field));
  const isTwice =
    argumentSpan !== undefined && isPresent(argumentSpan) && named.some(({ field = "" }) => isPresent(field));
  const given = flags.filter(({ field }) => isPresent(field));
  return (
    !isMissing &&
    !isTwice &&
    flags.every((flag) => !flag.required || given.includes(flag)) &&
    (oneOf.length === 0 || given.some(({ name }) => oneOf.includes(name)))
  );
}
