import type { FirstAnswer } from "../shop/first-order.js";
import type { PurchaseResult } from "../shop/shop.js";
import type { ShopAttempt } from "./courier.js";
import type { FaultName } from "./faults.js";
import type { Finding } from "./oracles.js";

/** What came of one schedule. */

export interface TimelineNote {
  /** On the emulated clock. */
  readonly at: string;
  readonly text: string;
}

export interface ScheduleOutcome {
  readonly findings: readonly Finding[];
  readonly timeline: readonly TimelineNote[];
  /** The newest output of the shop. */
  readonly output: string;
  /** The attempts of the emulator that reached the shop, in this order. */
  readonly handed: readonly ShopAttempt[];
  /** The events that the shop took, and those that it refused as wrong requests. */
  readonly taken: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
  /** Whether the shop tells how often goods went out; null when it told no order. */
  readonly tellsFulfilled: boolean | null;
  /** The faults that have happened to the shop. */
  readonly shown: ReadonlySet<FaultName>;
  /** What the shop answered to the last purchase; null without any. */
  readonly bought: PurchaseResult | null;
  /** Whether the service has a charge for one of the orders. */
  readonly isCharged: boolean;
  /** How the shop answered webhooks. */
  readonly answers: readonly FirstAnswer[];
}

/** The shop cannot be started any more, or does not answer, so that nothing else can be tried. */
export class ShopGone extends Error {
  override readonly name = "ShopGone";

  constructor(readonly outcome: ScheduleOutcome) {
    super("The shop does not start or answer any more.");
  }
}
