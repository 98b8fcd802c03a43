import type { OperationAnswer } from "../../../../api/client/types.js";
import type { Texts } from "../texts/index.js";
import type { Tone } from "./codes.js";
import { withoutScheme } from "./delivery-facts.js";

/** Due work in groups. Pure functions. */

export type Due = OperationAnswer<"sandbox.clock.due">["data"][number];

/** Work that comes by itself: what is due, or the deadline of a case. */
export type Upcoming = Pick<Due, "at"> & { readonly kind: string; readonly params?: Due["params"] };

/** The deadlines of open cases. Nothing happens then by itself, but an answer is late from then on. */
export function deadlinesOf(cases: readonly { readonly response_deadline: string | null }[]): Upcoming[] {
  return cases.flatMap(({ response_deadline: at }) => (at === null ? [] : [{ kind: "med.deadline", at }]));
}

/** What work does, as the sentences about it distinguish it. */
export type Effect = keyof Texts["due_effects"];

const EFFECTS: Readonly<Record<string, Effect>> = {
  "transaction.expire": "expire",
  "transaction.pay": "pay",
  "transaction.finalise": "codes",
  "wallet.release": "release",
  "refund.advance": "refund",
  "med.open": "case",
  "med.deadline": "deadline",
};

/** The first attempt sends a webhook, each later one repeats it. */
export function effectOf({ kind, params }: Upcoming): Effect {
  if (kind !== "delivery.attempt") return EFFECTS[kind] ?? "other";
  return Number(params?.number ?? 1) > 1 ? "retry" : "send";
}

const TONES: Readonly<Record<Effect, Tone>> = {
  expire: "warn",
  deadline: "warn",
  case: "warn",
  pay: "good",
  codes: "plain",
  release: "good",
  refund: "good",
  send: "wait",
  retry: "wait",
  other: "plain",
};

/** The tone of work; none for work of several tones. */
export function toneOf(entries: readonly Upcoming[]): Tone {
  const [tone = "plain", ...others] = new Set(entries.map((entry) => TONES[effectOf(entry)]));
  return others.length === 0 ? tone : "plain";
}

/** True for a webhook that was refused before and is tried again. */
export const isRetry = (entry: Upcoming) => effectOf(entry) === "retry";

/** The entries grouped by `keyOf`, in the order of their first appearance. */
export function grouped<Entry, Key extends string>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => Key,
): [Key, Entry[]][] {
  const groups = new Map<Key, Entry[]>();
  for (const entry of entries) {
    const known = groups.get(keyOf(entry));
    if (known === undefined) groups.set(keyOf(entry), [entry]);
    else known.push(entry);
  }
  return [...groups];
}

/** Work of one effect at one place, with at most a minute from each entry to the next. */
export interface DueGroup<Entry extends Due = Due> {
  readonly key: string;
  /** The endpoint of attempts; empty for other work. */
  readonly place: string;
  readonly entries: readonly Entry[];
  readonly from: number;
  readonly to: number;
}

const MINUTE = 60_000;

/** Splits instants in order where more than a minute is between two. */
function withinMinutes<Entry extends Due>(entries: readonly Entry[]): Entry[][] {
  const parts: Entry[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const entry of entries) {
    const at = Date.parse(entry.at);
    if (at - before > MINUTE) parts.push([]);
    parts.at(-1)?.push(entry);
    before = at;
  }
  return parts;
}

/** Due work in groups, soonest first. `entries` are in the order of their instants. */
export function groupsOf<Entry extends Due>(entries: readonly Entry[]): readonly DueGroup<Entry>[] {
  const placeOf = ({ params: { url } }: Due) => (typeof url === "string" ? withoutScheme(url) : "");
  return grouped(entries, (entry) => `${effectOf(entry)} ${placeOf(entry)}`)
    .flatMap(([key, all]) =>
      withinMinutes(all).map((own): DueGroup<Entry> => {
        const instants = own.map(({ at }) => Date.parse(at));
        const [from = 0, to = from] = [instants[0], instants.at(-1)];
        const place = own[0] === undefined ? "" : placeOf(own[0]);
        return { key: `${key} ${from}`, place, entries: own, from, to };
      }),
    )
    .toSorted((one, other) => one.from - other.from);
}
