import type { FirstAnswer } from "../shop/first-order.js";
import type { PurchaseResult } from "../shop/shop.js";
import type { FaultName } from "./faults.js";
import type { OracleFinding } from "./judge.js";
import type { HeldWebhook } from "./webhook-relay.js";

/** The record of one schedule: written while it runs, and returned as its outcome. */

export interface TimelineNote {
  /** On the emulated clock. */
  readonly at: string;
  readonly text: string;
}

/** An attempt of the emulator that reached the shop. */
export interface ShopAttempt {
  /** The id of the delivery. */
  readonly delivery: string;
  readonly attempt: number;
}

export interface ScheduleOutcome {
  readonly findings: readonly OracleFinding[];
  readonly timeline: readonly TimelineNote[];
  /** The newest output of the shop. */
  readonly output: string;
  /** The attempts of the emulator that reached the shop, in this order. */
  readonly handed: readonly ShopAttempt[];
  /** The events that the shop accepted. */
  readonly taken: ReadonlySet<string>;
  /** The events that the shop refused as wrong requests, although nothing was wrong with them. */
  readonly refused: ReadonlySet<string>;
  /** True if the orders say how often goods went out; null when the shop listed no order. */
  readonly listsFulfilled: boolean | null;
  /** The faults that have happened to the shop. */
  readonly shown: ReadonlySet<FaultName>;
  /** The answer to the last purchase; null without any. */
  readonly bought: PurchaseResult | null;
  /** True if the service has a charge for one of the orders. */
  readonly isCharged: boolean;
  /** How the shop answered webhooks. */
  readonly answers: readonly FirstAnswer[];
  /** The shop does not start or answer any more, so the schedule ended early. */
  readonly isGone: boolean;
}

/** The shop cannot be started any more, or does not answer, so that nothing else can be tried. */
export class ShopGone extends Error {
  override readonly name = "ShopGone";

  constructor() {
    super("The shop does not start or answer any more.");
  }
}

/** The notes of a schedule that runs. */
export class ScheduleRecord {
  readonly findings: OracleFinding[] = [];
  readonly timeline: TimelineNote[] = [];
  readonly shown = new Set<FaultName>();
  readonly handed: ShopAttempt[] = [];
  /** The webhooks that the shop accepted, the oldest first. */
  readonly taken: HeldWebhook[] = [];
  readonly refused = new Set<string>();
  readonly answers: FirstAnswer[] = [];
  listsFulfilled: boolean | null = null;
  bought: PurchaseResult | null = null;
  readonly #time: { readonly now: string };

  /** `time` is the emulated clock, as far as it is known. */
  constructor(time: { readonly now: string }) {
    this.#time = time;
  }

  note(text: string): void {
    this.timeline.push({ at: this.#time.now, text });
  }

  /** Adds findings. Each oracle counts once. */
  find(...findings: readonly OracleFinding[]): void {
    for (const finding of findings) {
      if (this.findings.some(({ oracle }) => oracle === finding.oracle)) continue;
      this.findings.push(finding);
      this.note(finding.text);
    }
  }

  /** This fault has happened to the shop; null stands for none. */
  show(fault: FaultName | null): void {
    if (fault !== null) this.shown.add(fault);
  }

  outcome(rest: Pick<ScheduleOutcome, "output" | "isCharged" | "isGone">): ScheduleOutcome {
    const { findings, timeline, shown, handed, refused, answers, listsFulfilled, bought } = this;
    const taken = new Set(this.taken.map(({ type }) => type));
    return { findings, timeline, handed, taken, refused, listsFulfilled, shown, bought, answers, ...rest };
  }
}
