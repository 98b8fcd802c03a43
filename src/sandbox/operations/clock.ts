import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { ApiError } from "../../kernel/errors.js";
import { InstantInput, IsoInstant } from "../../kernel/schemas.js";
import { MAX_INSTANT } from "../../kernel/time.js";

/** The emulated clock. An advance answers when everything that became due has been done, with one attempt of each due delivery. */

const ClockAnswer = z.object({ now: IsoInstant, frozen: z.boolean() }).meta({ id: "Clock" });
const success = { status: 200 as const, description: "The clock as it is now", schema: ClockAnswer };
const columns = [
  { header: "Now", path: "now", format: "time" },
  { header: "Frozen", path: "frozen" },
] as const;

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
    "included. An instant in the past or beyond 9999-12-31 is refused.",
  body: z.object({
    seconds: z
      .number()
      .min(0, "must not be negative")
      .max(MAX_INSTANT / 1_000, "goes beyond 9999-12-31")
      .optional()
      .meta({ description: "How far" }),
    to: InstantInput.optional().meta({ description: "Until when (ISO 8601); instead of seconds" }),
  }),
  success,
  errors: [],
  cli: {
    command: "sandbox clock advance",
    // A receiver that does not answer takes half a minute, and a second for each later attempt.
    timeoutMs: 600_000,
    oneOf: ["seconds", "to"],
    examples: ["qa-pay sandbox clock advance --seconds 3600", "qa-pay sandbox clock advance --to 2027-01-01T00:00:00Z"],
    columns: [...columns],
  },
}).control(({ body: { seconds, to }, cause }, controls) => {
  if ((seconds === undefined) === (to === undefined)) {
    throw new ApiError("invalid_request", { message: "Send either seconds or to." });
  }
  return controls.clock.advance(to === undefined ? { seconds: seconds ?? 0 } : { to }, cause);
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
