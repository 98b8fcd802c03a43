import * as z from "zod";
import { cursorError, PAGE_QUERY, page } from "../../../base/kernel/cursor-page.js";
import { ApiError } from "../../../base/kernel/errors.js";
import { ID_PREFIX, kindNames } from "../../../base/kernel/ids.js";
import { InstantInput, IsoInstant, idFilter } from "../../../base/kernel/schemas.js";
import { iso, MAX_INSTANT, MAX_SPEED, parseInstant } from "../../../base/kernel/time.js";
import {
  type DuePlace,
  DueWork,
  dueWork,
  relatedSubjects,
  toDueWork,
} from "../../../service/features/jobs/due-work.js";
import { JOB_KINDS } from "../../../service/features/jobs/kinds.js";
import { defineOperation } from "../../../service/features/operation.js";
import { TIMELINE_IDS } from "../../../service/features/timeline-objects.js";
import type { Controls } from "../control-interface.js";

/** The emulated clock. An advance answers when all due work has been done, with one attempt of each due delivery. */

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
  throw cursorError();
}

const ClockAnswer = z
  .object({
    now: IsoInstant,
    frozen: z.boolean(),
    speed: z.int().describe("How many times as fast as real time it goes while it runs"),
  })
  .meta({ id: "Clock" });
const Advanced = ClockAnswer.extend({
  ran: z
    .array(
      DueWork.extend({
        made_on_the_way: z.boolean().describe("It was not due yet when the advance began"),
      }).meta({ id: "DoneWork" }),
    )
    .describe("What was done in the account and mode, in this order: the first 100"),
  ran_count: z.int().describe("How many entries there are in total"),
}).meta({ id: "AdvancedClock" });

const NextOrInstant = z.string().transform((text, context) => {
  const at = text === "next" ? text : parseInstant(text);
  if (at !== null) return at;
  context.addIssue({ code: "custom", message: 'must be "next" or an ISO 8601 date-time such as 2026-11-21T12:00:00Z' });
  return z.NEVER;
});

const success = { status: 200 as const, description: "The clock as it is now", schema: ClockAnswer };
const columns = "now, frozen";

const workColumns = "at, subject as About, text as What";

/** The ids of objects that due work can be about. */
const DueSubject = idFilter(`a ${kindNames(TIMELINE_IDS)}`, ...TIMELINE_IDS.map((kind) => ID_PREFIX[kind]), "");

export const clockShow = defineOperation({
  id: "sandbox.clock.show",
  route: "GET /_sandbox/clock",
  summary: "Read the emulated clock",
  description:
    "Answers the emulated time, whether it stands still, and how fast it goes while it runs. It is one clock for all accounts and both modes.",
  success,
  cli: { columns: `${columns}, speed` },
}).control((_, controls: Controls) => controls.clock.show());

export const clockDue = defineOperation({
  id: "sandbox.clock.due",
  route: "GET /_sandbox/clock/due",
  summary: "List what is due on the emulated clock",
  description:
    "Lists, soonest first, what will happen by itself in the key's account and mode: expiries, payments of scenarios, steps " +
    "of refunds, releases, attempts of deliveries. Work that would change nothing any more is left out, such as the " +
    "expiry of a paid charge and deliveries of an INACTIVE endpoint. Work may create more work. `subject` takes the id of a " +
    "charge, payment, refund, payout or MED case; a charge comes with its refunds, its cases and the deliveries of all " +
    "their events. An unknown parameter, a bad instant, id or cursor are refused. It changes nothing.",
  query: z.strictObject({
    ...PAGE_QUERY,
    until: InstantInput.optional().describe("Only what is due by then (ISO 8601)"),
    subject: DueSubject.optional().describe("Id of the object it is about"),
  }),
  success: { status: 200, description: "Soonest first", schema: page(DueWork) },
  cli: {
    examples: ["qa-pay sandbox clock due", "qa-pay sandbox clock due --subject ch_0198… --json"],
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

const Past = z.object({
  data: z.array(
    z.object({
      at: IsoInstant.describe("The last one"),
      kind: z
        .string()
        .describe("What moved and how, such as transaction.settle; delivery.give_up for webhooks that failed"),
      count: z.int(),
    }),
  ),
});

export const clockPast = defineOperation({
  id: "sandbox.clock.past",
  route: "GET /_sandbox/clock/past",
  summary: "Count what happened lately on the emulated clock",
  description:
    "Counts, newest first, what happened in the key's account and mode, by kind and minute: the last 500 changes of all accounts, " +
    "and the last 100 webhooks that failed. It changes nothing.",
  query: z.strictObject({}),
  success: { status: 200, description: "Newest first", schema: Past },
  cli: { columns: "at, kind as What, count" },
}).read(({ caller }, { history, webhooks }) => {
  const failed = webhooks.givenUp(caller.bookId).map((one) => ({ ...one, kind: "delivery.give_up" }));
  const all = [...history.counts(caller.bookId), ...failed].sort((one, other) => other.at - one.at);
  return { data: all.map(({ at, kind, count }) => ({ at: iso(at), kind, count })) };
});

export const clockAdvance = defineOperation({
  id: "sandbox.clock.advance",
  route: "POST /_sandbox/clock/advance",
  summary: "Move the emulated clock forward and run what falls due",
  description:
    "Moves the emulated clock forward by `seconds`, or to an instant, and does on the way whatever falls due: " +
    "expiries, releases, steps of refunds, retries. It answers when all of that is done, deliveries attempted " +
    "included. `ran` lists what was done in the key's account and mode, at most 100 entries of `ran_count`; work that " +
    "was not due yet when the advance began is marked `made_on_the_way`. `to: next` goes to the next due work of the " +
    "account and mode; when nothing is due the clock stays. An instant in the past or beyond 9999-12-31 is refused.",
  body: z.object({
    seconds: z
      .number()
      .min(0, "must not be negative")
      .max(MAX_INSTANT / 1_000, "goes beyond 9999-12-31")
      .optional()
      .describe("How far"),
    to: NextOrInstant.optional().describe(
      "Time to advance to (ISO 8601), or next for the next due work; instead of seconds",
    ),
  }),
  success: { ...success, schema: Advanced },
  // A receiver that does not answer takes half a minute, and a second for each later attempt.
  timeoutMs: 600_000,
  cli: {
    argument: "to",
    argumentSpan: "seconds",
    oneOf: ["seconds", "to"],
    examples: [
      "qa-pay sandbox clock advance 30m",
      "qa-pay sandbox clock advance next",
      "qa-pay sandbox clock advance 2027-01-01T00:00:00Z",
      "qa-pay sandbox clock advance --seconds 3600",
    ],
    columns: `${columns}, ran_count as Done`,
    below: { rows: "ran", columns: workColumns },
  },
}).control(async ({ caller, body: { seconds, to }, cause }, controls: Controls) => {
  if ((seconds === undefined) === (to === undefined)) {
    throw new ApiError("invalid_request", { message: "Send either seconds or to." });
  }
  const until = to === "next" ? to : { to: to ?? 0 };
  const target = to === undefined ? { seconds: seconds ?? 0 } : until;
  const { ran, ranCount, ...clock } = await controls.clock.advance(target, caller.bookId, cause);
  const entries = ran.map((entry) => ({ ...toDueWork(entry), made_on_the_way: entry.madeOnTheWay }));
  return { ...clock, ran: entries, ran_count: ranCount };
});

export const clockFreeze = defineOperation({
  id: "sandbox.clock.freeze",
  route: "POST /_sandbox/clock/freeze",
  summary: "Stop the emulated clock",
  description:
    "Stops the emulated time until it is advanced or resumed. What is due already is still carried out. " +
    "It needs no body.",
  success,
  cli: { columns },
}).control(({ cause }, controls: Controls) => controls.clock.freeze(cause));

export const clockResume = defineOperation({
  id: "sandbox.clock.resume",
  route: "POST /_sandbox/clock/resume",
  summary: "Start the emulated clock again from where it stands",
  description: "Starts the emulated time again, at its speed, from the instant at which it stands. It needs no body.",
  success,
  cli: { columns },
}).control(({ cause }, controls: Controls) => controls.clock.resume(cause));

export const clockSpeed = defineOperation({
  id: "sandbox.clock.speed",
  route: "POST /_sandbox/clock/speed",
  summary: "Make the emulated clock run faster",
  description:
    "Runs the clock `factor` times as fast as real time, from the instant that it shows. A clock that stands " +
    "still runs at this speed when it is resumed. The speed stays through freeze, resume, reset and restart; a snapshot has its " +
    "own. 1 is real time.",
  body: z.object({
    factor: z
      .int()
      .min(1)
      .max(MAX_SPEED)
      .describe("How many times as fast as real time")
      .meta({ examples: [60] }),
  }),
  success,
  cli: {
    argument: "factor",
    examples: ["qa-pay sandbox clock speed 60", "qa-pay sandbox clock speed 1"],
    columns: `${columns}, speed`,
  },
}).control(({ body: { factor }, cause }, controls: Controls) => controls.clock.setSpeed(factor, cause));
