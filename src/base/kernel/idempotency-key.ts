import type { IdempotencyKind } from "./contract.js";
import { joinWords, t, type Wording } from "./wording.js";

/** How long an idempotency key is (docs/service/idempotency.md#keys). The service, its clients and its commands share it. */

export const KEY_LENGTHS: Readonly<Record<IdempotencyKind, readonly [least: number, most: number]>> = {
  charge: [8, 128],
  payment: [1, 255],
  refund: [8, 128],
};

/** Such as `8 to 128 characters`. */
export function keyLengthText(kind: IdempotencyKind): string {
  const [least, most] = KEY_LENGTHS[kind];
  return `${least} to ${most} characters`;
}

export function isKeyLength(kind: IdempotencyKind, key: string): boolean {
  const [least, most] = KEY_LENGTHS[kind];
  return key.length >= least && key.length <= most;
}

/** What the service would refuse about the length of a key, and what to do; undefined for a key that fits. */
export function keyFault(kind: IdempotencyKind, name: string, key: string): Wording | undefined {
  if (isKeyLength(kind, key)) return undefined;
  const [least, most] = KEY_LENGTHS[kind];
  const fault = t`${name} must have ${least} to ${most} characters, and this one has ${key.length}: the service refuses it.`;
  const longer = t`Make it longer, such as ${kind}-for-order-42.`;
  return key.length < least ? joinWords([fault, longer], " ") : fault;
}
