import type { Load } from "../../base/platform/real-runtime.js";

/** Decides if the figures of a rush show the limits of the shop, or those of the measurement. */

export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** The values that so many of a hundred do not exceed; null without values. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number) => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
    return value === undefined ? null : Math.round(value);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export interface Pace {
  /** Orders in a second. */
  readonly asked: number;
  readonly reached: number;
  /** True when purchases had to wait because too many were without an answer. */
  readonly wasHeld: boolean;
}

/** The most purchases that wait for an answer of the shop at one time. */
export const MOST_OPEN = 500;

const BUSY = 0.9;
const FULL = 0.95;
const LATE_MS = 50;
const KEPT = 0.95;

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Sentences for a person: the limits besides the shop, and why the rate was not reached. */
export function limitsOf({ own, machine, lateMs }: Load, { asked, reached, wasHeld }: Pace): string[] {
  const found: string[] = [];
  if (own >= BUSY) {
    found.push(
      `qa-pay itself was busy ${percent(own)} of the time: rush and its service are the limit here, not only the shop.`,
    );
  }
  if (machine >= FULL) {
    found.push(`The processors of this machine were busy ${percent(machine)} of the time: the shop had only the rest.`);
  }
  if (lateMs >= LATE_MS) {
    found.push(
      `qa-pay was up to ${Math.round(lateMs)} ms late: up to that much of each time may not be caused by the shop.`,
    );
  }
  if (reached >= asked * KEPT) return found;
  const rate = `${reached.toFixed(1)} of ${asked} orders/s were placed`;
  if (wasHeld) return [...found, `${rate}: ${MOST_OPEN} purchases waited for the shop, so no more were started.`];
  return [...found, `${rate}: rush was too late to place more.`];
}
