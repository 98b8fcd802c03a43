import type { Random } from "../../base/kernel/runtime.js";
import { withCheckDigits } from "../../base/kernel/tax-id.js";

/** The plan of each customer of a rush. It follows from the seed and the number of the order alone. */

/** `duplicate` pays like `pay`. Its share is the probability that a webhook comes twice. */
export const BEHAVIOURS = ["pay", "expire", "duplicate", "refund", "abandon"] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** The weight of each behaviour among all customers; the sum may be any number. */
export type Mix = Readonly<Partial<Record<Behaviour, number>>>;

export interface Customer {
  readonly part: Behaviour;
  /** Centavos. */
  readonly amount: number;
  readonly document: string;
  /** Milliseconds before the customer pays, or before the time of the charge is over, and before a refund. */
  readonly thinking: readonly [number, number];
}

const CHEAPEST = 100;
const DEAREST = 50_000;

/** The share of a part, 0 to 1. */
export function shareOf(mix: Mix, part: Behaviour): number {
  const sum = Object.values(mix).reduce((all, weight) => all + weight, 0);
  return (mix[part] ?? 0) / sum;
}

function partOf(mix: Mix, chance: number): Behaviour {
  let left = chance;
  for (const part of BEHAVIOURS) {
    left -= shareOf(mix, part);
    if (left < 0) return part;
  }
  // Sums of fractions are not exact.
  return BEHAVIOURS.findLast((part) => shareOf(mix, part) > 0) ?? "pay";
}

export function customerOf(draw: Random, mix: Mix, thinkMs: number): Customer {
  const whole = (count: number) => Math.floor(draw.fraction() * count);
  const think = () => Math.round(draw.fraction() * 2 * thinkMs);
  return {
    part: partOf(mix, draw.fraction()),
    amount: CHEAPEST + whole(DEAREST - CHEAPEST),
    document: withCheckDigits(String(whole(1_000_000_000)).padStart(9, "0")),
    thinking: [think(), think()],
  };
}
