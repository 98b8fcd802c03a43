import type { StoryRow, StoryRows } from "../../../features/timeline/story.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import type { ShopAttempt } from "../../../survive/courier.js";
import type { Target } from "../../target/request-policy.js";
import type { Io } from "../../terminal/io.js";
import { incidentText } from "../incident/file.js";
import { incidentOf } from "../incident/save.js";

/** `survive --save`: the charge of a failure as a file that `incident replay` and `incident test` read. */

/** What an incident cannot tell of a schedule. */
const MISSING = ["disturbed requests of the shop", "forged webhooks and old signatures", "restarts of the shop"];

/**
 * The rows with the webhooks as the shop got them: in this order, without those that were lost on the way, and with each of those that
 * came twice. The emulator knows only what it sent.
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

/** The text of the file. */
export async function failureText(
  io: Io,
  target: Target,
  charge: string,
  handed: readonly ShopAttempt[],
): Promise<string> {
  const incident = await incidentOf(io, target, charge, {
    flags: {},
    change: (told) => ({
      ...told,
      missing: [...told.missing, ...MISSING],
      rows: asHanded(told.rows, handed),
    }),
  });
  return incidentText(incident);
}
