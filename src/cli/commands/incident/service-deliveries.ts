import { isJsonObject } from "../../../kernel/json.js";
import { iso } from "../../../kernel/time.js";
import type { Loose } from "./shapes.js";

/** The deliveries about a charge on a host whose list knows neither objects nor instants: it is by offset, the newest first. */

const PAGE = 100;
/** So many are looked through one page after the other. Where there are more, the search begins at the charge. */
const FEW = 2_000;
const MOST_PAGES = 300;

/** A page of the list. */
export interface DeliveryPage {
  readonly data: readonly Loose[];
  readonly total: number;
}

export type ReadPage = (offset: number, limit: number) => Promise<DeliveryPage>;

export function pageIn(answer: unknown): DeliveryPage {
  const { data, total } = isJsonObject(answer) ? answer : {};
  const rows = Array.isArray(data) ? data.filter(isJsonObject) : [];
  return { data: rows, total: Number.isSafeInteger(total) ? Number(total) : rows.length };
}

const instantOf = ({ createdAt }: Loose) => (typeof createdAt === "string" ? Date.parse(createdAt) : 0);

/** How many of the oldest deliveries are certainly from before `since`. */
async function before(read: ReadPage, total: number, since: number): Promise<number> {
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
 * The deliveries that name the charge, the oldest first, and in words what was not looked through. Pages are asked for from the
 * charge on, so that a charge of last year costs no more than one of today.
 */
export async function deliveriesAbout(
  read: ReadPage,
  raw: string,
  since: number,
): Promise<{ readonly found: readonly Loose[]; readonly unseen: string | null }> {
  let { total } = await read(0, 1);
  let seen = total > FEW ? await before(read, total, since) : 0;
  const found = new Map<unknown, Loose>();
  let last = since;
  for (let page = 0; seen < total; page++) {
    if (page === MOST_PAGES) return { found: [...found.values()], unseen: `deliveries after ${iso(last)}` };
    const offset = Math.max(0, total - seen - PAGE);
    const { data, total: now } = await read(offset, Math.min(PAGE, total - seen));
    const oldest = now - offset - data.length;
    total = now;
    // Others came meanwhile and moved the list: the page is asked for again, where it is now.
    if (oldest > seen && data.length > 0) continue;
    for (const one of [...data].reverse()) {
      last = instantOf(one) || last;
      if (JSON.stringify(one.payload ?? null).includes(raw)) found.set(one.id, one);
    }
    seen = data.length === 0 ? total : now - offset;
  }
  return { found: [...found.values()], unseen: null };
}
