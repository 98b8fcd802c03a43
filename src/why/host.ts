import { queryString } from "../client/route.js";
import type { Sentence } from "../features/why-codes.js";
import { pick } from "../kernel/pick.js";
import type { Delivery } from "./deliveries.js";

/** What `why` reads of a host. */

export type Loose = Readonly<Record<string, unknown>>;

export interface WhyHost {
  readonly isEmulator: boolean;
  /** The object that a GET of this address answers; null for one that is not there. */
  read(address: string): Promise<Loose | null>;
  /** Tries out what a receiver of an emulator does wrong with signatures; null where that is not known. */
  mistakeOf(delivery: Delivery, endpoints: readonly Loose[]): Promise<Sentence | null>;
}

function dataOf(answer: unknown): readonly Loose[] {
  const data = pick(answer, "data");
  return Array.isArray(data) ? data : [];
}

export async function endpoints({ read }: WhyHost): Promise<readonly Loose[]> {
  return dataOf(await read("/v1/webhooks/endpoints"));
}

/** Deliveries of an emulator about an object, with the attempts of those that did not get through. */
export async function deliveriesAbout({ read }: WhyHost, subject: string): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let after: unknown;
  do {
    const query = queryString({ subject, limit: 100, ...(typeof after === "string" ? { after } : {}) });
    const answer = await read(`/_sandbox/webhooks/deliveries${query}`);
    found.push(...(dataOf(answer) as unknown as Delivery[]));
    after = pick(answer, "next_cursor");
  } while (typeof after === "string");
  return found;
}

export async function withAttempts({ read, isEmulator }: WhyHost, delivery: Delivery): Promise<Delivery> {
  if (!isEmulator || delivery.status === "DELIVERED") return delivery;
  return ((await read(`/_sandbox/webhooks/deliveries/${delivery.id}`)) ?? delivery) as unknown as Delivery;
}

const LIMIT = 100;
/** How many pages of deliveries are looked through, where they cannot be asked for by what they are about. */
const MOST_PAGES = 50;

interface Search {
  readonly eventType?: string;
  readonly isWanted: (delivery: Delivery) => boolean;
  /** Older ones than this are not wanted. */
  readonly since?: string | undefined;
  /** One is enough. */
  readonly isOne?: boolean;
}

/** Looks through the deliveries of any host, the newest first. Null when there are too many. */
export async function searchDeliveries({ read }: WhyHost, search: Search): Promise<Delivery[] | null> {
  const { eventType, isWanted, since = "", isOne = false } = search;
  const found: Delivery[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = queryString({
      ...(eventType === undefined ? {} : { eventType }),
      limit: LIMIT,
      offset: page * LIMIT,
    });
    const data = dataOf(await read(`/v1/webhooks/deliveries${query}`)) as unknown as Delivery[];
    found.push(...data.filter(isWanted));
    const isPast = data.length < LIMIT || data.some(({ createdAt }) => createdAt < since);
    if (isPast || (isOne && found.length > 0)) return found;
  }
  return found.length > 0 ? found : null;
}
