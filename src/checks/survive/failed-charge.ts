import { ID_PREFIX, rawId } from "../../base/kernel/ids.js";
import type { StoryRow, StoryRows } from "../../service/features/timeline/story.js";
import type { CapturedCharge } from "../incident/file.js";
import type { ShopAttempt } from "./schedule-record.js";

/** The charge of a failure as an incident, which can be replayed. */

/** The parts of a schedule that an incident cannot contain. */
const MISSING = ["disturbed requests of the shop", "forged webhooks and old signatures", "restarts of the shop"];

/**
 * Returns the rows with the webhooks as the shop received them: in this order, without lost ones, and with each copy. The
 * emulator itself knows only what it sent.
 */
export function asHanded(rows: StoryRows, handed: readonly ShopAttempt[]): StoryRows {
  const deliveries = new Map<unknown, unknown>((rows.deliveries ?? []).map((row) => [row.id, row.seq]));
  const attempts = rows.delivery_attempts ?? [];
  let last = 0;
  const got = handed.flatMap(({ delivery, attempt }): StoryRow[] => {
    const seq = deliveries.get(rawId(delivery, ID_PREFIX.delivery, ""));
    const row = attempts.find((one) => one.delivery_seq === seq && one.attempt === attempt);
    if (row === undefined) return [];
    last = Math.max(last, Number(row.sent_at));
    return [{ ...row, sent_at: last, attempted_at: Math.max(last, Number(row.attempted_at)) }];
  });
  return { ...rows, delivery_attempts: got.map((row, index) => ({ ...row, seq: index + 1 })) };
}

/** Returns the captured charge of a failure with the webhooks as the shop received them. */
export function asShopGot(captured: CapturedCharge, handed: readonly ShopAttempt[]): CapturedCharge {
  return { ...captured, missing: [...captured.missing, ...MISSING], rows: asHanded(captured.rows, handed) };
}
