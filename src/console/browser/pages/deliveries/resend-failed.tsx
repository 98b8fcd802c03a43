import type { ComponentChildren } from "preact";
import { fill } from "../../../../kernel/message.js";
import { call } from "../../api/call.js";
import { RunButton } from "../../parts/run-button.js";
import { texts } from "../../state/language.js";
import { failedToResend } from "../../words/delivery-facts.js";

const words = texts("deliveries");

/** Pages of a hundred deliveries. More would take too long for a button. */
const MOST_PAGES = 10;

async function deliveriesOf(endpoint: string) {
  const all: Parameters<typeof failedToResend>[0][number][] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await call("sandbox.deliveries.list", {
      query: { endpoint, limit: 100, ...(after === undefined ? {} : { after }) },
    });
    all.push(...answer.data);
    if (answer.next_cursor === null) break;
    after = answer.next_cursor;
  }
  return all;
}

async function resendFailed(endpoint: string): Promise<ComponentChildren> {
  const failed = failedToResend(await deliveriesOf(endpoint));
  // One after the other, the oldest first, so that the events arrive in their order.
  for (const { id } of failed) await call("sandbox.deliveries.resend", { params: { id }, body: {} });
  return failed.length === 0
    ? words.value.resend_failed_none
    : fill(words.value.resend_failed_done, { count: failed.length });
}

/** Sends again each event that has not reached an endpoint: after the receiver was mended. */
export function ResendFailed({ endpoint }: { endpoint: string }) {
  return <RunButton label={words.value.resend_failed} run={() => resendFailed(endpoint)} />;
}
