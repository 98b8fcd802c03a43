import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { call } from "../../api/call.js";
import { RunButton } from "../../parts/run-button.js";
import { texts } from "../../state/language.js";
import { failedToResend } from "../../words/delivery-facts.js";

const words = texts("deliveries");

/** Pages of a hundred deliveries. More would take too long for a button. */
const MOST_PAGES = 10;

async function resendFailed(endpoint: string): Promise<string> {
  const all: Parameters<typeof failedToResend>[0][number][] = [];
  let next: { readonly after?: string } | null = {};
  for (let page = 0; page < MOST_PAGES && next !== null; page++) {
    const query = { endpoint, limit: 100, ...next };
    const answer: OperationAnswer<"sandbox.deliveries.list"> = await call("sandbox.deliveries.list", { query });
    all.push(...answer.data);
    next = answer.next_cursor === null ? null : { after: answer.next_cursor };
  }
  const failed = failedToResend(all);
  // One after the other, the oldest first, so that the events arrive in their order.
  for (const { id } of failed) await call("sandbox.deliveries.resend", { params: { id }, body: {} });
  const { resend_failed_none: none, resend_failed_done: done } = words.value;
  return failed.length === 0 ? none : fill(done, { count: failed.length });
}

/** Sends again each event that has not reached an endpoint, after the receiver was repaired. */
export function ResendFailed({ endpoint }: { endpoint: string }) {
  return <RunButton label={words.value.resend_failed} run={() => resendFailed(endpoint)} />;
}
