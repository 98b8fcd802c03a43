import type { Tx } from "../tx.js";
import { publish } from "../webhooks/actions.js";
import { type EventName, familyOf } from "../webhooks/catalogue.js";
import { toCharge } from "./charge-resource.js";
import { type EventContext, legacyData } from "./events.js";
import type { NewTransaction } from "./store.js";

interface PublishedTransition {
  readonly names: readonly EventName[];
  readonly context: EventContext;
  readonly history: number;
}

/**
 * Writes the events of one transition, in order. Returns the first canonical event, or null: its data is the public
 * charge, so an idempotency record may refer to it instead of storing the same text.
 */
export function publishTransition(
  tx: Tx,
  row: NewTransaction,
  { names, context, history }: PublishedTransition,
): { seq: number; chargeJson: string } | null {
  let canonical: { seq: number; chargeJson: string } | null = null;
  for (const type of names) {
    const isCanonical = familyOf(type) === "canonical";
    const data = JSON.stringify(isCanonical ? toCharge(tx, row) : legacyData(row, type, context, tx.now));
    const seq = publish(tx, { bookId: row.book_id, type, subject: row.id, data, target: row.webhook_url, history });
    if (isCanonical) canonical ??= { seq, chargeJson: data };
  }
  return canonical;
}
