import { deliveriesSince, newestDelivery, pagesOf } from "../../api/client/delivery-search.js";
import { queryString } from "../../api/client/route.js";
import type { OperationAnswer } from "../../api/client/types.js";
import type { AnyObject } from "../../base/kernel/json.js";
import type { Sentence } from "../../service/features/why-codes.js";
import type { Delivery, Endpoint } from "./deliveries.js";

/** The reads of `why` from a host. */

export interface WhyHost {
  readonly isEmulator: boolean;
  /** The object or the bare list that a GET of this address answers; null for one that is not there. */
  read<Answer extends object = AnyObject>(address: string): Promise<Answer | null>;
  /** Finds a receiver's mistake with signatures by trials, on an emulator; null where that is impossible. */
  mistakeOf(delivery: Delivery, endpoints: readonly Endpoint[]): Promise<Sentence | null>;
}

/** The objects of a list; none for another answer. */
function dataOf<One>(answer: { readonly data: readonly One[] } | null): readonly One[] {
  return Array.isArray(answer?.data) ? answer.data : [];
}

export async function endpoints({ read }: WhyHost): Promise<readonly Endpoint[]> {
  return dataOf(await read<OperationAnswer<"webhooks.endpoints.list">>("/v1/webhooks/endpoints"));
}

/** Deliveries of an emulator about an object, with the attempts of those that did not get through. */
export async function deliveriesAbout({ read }: WhyHost, subject: string): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let after: string | null = null;
  do {
    const query = queryString({ subject, limit: 100, ...(after !== null && { after }) });
    const answer: OperationAnswer<"sandbox.deliveries.list"> | null = await read(
      `/_sandbox/webhooks/deliveries${query}`,
    );
    found.push(...dataOf(answer));
    after = answer?.next_cursor ?? null;
  } while (after !== null);
  return found;
}

export async function withAttempts({ read, isEmulator }: WhyHost, delivery: Delivery): Promise<Delivery> {
  if (!isEmulator || delivery.status === "DELIVERED") return delivery;
  return (await read<Delivery>(`/_sandbox/webhooks/deliveries/${delivery.id}`)) ?? delivery;
}

/** The most pages of deliveries that are searched, where a host cannot list them by their object. */
const MOST_PAGES = 50;

type IsWanted = (delivery: Delivery) => boolean;

/** Returns the newest delivery that fits, on any host. */
export function newestOf({ read }: WhyHost, isWanted: IsWanted, eventType?: string): Promise<Delivery | undefined> {
  return newestDelivery(pagesOf<Delivery>(read, { eventType }), { isWanted, mostPages: MOST_PAGES });
}

/**
 * Returns the deliveries of any host from an instant on, the newest first. Null where deliveries beyond the searched pages may
 * change the answer.
 */
export async function findSince({ read }: WhyHost, since: string, isWanted: IsWanted): Promise<Delivery[] | null> {
  const search = { isWanted, mostPages: MOST_PAGES };
  const { found, unseen } = await deliveriesSince(pagesOf<Delivery>(read), Date.parse(since) || 0, search);
  const isReported = found.length > 0 && found.every(({ status }) => status === "DELIVERED");
  return unseen === null || isReported ? [...found].reverse() : null;
}
