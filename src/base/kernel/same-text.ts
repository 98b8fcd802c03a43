import { timingSafeEqual } from "node:crypto";

/** True if two texts are equal. The time of the comparison does not show how much of a secret was right. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
