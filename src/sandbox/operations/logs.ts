import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { EventNameSchema, LoggedEvent, toLoggedEvent } from "../../features/webhooks/wire.js";
import { fieldError } from "../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../kernel/ids.js";
import { IsoInstant, optionalQueryInteger, page, queryInteger } from "../../kernel/schemas.js";
import { EventSubject, requestFilter } from "../filters.js";

/** The latest requests and events, for the person who debugs an integration. Both can be followed live as event streams. */

const LoggedRequest = z
  .object({
    id: z.string(),
    at: IsoInstant,
    method: z.string(),
    path: z.string(),
    status: z.int().meta({ description: "0: the connection was cut and nothing was answered" }),
    duration_ms: z.number(),
    key_fingerprint: z.string().nullable(),
    idempotency_key: z.string().nullable(),
    request_body: z.unknown(),
    response_body: z.unknown(),
    fault: z.string().nullable().meta({ description: "Id of the fault rule that made it so" }),
  })
  .meta({ id: "LoggedRequest" });

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
    method: z.enum(["GET", "POST", "PATCH", "DELETE"]).optional(),
    path: z.string().optional().meta({ description: "Prefix of the path" }),
    status: optionalQueryInteger(100, 599),
  }),
  success: { status: 200, description: "Newest first", schema: page(LoggedRequest) },
  errors: [],
  cli: {
    command: "sandbox requests",
    examples: ["qa-pay sandbox requests --limit 10", "qa-pay sandbox requests --status 400 --json"],
    rows: "data",
    columns: [
      { header: "At", path: "at", format: "time" },
      { header: "Request", path: "id" },
      { header: "Method", path: "method" },
      { header: "Path", path: "path" },
      { header: "Status", path: "status" },
      { header: "ms", path: "duration_ms" },
      { header: "Fault", path: "fault" },
    ],
  },
}).control(({ caller, query }, controls) => {
  const { limit, after, method, path, status } = query;
  const matches = requestFilter({ method, path, status });
  return controls.requests({ bookId: caller.bookId, limit, after, matches }) as z.input<
    ReturnType<typeof page<typeof LoggedRequest>>
  >;
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
