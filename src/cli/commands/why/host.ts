import { queryString } from "../../../client/route.js";
import { isJsonObject } from "../../../kernel/json.js";
import { pick } from "../../../kernel/pick.js";
import type { Delivery } from "../../../why/deliveries.js";
import { askWithKey, refusedBy } from "../../target/ask-host.js";
import type { ChosenTarget } from "../../target/choose-target.js";
import { sendThrough } from "../../target/door.js";
import { jsonOf } from "../../terminal/failure.js";

/** What `why` reads of a host. */

export type Loose = Readonly<Record<string, unknown>>;

export interface WhyHost {
  readonly target: ChosenTarget;
  readonly isEmulator: boolean;
}

/** The object at a path; null for a 404. Throws Failure for any other refusal. */
export async function read(target: ChosenTarget, path: string): Promise<Loose | null> {
  const { status, text } = await askWithKey(target, path);
  if (status === 404) return null;
  if (status !== 200) throw refusedBy(target, status, text);
  const value = jsonOf(text);
  return isJsonObject(value) ? value : null;
}

function dataOf(answer: unknown): readonly Loose[] {
  const data = pick(answer, "data");
  return Array.isArray(data) ? data : [];
}

export async function endpoints({ target }: WhyHost): Promise<readonly Loose[]> {
  return dataOf(await read(target, "/v1/webhooks/endpoints"));
}

/** Deliveries of an emulator about an object, with the attempts of those that did not get through. */
export async function deliveriesAbout({ target }: WhyHost, subject: string): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let after: unknown;
  do {
    const query = queryString({ subject, limit: 100, ...(typeof after === "string" ? { after } : {}) });
    const answer = await read(target, `/_sandbox/webhooks/deliveries${query}`);
    found.push(...(dataOf(answer) as unknown as Delivery[]));
    after = pick(answer, "next_cursor");
  } while (typeof after === "string");
  return found;
}

export async function withAttempts({ target, isEmulator }: WhyHost, delivery: Delivery): Promise<Delivery> {
  if (!isEmulator || delivery.status === "DELIVERED") return delivery;
  return ((await read(target, `/_sandbox/webhooks/deliveries/${delivery.id}`)) ?? delivery) as unknown as Delivery;
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
export async function searchDeliveries({ target }: WhyHost, search: Search): Promise<Delivery[] | null> {
  const { eventType, isWanted, since = "", isOne = false } = search;
  const found: Delivery[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = queryString({
      ...(eventType === undefined ? {} : { eventType }),
      limit: LIMIT,
      offset: page * LIMIT,
    });
    const data = dataOf(await read(target, `/v1/webhooks/deliveries${query}`)) as unknown as Delivery[];
    found.push(...data.filter(isWanted));
    const isPast = data.length < LIMIT || data.some(({ createdAt }) => createdAt < since);
    if (isPast || (isOne && found.length > 0)) return found;
  }
  return found.length > 0 ? found : null;
}

/** The secret of an endpoint of an emulator; null for one that has none of its own. */
export async function secretOf(target: ChosenTarget, id: unknown): Promise<string | null> {
  const headers = { apikey: target.apiKey ?? "", accept: "application/json" };
  const url = `${target.baseUrl}/_sandbox/webhooks/endpoints/${id}/reveal`;
  const { status, text } = await sendThrough(target, { method: "POST", url, headers, body: undefined });
  const secret = status === 200 ? pick(jsonOf(text), "secret") : null;
  return typeof secret === "string" ? secret : null;
}
