import { isJsonObject } from "../../base/kernel/json.js";
import { iso } from "../../base/kernel/time.js";
import { queryString } from "./route.js";

/** Finds deliveries on a host whose list knows neither objects nor instants: it is by offset, the newest first. */

const PAGE = 100;
/** So many are looked through one page after the other. Where there are more, the search begins at an instant. */
const FEW = 500;

interface Listed {
  readonly id?: unknown;
  readonly createdAt?: unknown;
}

export type ReadPage<One> = (
  offset: number,
  limit: number,
) => Promise<{ readonly data: readonly One[]; readonly total: number }>;

export interface DeliverySearch<One> {
  readonly isWanted: (delivery: One) => boolean;
  /** After so many pages the search ends. */
  readonly mostPages: number;
}

/** The list of a host, where `read` answers a GET. */
export function pagesOf<One>(read: (address: string) => Promise<unknown>, filter: object = {}): ReadPage<One> {
  return async (offset, limit) => {
    const answer = await read(`/v1/webhooks/deliveries${queryString({ ...filter, limit, offset })}`);
    const { data, total } = isJsonObject(answer) ? answer : {};
    const rows = Array.isArray(data) ? data.filter(isJsonObject) : [];
    return { data: rows as One[], total: Number.isSafeInteger(total) ? Number(total) : rows.length };
  };
}

/** The newest delivery that is wanted. Undefined when there is none in the pages that are looked through. */
export async function newestDelivery<One>(
  read: ReadPage<One>,
  { isWanted, mostPages }: DeliverySearch<One>,
): Promise<One | undefined> {
  for (let page = 0; page < mostPages; page++) {
    const { data } = await read(page * PAGE, PAGE);
    const found = data.find(isWanted);
    if (found !== undefined || data.length < PAGE) return found;
  }
  return undefined;
}

const instantOf = ({ createdAt }: Listed) => (typeof createdAt === "string" ? Date.parse(createdAt) : 0);

/** How many of the oldest deliveries are certainly from before `since`. */
async function before<One extends Listed>(read: ReadPage<One>, total: number, since: number): Promise<number> {
  let [low, high] = [0, total];
  while (high - low > PAGE) {
    const middle = Math.floor((low + high) / 2);
    const { data } = await read(total - middle - 1, 1);
    const [one] = data;
    // Others that come meanwhile move the list: the place is then that of an older one.
    if (one !== undefined && instantOf(one) < since) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The wanted deliveries from an instant on, the oldest first, and in words what was not looked through. Pages are asked for from
 * that instant on, so that a charge of last year costs no more than one of today.
 */
export async function deliveriesSince<One extends Listed>(
  read: ReadPage<One>,
  since: number,
  { isWanted, mostPages }: DeliverySearch<One>,
): Promise<{ readonly found: readonly One[]; readonly unseen: string | null }> {
  let { total } = await read(0, 1);
  let seen = total > FEW ? await before(read, total, since) : 0;
  const found = new Map<unknown, One>();
  let last = since;
  for (let page = 0; seen < total; page++) {
    if (page === mostPages) return { found: [...found.values()], unseen: `deliveries after ${iso(last)}` };
    const offset = Math.max(0, total - seen - PAGE);
    const { data, total: now } = await read(offset, Math.min(PAGE, total - seen));
    const oldest = now - offset - data.length;
    total = now;
    // Others came meanwhile and moved the list: the page is asked for again, where it is now.
    if (oldest > seen && data.length > 0) continue;
    for (const one of [...data].reverse()) {
      last = instantOf(one) || last;
      if (isWanted(one)) found.set(one.id, one);
    }
    seen = data.length === 0 ? total : now - offset;
  }
  return { found: [...found.values()], unseen: null };
}
