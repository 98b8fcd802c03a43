import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { type DueEntry, type DuePlace, dueWork, relatedSubjects, WORK_KINDS } from "../../jobs/due-work.js";
import { JOB_KINDS } from "../../jobs/kinds.js";
import { ApiError, fieldError } from "../../kernel/errors.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { InstantInput, IsoInstant, idFilter, page, queryInteger } from "../../kernel/schemas.js";
import { iso, MAX_INSTANT, parseInstant } from "../../kernel/time.js";

/** The emulated clock. An advance answers when everything that became due has been done, with one attempt of each due delivery. */

export const DueWork = z
  .object({
    at: IsoInstant,
    kind: z.enum(WORK_KINDS),
    subject: z.string().meta({ description: "Id of the object that it is about" }),
    text: z.string().meta({ description: "What happens, in plain words" }),
  })
  .meta({ id: "DueWork" });

export function toDueWork({ at, ...rest }: DueEntry): z.input<typeof DueWork> {
  return { at: iso(at), ...rest };
}

/** The cursor of a page of due work. It names a place, which stays even when the entry there is gone. */
function cursorOf(place: DuePlace): string {
  return place.of === "job"
    ? `${place.due_at}~${place.kind}~${place.subject}`
    : `${place.at}~delivery.attempt~${place.seq}`;
}

function placeOf(cursor: string): DuePlace {
  const [, at = "", kind = "", key = ""] = /^(\d{1,15})~([a-z.]+)~([0-9a-f-]+)$/.exec(cursor) ?? [];
  const isAttempt = kind === "delivery.attempt" && /^\d{1,15}$/.test(key);
  if (isAttempt) return { of: "attempt", at: Number(at), seq: Number(key) };
  if (JOB_KINDS.some((known) => known === kind)) return { of: "job", due_at: Number(at), kind, subject: key };
  throw fieldError("after", "must be the next_cursor of a page before");
}

const ClockAnswer = z.object({ now: IsoInstant, frozen: z.boolean() }).meta({ id: "Clock" });
const Advanced = ClockAnswer.extend({
  ran: z
    .array(
      DueWork.extend({
        made_on_the_way: z.boolean().meta({ description: "It was not due yet when the advance began" }),
      }).meta({ id: "DoneWork" }),
    )
    .meta({ description: "What was done in the account and mode, in this order: the first 100" }),
  ran_count: z.int().meta({ description: "How much was done in all" }),
}).meta({ id: "AdvancedClock" });

const NextOrInstant = z.string().transform((text, context) => {
  const at = text === "next" ? text : parseInstant(text);
  if (at !== null) return at;
  context.addIssue({ code: "custom", message: 'must be "next" or an ISO 8601 date-time such as 2026-11-21T12:00:00Z' });
  return z.NEVER;
});

const success = { status: 200 as const, description: "The clock as it is now", schema: ClockAnswer };
const columns = [
  { header: "Now", path: "now", format: "time" },
  { header: "Frozen", path: "frozen" },
] as const;

const workColumns = [
  { header: "At", path: "at", format: "time" as const },
  { header: "About", path: "subject" },
  { header: "What", path: "text" },
];

/** The ids of objects that due work can be about. */
const DueSubject = idFilter(
  "a charge, payment, refund, payout or MED case",
  ID_PREFIX.charge,
  ID_PREFIX.transaction,
  ID_PREFIX.refund,
  ID_PREFIX.payout,
  ID_PREFIX.medCase,
  "",
);

export const clockShow = defineOperation({
  id: "sandbox.clock.show",
  method: "GET",
  path: "/_sandbox/clock",
  auth: "key",
  surface: "sandbox",
  summary: "Read the emulated clock",
  description:
    "Answers the emulated time and whether it stands still. It is one clock for all accounts and both modes.",
  success,
  errors: [],
  cli: { command: "sandbox clock show", examples: ["qa-pay sandbox clock show"], columns: [...columns] },
}).control((_, controls) => controls.clock.show());

export const clockDue = defineOperation({
  id: "sandbox.clock.due",
  method: "GET",
  path: "/_sandbox/clock/due",
  auth: "key",
  surface: "sandbox",
  summary: "List what is due on the emulated clock",
  description:
    "Lists, soonest first, what will happen by itself in the key's account and mode: expiries, scripted payments, steps " +
    "of refunds, releases, attempts of deliveries. Work that would change nothing any more is left out, such as the " +
    "expiry of a paid charge and deliveries of an INACTIVE endpoint. Work may make more work. `subject` takes the id of a " +
    "charge, payment, refund, payout or MED case; a charge comes with its refunds, its cases and the deliveries of all " +
    "their events. An unknown parameter, a bad instant, id or cursor are refused. It changes nothing.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    until: InstantInput.optional().meta({ description: "Only what is due by then (ISO 8601)" }),
    subject: DueSubject.optional().meta({ description: "Id of the object it is about" }),
  }),
  success: { status: 200, description: "Soonest first", schema: page(DueWork) },
  errors: [],
  cli: {
    command: "sandbox clock due",
    examples: ["qa-pay sandbox clock due", "qa-pay sandbox clock due --subject ch_0198… --json"],
    rows: "data",
    columns: workColumns,
  },
}).read(({ caller, query }, reader) => {
  const { limit, after, until, subject } = query;
  const subjects = subject === undefined ? undefined : relatedSubjects(reader, caller.bookId, subject);
  const place = after === undefined ? undefined : placeOf(after);
  const { entries, next } = dueWork(reader, { bookId: caller.bookId, until, subjects, limit, after: place });
  return {
    data: entries.map(toDueWork),
    has_more: next !== null,
    next_cursor: next === null ? null : cursorOf(next),
  };
});

export const clockAdvance = defineOperation({
  id: "sandbox.clock.advance",
  method: "POST",
  path: "/_sandbox/clock/advance",
  auth: "key",
  surface: "sandbox",
  summary: "Move the emulated clock forward and run what falls due",
  description:
    "Moves the emulated clock forward by `seconds`, or to an instant, and does on the way whatever falls due: " +
    "expiries, releases, steps of refunds, retries. It answers when all of that is done, deliveries attempted " +
    "included. `ran` tells what was done in the key's account and mode, at most 100 entries of `ran_count`; work that " +
    "was not due yet when the advance began is marked `made_on_the_way`. `to: next` goes to the next due work of the " +
    "account and mode; when nothing is due the clock stays. An instant in the past or beyond 9999-12-31 is refused.",
  body: z.object({
    seconds: z
      .number()
      .min(0, "must not be negative")
      .max(MAX_INSTANT / 1_000, "goes beyond 9999-12-31")
      .optional()
      .meta({ description: "How far" }),
    to: NextOrInstant.optional().meta({
      description: "Until when (ISO 8601), or next for the next due work; instead of seconds",
    }),
  }),
  success: { ...success, schema: Advanced },
  errors: [],
  cli: {
    command: "sandbox clock advance",
    // A receiver that does not answer takes half a minute, and a second for each later attempt.
    timeoutMs: 600_000,
    oneOf: ["seconds", "to"],
    examples: [
      "qa-pay sandbox clock advance --seconds 3600",
      "qa-pay sandbox clock advance --to next",
      "qa-pay sandbox clock advance --to 2027-01-01T00:00:00Z",
    ],
    columns: [...columns, { header: "Done", path: "ran_count" }],
    below: { rows: "ran", columns: workColumns },
  },
}).control(async ({ caller, body: { seconds, to }, cause }, controls) => {
  if ((seconds === undefined) === (to === undefined)) {
    throw new ApiError("invalid_request", { message: "Send either seconds or to." });
  }
  const until = to === "next" ? to : { to: to ?? 0 };
  const target = to === undefined ? { seconds: seconds ?? 0 } : until;
  const { ran, ranCount, ...clock } = await controls.clock.advance(target, caller.bookId, cause);
  const entries = ran.map(({ madeOnTheWay, ...entry }) => ({ ...toDueWork(entry), made_on_the_way: madeOnTheWay }));
  return { ...clock, ran: entries, ran_count: ranCount };
});

export const clockFreeze = defineOperation({
  id: "sandbox.clock.freeze",
  method: "POST",
  path: "/_sandbox/clock/freeze",
  auth: "key",
  surface: "sandbox",
  summary: "Stop the emulated clock",
  description:
    "Lets the emulated time stand still until it is advanced or resumed. What is due already is done all the same. " +
    "It needs no body.",
  success,
  errors: [],
  cli: { command: "sandbox clock freeze", examples: ["qa-pay sandbox clock freeze"], columns: [...columns] },
}).control(({ cause }, controls) => controls.clock.freeze(cause));

export const clockResume = defineOperation({
  id: "sandbox.clock.resume",
  method: "POST",
  path: "/_sandbox/clock/resume",
  auth: "key",
  surface: "sandbox",
  summary: "Let the emulated clock run on from where it stands",
  description:
    "Lets the emulated time run again, as fast as real time, from the instant at which it stands. It needs no body.",
  success,
  errors: [],
  cli: { command: "sandbox clock resume", examples: ["qa-pay sandbox clock resume"], columns: [...columns] },
}).control(({ cause }, controls) => controls.clock.resume(cause));
