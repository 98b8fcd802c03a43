import { answerExcerpt } from "../../../../base/kernel/answer-excerpt.js";
import { parseDuration } from "../../../../base/kernel/duration.js";
import { formatCount } from "../../../../base/kernel/format-count.js";
import { withoutSecrets } from "../../../../base/kernel/secrets.js";
import { type Failure, usage } from "../../terminal/failure.js";
import { eventMatcher } from "../event-pattern.js";

/** The conditions of `exec --assert`: they check the webhook deliveries, and fail a build that does not meet them. */

export interface SeenDelivery {
  readonly id: string;
  /** The id of the object that the event is about. */
  readonly subject: string;
  readonly eventType: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  /** The answer to the last attempt when that attempt failed. */
  readonly lastResponseBody?: string | undefined;
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

/** The most deliveries in a report of one condition. */
const SHOWN_DELIVERIES = 10;

/** The last answer to a delivery, for a person. After a failure also the beginning of the answer's body. */
export function lastAnswer({ lastError, lastStatusCode, lastResponseBody = "" }: SeenDelivery): string {
  const answer = lastError ?? (lastStatusCode === null ? "no answer yet" : `answered ${lastStatusCode}`);
  const body = lastResponseBody.trim();
  if (body === "") return answer;
  return `${answer}: ${answerExcerpt(withoutSecrets(body), SHOWN_ANSWER)}`;
}

/** Deliveries for a person, a line for each. */
export function linesOf(culprits: readonly SeenDelivery[]): string[] {
  const lines = culprits.slice(0, SHOWN_DELIVERIES).map((culprit) => {
    const { eventType, id, status, attempts, createdAt, deliveredAt } = culprit;
    const took = deliveredAt === null ? "" : `, in ${Date.parse(deliveredAt) - Date.parse(createdAt)} ms`;
    return `${eventType} ${id} ${status} after ${formatCount(attempts, "attempt")}${took}: ${lastAnswer(culprit)}`;
  });
  const more = culprits.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

type Matcher = (name: string) => boolean;

function isDelivered({ status }: SeenDelivery): boolean {
  return status === "DELIVERED";
}

/** Returns whether an attempt of a delivery failed, and none succeeded. */
export function isRefused(delivery: SeenDelivery): boolean {
  return !isDelivered(delivery) && delivery.attempts > 0;
}

/** The time within which a delivery must arrive. */
interface Limit {
  readonly ms: number;
  /** ` within 5s`; empty when there is no limit. */
  readonly words: string;
}

function inTime({ createdAt, deliveredAt }: SeenDelivery, { ms }: Limit): boolean {
  return deliveredAt === null ? ms === Infinity : Date.parse(deliveredAt) - Date.parse(createdAt) <= ms;
}

/** Returns how many of all: `2 times`, or `2 of 3 times`. */
function tally(good: number, all: number): string {
  return good === all ? formatCount(good, "time") : `${good} of ${formatCount(all, "time")}`;
}

function createDeliveredCondition(wanted: Matcher, times: number | null, limit: Limit): Condition {
  return (all) => {
    const seen = all.filter(({ eventType }) => wanted(eventType));
    const good = seen.filter((delivery) => isDelivered(delivery) && inTime(delivery, limit));
    const others = seen.filter((delivery) => !good.includes(delivery));
    const holds = times === null ? good.length > 0 : good.length === times;
    if (seen.length === 0) return { holds, reason: "it was never sent", culprits: [] };
    const reached = tally(good.length, seen.length);
    if (holds) return { holds, reason: reached, culprits: [] };
    if (times === null) {
      const reason = `sent ${formatCount(seen.length, "time")}, never delivered${limit.words}`;
      return { holds, reason, culprits: others };
    }
    const reason = `delivered ${reached}${limit.words}, not ${times}`;
    return { holds, reason, culprits: good.length > times ? good : others };
  };
}

function never(unwanted: Matcher): Condition {
  return (all) => {
    const seen = all.filter(({ eventType }) => unwanted(eventType));
    const reason = seen.length === 0 ? "it was never sent" : `it was sent ${formatCount(seen.length, "time")}`;
    return { holds: seen.length === 0, reason, culprits: seen };
  };
}

function everyDelivery(limit: Limit): Condition {
  return (all) => {
    const bad = all.filter((delivery) => !isDelivered(delivery) || !inTime(delivery, limit));
    if (all.length === 0) return { holds: false, reason: "nothing was sent", culprits: [] };
    const whole = all.length === 1 ? "1 delivery" : `${all.length} deliveries`;
    if (bad.length === 0) return { holds: true, reason: `${all.length} of ${whole}`, culprits: [] };
    return { holds: false, reason: `${bad.length} of ${whole} not answered with 2xx${limit.words}`, culprits: bad };
  };
}

function limitOf(text: string | undefined, whole: string): Limit {
  if (text === undefined) return { ms: Infinity, words: "" };
  const ms = parseDuration(text);
  if (ms === null) throw misuse(whole);
  return { ms, words: ` within ${text}` };
}

function misuse(text: string): Failure {
  return usage(`--assert cannot read ${JSON.stringify(text)}. It takes ${HELP}.`);
}

function parse(text: string): Condition {
  const words = text.trim().replace(/\s+/g, " ");
  const every = /^every delivery 2xx(?: within (\S+))?$/.exec(words);
  if (every !== null) return everyDelivery(limitOf(every[1], text));
  const none = /^no ([a-z_.*]+)$/.exec(words)?.[1];
  if (none !== undefined) return never(eventMatcher("--assert", none));
  const some = /^([a-z_.*]+) delivered(?: (\d{1,6}) times?)?(?: within (\S+))?$/.exec(words);
  if (some?.[1] === undefined) throw misuse(text);
  const times = some[2] === undefined ? null : Number(some[2]);
  return createDeliveredCondition(eventMatcher("--assert", some[1]), times, limitOf(some[3], text));
}

/** Parses the conditions. Call it before the program starts, so that a typing error does not cost a whole build. */
export function parseAssertions(texts: readonly string[]): (deliveries: readonly SeenDelivery[]) => Verdict[] {
  const conditions = texts.map((condition) => ({ condition, judge: parse(condition) }));
  return (deliveries) => conditions.map(({ condition, judge }) => ({ condition, ...judge(deliveries) }));
}
