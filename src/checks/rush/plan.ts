import type { Random } from "../../base/kernel/runtime.js";
import { withCheckDigits } from "../../base/kernel/tax-id.js";

/** What each customer of a rush does. It follows from the seed and the number of the order alone. */

/** `duplicate` pays like `pay`; in its share all webhooks come twice. */
export const PARTS = ["pay", "expire", "duplicate", "refund", "abandon"] as const;
export type Part = (typeof PARTS)[number];

/** How many of all customers do what; the sum may be any. */
export type Mix = Readonly<Partial<Record<Part, number>>>;

export interface Customer {
  readonly part: Part;
  /** Centavos. */
  readonly amount: number;
  readonly document: string;
  /** Milliseconds before the customer pays, or before the time of the charge is over, and before a refund. */
  readonly thinking: readonly [number, number];
}

const CHEAPEST = 100;
const DEAREST = 50_000;

/** The share of a part, 0 to 1. */
export function shareOf(mix: Mix, part: Part): number {
  const sum = Object.values(mix).reduce((all, weight) => all + weight, 0);
  return (mix[part] ?? 0) / sum;
}

function partOf(mix: Mix, chance: number): Part {
  let left = chance;
  for (const part of PARTS) {
    left -= shareOf(mix, part);
    if (left < 0) return part;
  }
  // Sums of fractions are not exact.
  return PARTS.findLast((part) => shareOf(mix, part) > 0) ?? "pay";
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
