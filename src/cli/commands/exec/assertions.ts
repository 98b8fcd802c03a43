import { parseDuration } from "../../../kernel/duration.js";
import { shortened } from "../../../kernel/errors.js";
import { type Failure, usage } from "../../terminal/failure.js";
import { eventMatcher } from "../event-pattern.js";

/** The conditions of `exec --assert`: they check the webhook deliveries, and fail a build that does not meet them. */

export interface SeenDelivery {
  readonly id: string;
  readonly eventType: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  /** The answer to the last attempt when that attempt failed. */
  readonly lastResponseBody?: string;
  readonly createdAt: string;
  readonly deliveredAt: string | null;
}

export interface Verdict {
  readonly condition: string;
  readonly holds: boolean;
  /** A text for a person: the deliveries that were seen or missing. */
  readonly reason: string;
  readonly culprits: readonly SeenDelivery[];
}

type Condition = (deliveries: readonly SeenDelivery[]) => Omit<Verdict, "condition">;

const HELP =
  '"charge.paid delivered", "charge.* delivered 2 times within 5s", "no charge.failed", "every delivery 2xx within 5s"';

/** The most characters of a receiver's answer in a report. */
const SHOWN_ANSWER = 200;

/** The last answer to a delivery, for a person. After a failure also the beginning of the answer's body. */
export function lastAnswer({ lastError, lastStatusCode, lastResponseBody = "" }: SeenDelivery): string {
  const answer = lastError ?? (lastStatusCode === null ? "no answer yet" : `answered ${lastStatusCode}`);
  const body = lastResponseBody.trim();
  if (body === "") return answer;
  return `${answer}: ${shortened(body, SHOWN_ANSWER)}`;
}

type Matcher = (name: string) => boolean;

function isDelivered({ status }: SeenDelivery): boolean {
  return status === "DELIVERED";
}

function inTime({ createdAt, deliveredAt }: SeenDelivery, limit: number | null): boolean {
  return limit === null || (deliveredAt !== null && Date.parse(deliveredAt) - Date.parse(createdAt) <= limit);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function delivered(wanted: Matcher, times: number | null, limit: number | null): Condition {
  return (all) => {
    const seen = all.filter(({ eventType }) => wanted(eventType));
    const good = seen.filter((delivery) => isDelivered(delivery) && inTime(delivery, limit));
    const holds = times === null ? good.length > 0 : good.length === times;
    const late = seen.filter((delivery) => !good.includes(delivery));
    const reason = seen.length === 0 ? "it was never sent" : `${good.length} of ${count(seen.length, "time")}`;
    return { holds, reason, culprits: holds ? [] : late };
  };
}

function never(unwanted: Matcher): Condition {
  return (all) => {
    const seen = all.filter(({ eventType }) => unwanted(eventType));
    const reason = seen.length === 0 ? "it was never sent" : `it was sent ${count(seen.length, "time")}`;
    return { holds: seen.length === 0, reason, culprits: seen };
  };
}

function everyDelivery(limit: number | null): Condition {
  return (all) => {
    const bad = all.filter((delivery) => !isDelivered(delivery) || !inTime(delivery, limit));
    const holds = all.length > 0 && bad.length === 0;
    const reason = all.length === 0 ? "nothing was sent" : `${all.length - bad.length} of ${all.length}`;
    return { holds, reason, culprits: bad };
  };
}

function durationOf(text: string | undefined, whole: string): number | null {
  if (text === undefined) return null;
  const limit = parseDuration(text);
  if (limit === null) throw misuse(whole);
  return limit;
}

function misuse(text: string): Failure {
  return usage(`--assert does not understand ${JSON.stringify(text)}. It takes ${HELP}.`);
}

function parse(text: string): Condition {
  const words = text.trim().replace(/\s+/g, " ");
  const every = /^every delivery 2xx(?: within (\S+))?$/.exec(words);
  if (every !== null) return everyDelivery(durationOf(every[1], text));
  const none = /^no ([a-z_.*]+)$/.exec(words)?.[1];
  if (none !== undefined) return never(eventMatcher("--assert", none));
  const some = /^([a-z_.*]+) delivered(?: (\d{1,6}) times?)?(?: within (\S+))?$/.exec(words);
  if (some?.[1] === undefined) throw misuse(text);
  const times = some[2] === undefined ? null : Number(some[2]);
  return delivered(eventMatcher("--assert", some[1]), times, durationOf(some[3], text));
}

/** Parses the conditions. Call it before the program starts, so that a typing error does not cost a whole build. */
export function parseAssertions(texts: readonly string[]): (deliveries: readonly SeenDelivery[]) => Verdict[] {
  const conditions = texts.map((condition) => ({ condition, judge: parse(condition) }));
  return (deliveries) => conditions.map(({ condition, judge }) => ({ condition, ...judge(deliveries) }));
}
