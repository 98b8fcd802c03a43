import * as z from "zod";
import { OPERATION_METHODS } from "../../../../base/kernel/contract.js";
import { PAGE_QUERY, page } from "../../../../base/kernel/cursor-page.js";
import { ApiError, shorten } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { IsoInstant, idFilter, optionalQueryInteger } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { CALLER_KINDS, KEY_OUTCOMES, RequestErrors, requestFilter } from "../logged-request.js";
import type { RequestLog } from "../request-log.js";

/** The latest requests, for the person who debugs an integration. They can be followed live as an event stream. */

/** The log is in memory, so it is not in the reader of the database. */
export interface RequestControls {
  requests: Pick<RequestLog, "search" | "find" | "errors">;
}

const Headers = z.record(z.string(), z.string());

const LoggedRequest = z
  .object({
    number: z.int().describe("Grows with every request that arrives"),
    id: z.string(),
    at: IsoInstant,
    method: z.string(),
    path: z.string(),
    status: z.int().describe("0: the connection was cut and nothing was answered"),
    duration_ms: z.number(),
    caller: z
      .string()
      .nullable()
      .describe("Who sent it: a command of qa-pay, a user who is logged in, a program by its User-Agent, else the key"),
    caller_kind: z.enum(CALLER_KINDS).describe("The command line, the console, or any other program"),
    key_fingerprint: z.string().nullable(),
    subject: z.string().nullable().describe("Id of the object in the path, or of the one that was created"),
    idempotency_key: z.string().nullable(),
    idempotency: z.enum(KEY_OUTCOMES).nullable().describe("How the key was used; null when none was sent"),
    differs: z
      .array(z.string())
      .nullable()
      .describe("For a conflict: the fields that differ from the first request with the key, when it is still known"),
    error: z.object({ type: z.string(), code: z.string(), param: z.string().nullable() }).nullable(),
    request_headers: Headers.describe("Some headers; none with a credential"),
    request_body: z.unknown(),
    response_headers: Headers,
    response_body: z.unknown(),
    fault: z.string().nullable().describe("Id of the fault rule that caused this"),
  })
  .meta({ id: "LoggedRequest" });

const RequestSubject = idFilter(
  "a charge, payment, MED case, endpoint, delivery or API key",
  ID_PREFIX.charge,
  ID_PREFIX.transaction,
  ID_PREFIX.medCase,
  ID_PREFIX.endpoint,
  ID_PREFIX.delivery,
  ID_PREFIX.apiKey,
  "",
);

/** Filters of requests that the list, its live stream and the groups of errors share. */
const REQUEST_FILTERS = {
  method: z.enum(OPERATION_METHODS).optional(),
  path: z.string().optional().describe("Prefix of the path"),
  status: optionalQueryInteger(100, 599),
  subject: RequestSubject.optional().describe("Id of the object it is about, in any form"),
  caller: z.string().min(1).optional().describe("Part of the caller, such as command or curl"),
  caller_kind: z
    .enum(CALLER_KINDS)
    .optional()
    .describe("Who sent it: the command line, the console, or any other program"),
  within_seconds: optionalQueryInteger(1, 86_400).describe("Only the latest, by real time"),
  q: z.string().min(1).optional().describe("Text anywhere in what is shown of the request"),
};

export const sandboxRequests = defineOperation({
  id: "sandbox.requests",
  route: "GET /_sandbox/requests",
  summary: "List the latest requests to /v1, or follow them live",
  description:
    "Lists the requests to `/v1` with the keys of the account and mode, and without a valid key, newest first; " +
    "with `Accept: text/event-stream` it follows them live. Keys, tokens and passwords are not in it. It is kept in " +
    "memory and begins anew with the server. An unknown parameter and a bad value are refused.",
  stream: "requests",
  query: z.strictObject({
    ...PAGE_QUERY,
    ...REQUEST_FILTERS,
    request: z.string().optional().describe("Id of the request; clients may use one several times"),
  }),
  success: { status: 200, description: "Newest first", schema: page(LoggedRequest) },
  cli: {
    examples: [
      "qa-pay sandbox requests --limit 10",
      "qa-pay sandbox requests --status 400 --json",
      "qa-pay sandbox requests --errors",
      "qa-pay sandbox requests --caller-kind app --within-seconds 60",
    ],
    columns: [
      "at, number, id as Request, method, path, status, error.code as Error, duration_ms as ms, caller",
      "idempotency as Key, fault",
    ],
  },
}).control(({ caller, query }, { requests }: RequestControls) => {
  const { limit, after, within_seconds: withinSeconds, ...filters } = query;
  return requests.search({ bookId: caller.bookId, limit, after, withinSeconds, matches: requestFilter(filters) });
});

export const sandboxRequestErrors = defineOperation({
  id: "sandbox.requests.errors",
  route: "GET /_sandbox/requests/errors",
  summary: "Count the refused requests by route and error code",
  description:
    "Groups the refusals in the request log by method, route, status and error code, the largest group first, each with " +
    "the number of its latest request. It takes the filters of the list. An unknown parameter and a bad value are refused.",
  query: z.strictObject(REQUEST_FILTERS),
  success: {
    status: 200,
    description: "The largest group first",
    schema: z.object({ data: z.array(RequestErrors) }),
  },
  cli: {
    command: "sandbox requests",
    variant: { flag: "errors", about: "count the refused ones by route and error code instead" },
    examples: ["qa-pay sandbox requests --errors"],
    columns: "count, method, route, status, code as Error, last_at, last_number as Number",
  },
}).control(({ caller, query }, { requests }: RequestControls) => ({
  data: requests.errors({
    bookId: caller.bookId,
    withinSeconds: query.within_seconds,
    matches: requestFilter(query),
  }),
}));

/** The maximum of digits of a number in the log. */
const NUMBER = /^\d{1,15}$/;

export const sandboxRequest = defineOperation({
  id: "sandbox.requests.get",
  route: "GET /_sandbox/requests/{number}",
  summary: "Get one request of the log",
  description: "Answers one request to `/v1` by its number, as in the list. The log keeps the latest ones only.",
  success: { status: 200, description: "The request", schema: LoggedRequest },
}).control(({ caller, params: { number } }, { requests }: RequestControls) => {
  const found = NUMBER.test(number) ? requests.find(caller.bookId, Number(number)) : null;
  if (found !== null) return found;
  const message = `There is no request ${shorten(number, 300)} in the log; it keeps the latest ones only.`;
  throw new ApiError("not_found", { message });
});
