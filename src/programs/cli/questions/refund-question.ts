import { DAY, HOUR, MINUTE } from "../../../base/kernel/duration.js";
import { formatMoney } from "../../../base/kernel/money.js";
import { pick } from "../../../base/kernel/pick.js";
import { counted, joinWords, t, type Wording } from "../../../base/kernel/wording.js";
import { EXIT, Failure } from "../terminal/failure.js";
import { zonedTime } from "../terminal/output.js";

/** The question before a refund names earlier refunds, so that nobody gives the same money back twice by mistake. */

interface Earlier {
  /** In the smallest unit. A refund that failed does not count. */
  readonly sum: number;
  readonly count: number;
  /** The newest refund's instant; null when the host does not report it. */
  readonly at: number | null;
}

/** The earlier refunds of a payment; null when they are unknown. */
function readEarlier(refunds: unknown): Earlier | null {
  if (!Array.isArray(refunds)) return null;
  const counting = refunds.filter((refund) => pick(refund, "status") !== "FAILED");
  const sum = counting.reduce((total, refund) => total + Number(pick(refund, "amount")), 0);
  if (!Number.isSafeInteger(sum)) return null;
  const instants = counting.map((refund) => Date.parse(String(pick(refund, "createdAt"))));
  const at = Math.max(...instants.filter((instant) => !Number.isNaN(instant)));
  return { sum, count: counting.length, at: Number.isFinite(at) ? at : null };
}

function ago(ms: number): Wording {
  if (ms >= DAY) return t`${counted(Math.floor(ms / DAY), "day")} ago`;
  if (ms >= HOUR) return t`${counted(Math.floor(ms / HOUR), "hour")} ago`;
  if (ms >= MINUTE) return t`${counted(Math.floor(ms / MINUTE), "minute")} ago`;
  return ms >= 1_000 ? t`${counted(Math.floor(ms / 1_000), "second")} ago` : t`just now`;
}

/** When the last refund was: how long ago by the clock of the host, or its instant where that clock is not known. */
function whenText({ count, at }: Earlier, now: number): Wording {
  if (at === null) return count === 1 ? t`before` : t`in ${count} refunds`;
  const last = now >= at ? ago(now - at) : t`at ${zonedTime(new Date(at).toISOString())}`;
  return count === 1 ? last : t`in ${count} refunds, the last ${last}`;
}

export interface RefundFacts {
  /** The amount in the request. */
  readonly asked: unknown;
  /** The payment, as the host answers it. */
  readonly payment: Readonly<Record<string, unknown>>;
  /** The answer to the list of its refunds. */
  readonly refunds: unknown;
  /** The time at the host. */
  readonly now: () => Promise<number>;
  /** True if the request may be the repetition of one that was carried out. Then the service knows the answer. */
  readonly mayRepeat: boolean;
}

/**
 * The values for the question, by the names in its texts: `refund` is what the request gives back; after earlier refunds, which the
 * sentence `earlier` names, it is `rest` where nothing is left behind it, and `more` where `left` is left. Throws Failure
 * (exit 5) when less is left than the request gives back: the service would refuse it.
 */
export async function refundValues({ asked, payment, refunds, now, mayRepeat }: RefundFacts) {
  const { amount: paid, currency = "BRL" } = payment;
  const earlier = readEarlier(refunds);
  const left = typeof paid === "number" && earlier !== null ? paid - earlier.sum : null;
  const refund = typeof asked === "number" ? asked : left;
  if (left === null || earlier === null || refund === null) return { refund };
  const money = (sum: number) => formatMoney(sum, String(currency));
  const sentence =
    earlier.sum > 0
      ? t`${money(earlier.sum)} of ${money(Number(paid))} were given back ${whenText(earlier, await now())}.`
      : null;
  if (!mayRepeat && (refund > left || left <= 0)) {
    const most = left <= 0 ? t`Nothing is left to give back.` : t`At most ${money(left)} can be given back.`;
    throw new Failure(
      EXIT.refused,
      "invalid_amount",
      joinWords(sentence === null ? [most] : [most, sentence], " "),
      t`Nothing was sent.`,
    );
  }
  if (earlier.sum === 0) return { refund };
  if (refund > left || left <= 0) return { refund, earlier: sentence };
  const share = refund === left ? { rest: refund } : { more: refund, left: left - refund };
  return { refund, earlier: sentence, ...share };
}
