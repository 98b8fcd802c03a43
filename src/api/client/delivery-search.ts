import { isJsonObject } from "../../base/kernel/json.js";
import { pick } from "../../base/kernel/pick.js";
import { queryString } from "./route.js";

/** Finds deliveries on a host whose list, newest first, has an offset but no filter by object or instant. */

const PAGE = 100;
/** Up to this number, pages are read one after the other. Above it, the search begins at an instant. */
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
  /** The maximum number of pages. */
  readonly mostPages: number;
}

/** The list of a host; `read` answers a GET. */
export function pagesOf<One>(read: (address: string) => Promise<unknown>, filter: object = {}): ReadPage<One> {
  return async (offset, limit) => {
    const answer = await read(`/v1/webhooks/deliveries${queryString({ ...filter, limit, offset })}`);
    const { data, total } = isJsonObject(answer) ? answer : {};
    const rows = Array.isArray(data) ? data.filter(isJsonObject) : [];
    return { data: rows as One[], total: Number.isSafeInteger(total) ? Number(total) : rows.length };
  };
}

/** The members of a body that name its object, in both families: a case names its charge, and a refund its payment. */
const SUBJECTS = ["data.object.id", "data.object.charge_id", "data.transactionId"];

/** True if a delivery reports the object with this UUID, or something that belongs to it. */
export function isAbout({ payload }: { readonly payload?: unknown }, raw: string): boolean {
  return SUBJECTS.some((path) => String(pick(payload, path)).replace(/^[a-z]+_/, "") === raw);
}

/** The newest matching delivery. Undefined when the pages that are read have none. */
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

/** The number of oldest deliveries that are certainly older than `since`. */
async function before<One extends Listed>(read: ReadPage<One>, total: number, since: number): Promise<number> {
  let [low, high] = [0, total];
  while (high - low > PAGE) {
    const middle = Math.floor((low + high) / 2);
    const { data } = await read(total - middle - 1, 1);
    const [one] = data;
    // New deliveries shift the list meanwhile: the place is then that of an older one.
    if (one !== undefined && instantOf(one) < since) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The matching deliveries from an instant on, the oldest first, and the instant after which none were read, or null. Reading
 * begins at the first instant, so a charge of last year costs no more than one of today.
 */
export async function deliveriesSince<One extends Listed>(
  read: ReadPage<One>,
  since: number,
  { isWanted, mostPages }: DeliverySearch<One>,
): Promise<{ readonly found: readonly One[]; readonly unseen: number | null }> {
  let { total } = await read(0, 1);
  let seen = total > FEW ? await before(read, total, since) : 0;
  const found = new Map<unknown, One>();
  let last = since;
  for (let page = 0; seen < total; page++) {
    if (page === mostPages) return { found: [...found.values()], unseen: last };
    const offset = Math.max(0, total - seen - PAGE);
    const { data, total: now } = await read(offset, Math.min(PAGE, total - seen));
    const oldest = now - offset - data.length;
    total = now;
    // New deliveries have shifted the list: the page is requested again at its new place.
    if (oldest > seen && data.length > 0) continue;
    for (const one of [...data].reverse()) {
      last = instantOf(one) || last;
      if (isWanted(one)) found.set(one.id, one);
    }
    seen = data.length === 0 ? total : now - offset;
  }
  return { found: [...found.values()], unseen: null };
}
