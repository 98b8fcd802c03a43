import { timingSafeEqual } from "node:crypto";

/** Whether two texts are equal. How long it takes does not tell how much of a secret was right. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
