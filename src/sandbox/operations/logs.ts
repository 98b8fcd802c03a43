import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { EventNameSchema, LoggedEvent, toLoggedEvent } from "../../features/webhooks/wire.js";
import { ApiError, fieldError, notFound, shortened } from "../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../kernel/ids.js";
import {
  IdParam,
  IsoInstant,
  idFilter,
  NoQuery,
  optionalQueryInteger,
  page,
  queryInteger,
} from "../../kernel/schemas.js";
import { EventSubject, requestFilter } from "../filters.js";

/** The latest requests and events, for the person who debugs an integration. Both can be followed live as event streams. */

const Headers = z.record(z.string(), z.string());

const LoggedRequest = z
  .object({
    number: z.int().meta({ description: "Grows with every request that arrives" }),
    id: z.string(),
    at: IsoInstant,
    method: z.string(),
    path: z.string(),
    status: z.int().meta({ description: "0: the connection was cut and nothing was answered" }),
    duration_ms: z.number(),
    caller: z.string().nullable().meta({
      description: "Who asked: a command of qa-pay, a user who is logged in, a program by its User-Agent, else the key",
    }),
    key_fingerprint: z.string().nullable(),
    subject: z
      .string()
      .nullable()
      .meta({ description: "Id of the object in the path, or of the one that was created" }),
    idempotency_key: z.string().nullable(),
    idempotency: z.enum(["new", "replayed", "conflict"]).nullable().meta({
      description: "What became of the key; null when none was used",
    }),
    differs: z.array(z.string()).nullable().meta({
      description: "For a conflict: the fields that differ from the first request with the key, when it is still known",
    }),
    error: z.object({ type: z.string(), code: z.string(), param: z.string().nullable() }).nullable(),
    request_headers: Headers.meta({ description: "Some headers; none with a credential" }),
    request_body: z.unknown(),
    response_headers: Headers,
    response_body: z.unknown(),
    fault: z.string().nullable().meta({ description: "Id of the fault rule that made it so" }),
  })
  .meta({ id: "LoggedRequest" });

/** The ids of objects that a request can be about. */
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
  method: z.enum(["GET", "POST", "PATCH", "DELETE"]).optional(),
  path: z.string().optional().meta({ description: "Prefix of the path" }),
  status: optionalQueryInteger(100, 599),
  subject: RequestSubject.optional().meta({ description: "Id of the object it is about, in any form" }),
  caller: z.string().min(1).optional().meta({ description: "Part of the caller, such as command or curl" }),
  q: z.string().min(1).optional().meta({ description: "Text anywhere in what is shown of the request" }),
};

export const sandboxRequests = defineOperation({
  id: "sandbox.requests",
  method: "GET",
  path: "/_sandbox/requests",
  auth: "key",
  surface: "sandbox",
  summary: "List the latest requests to /v1, or follow them live",
  description:
    "Lists what was asked under `/v1` with the keys of the account and mode, and without a valid key, newest first; " +
    "with `Accept: text/event-stream` it follows them live. Keys, tokens and passwords are not in it. It is kept in " +
    "memory and begins anew with the server. An unknown parameter and a bad value are refused.",
  stream: "requests",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    ...REQUEST_FILTERS,
    request: z.string().optional().meta({ description: "Id of the request; clients may use one several times" }),
  }),
  success: { status: 200, description: "Newest first", schema: page(LoggedRequest) },
  errors: [],
  cli: {
    command: "sandbox requests",
    examples: [
      "qa-pay sandbox requests --limit 10",
      "qa-pay sandbox requests --status 400 --json",
      "qa-pay sandbox requests --errors",
    ],
    rows: "data",
    columns: [
      { header: "At", path: "at", format: "time" },
      { header: "Number", path: "number" },
      { header: "Request", path: "id" },
      { header: "Method", path: "method" },
      { header: "Path", path: "path" },
      { header: "Status", path: "status" },
      { header: "Error", path: "error.code" },
      { header: "ms", path: "duration_ms" },
      { header: "Caller", path: "caller" },
      { header: "Key", path: "idempotency" },
      { header: "Fault", path: "fault" },
    ],
  },
}).control(({ caller, query }, { requests }) => {
  const { limit, after, ...filters } = query;
  return requests.search({ bookId: caller.bookId, limit, after, matches: requestFilter(filters) });
});

export const sandboxRequestErrors = defineOperation({
  id: "sandbox.requests.errors",
  method: "GET",
  path: "/_sandbox/requests/errors",
  auth: "key",
  surface: "sandbox",
  summary: "Count the refused requests by route and error code",
  description:
    "Groups the refusals in the request log by method, route, status and error code, the largest group first, each with " +
    "the number of its latest request. It takes the filters of the list. An unknown parameter and a bad value are refused.",
  query: z.strictObject(REQUEST_FILTERS),
  success: {
    status: 200,
    description: "The largest group first",
    schema: z.object({
      data: z.array(
        z
          .object({
            method: z.string(),
            route: z.string().meta({ description: "Such as /v1/charges/{id}; of an unknown path the path itself" }),
            status: z.int(),
            code: z.string(),
            count: z.int(),
            last_at: IsoInstant,
            last_number: z.int(),
          })
          .meta({ id: "RequestErrors" }),
      ),
    }),
  },
  errors: [],
  cli: {
    command: "sandbox requests",
    variant: { flag: "errors", about: "count the refused ones by route and error code instead" },
    examples: ["qa-pay sandbox requests --errors"],
    rows: "data",
    columns: [
      { header: "Count", path: "count" },
      { header: "Method", path: "method" },
      { header: "Route", path: "route" },
      { header: "Status", path: "status" },
      { header: "Error", path: "code" },
      { header: "Last", path: "last_at", format: "time" },
      { header: "Number", path: "last_number" },
    ],
  },
}).control(({ caller, query }, { requests }) => ({
  data: requests.errors({ bookId: caller.bookId, matches: requestFilter(query) }),
}));

/** The most digits of a number in the log. */
const NUMBER = /^\d{1,15}$/;

export const sandboxRequest = defineOperation({
  id: "sandbox.requests.get",
  method: "GET",
  path: "/_sandbox/requests/{number}",
  auth: "key",
  surface: "sandbox",
  summary: "Get one request of the log",
  description: "Answers one request to `/v1` by its number, as in the list. The log keeps the latest ones only.",
  params: z.object({ number: z.string() }),
  success: { status: 200, description: "The request", schema: LoggedRequest },
  errors: [],
}).control(({ caller, params: { number } }, { requests }) => {
  const found = NUMBER.test(number) ? requests.find(caller.bookId, Number(number)) : null;
  if (found !== null) return found;
  const message = `There is no request ${shortened(number, 300)} in the log; it keeps the latest ones only.`;
  throw new ApiError("not_found", { message });
});

export const sandboxEvents = defineOperation({
  id: "sandbox.events",
  method: "GET",
  path: "/_sandbox/events",
  auth: "key",
  surface: "sandbox",
  summary: "List the latest events, or follow them live",
  description:
    "Lists the events of the key's account and mode, newest first, whether or not an endpoint wants them; with " +
    "`Accept: text/event-stream` it follows them live. An unknown parameter or event, a `subject` that is no id and " +
    "a cursor that is none of your events are refused.",
  stream: "events",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    type: EventNameSchema.optional(),
    subject: EventSubject.optional().meta({ description: "Id of the charge the event is about" }),
  }),
  success: { status: 200, description: "Newest first", schema: page(LoggedEvent) },
  errors: [],
  cli: {
    command: "sandbox events",
    examples: ["qa-pay sandbox events --type charge.paid", "qa-pay sandbox events --subject ch_0198… --json"],
    rows: "data",
    columns: [
      { header: "At", path: "created_at", format: "time" },
      { header: "Event", path: "id" },
      { header: "Type", path: "type" },
      { header: "About", path: "subject" },
    ],
  },
}).read(({ caller, query }, reader) => {
  const cursor = query.after === undefined ? null : rawId(query.after, ID_PREFIX.event);
  const last = cursor === null ? null : reader.webhooks.eventById(caller.bookId, cursor);
  if (query.after !== undefined && last === null) throw fieldError("after", "must be the id of one of your events");
  const { type, subject, limit } = query;
  const rows = reader.webhooks.events({ book: caller.bookId, before: last?.seq, type, subject }, limit + 1);
  const data = rows.slice(0, limit).map(toLoggedEvent);
  const more = rows.length > limit;
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});

export const sandboxEvent = defineOperation({
  id: "sandbox.events.get",
  method: "GET",
  path: "/_sandbox/events/{id}",
  auth: "key",
  surface: "sandbox",
  summary: "Get one event with its envelope",
  description:
    "Answers one event of the key's account and mode with the envelope that its endpoints are sent, in the form of its " +
    "family: canonical or legacy. It changes nothing.",
  params: IdParam,
  success: { status: 200, description: "The event", schema: LoggedEvent },
  errors: [],
}).read(({ caller, params }, reader) => {
  const raw = rawId(params.id, ID_PREFIX.event, "");
  const event = raw === null ? null : reader.webhooks.eventById(caller.bookId, raw);
  if (event === null) throw notFound("event", params.id);
  return toLoggedEvent(event);
});

/** Messages of the stream in one answer. */
const LATEST = 100;

export const sandboxStream = defineOperation({
  id: "sandbox.stream",
  method: "GET",
  path: "/_sandbox/stream",
  auth: "key",
  surface: "sandbox",
  summary: "Follow everything that happens, live",
  description:
    "Streams what happens in the account and mode of the key as server-sent events with small bodies (ids and what has " +
    "changed): `request`, `event`, `sending`, `attempt`, `transaction`, `refund`, `payout`, `case`, `journal`, `mail`, `due`, " +
    "`clock`, `fault`, `chaos`, `snapshot`. With `Last-Event-ID` it goes on behind that message. `resync` says that this " +
    "is not possible, that the reader was too slow, or that a reset or a restore has replaced everything: read anew what " +
    "you show. With `Accept: application/json` it answers the latest messages instead. An unknown parameter is refused.",
  stream: "everything",
  query: NoQuery,
  success: {
    status: 200,
    description: "The latest messages, newest first",
    schema: z.object({
      data: z.array(
        z
          .object({
            id: z.string().meta({ description: "For the header Last-Event-ID" }),
            event: z.string(),
            data: z.record(z.string(), z.unknown()),
          })
          .meta({ id: "StreamMessage" }),
      ),
    }),
  },
  errors: [],
}).control(({ caller }, { stream }) => ({ data: stream.latest(caller.bookId, LATEST) }));
