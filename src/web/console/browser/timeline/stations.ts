import type { Tone } from "../words/codes.js";
import { answeredStatus, hasArrived, lastAttempt, plainestEvent, type SentEvent, tookMs } from "./event-deliveries.js";
import type { Item } from "./model.js";

/** A charge as a line of four stations: application, service, bank and receiver. Pure functions. */

/** `next` for a station that the charge has not reached. */
export type StationTone = Tone | "next";

export type Sender = "app" | "console" | "command";

export type BankState = "waits" | "paid" | "review" | "refused" | "expired" | "cancelled";

export type ReceiverState = "next" | "nobody" | "sending" | "arrived" | "partly" | "waits" | "failed";

export interface Stations {
  readonly app: { readonly sender: Sender; readonly request: Item | null };
  readonly service: { readonly status: number | null; readonly ms: number | null };
  /** `after` is the emulated time from creation to this state, in milliseconds. */
  readonly bank: { readonly state: BankState; readonly after: number };
  readonly receiver: {
    readonly state: ReceiverState;
    readonly event: SentEvent | null;
    /** The attempt that ended it, or the last one. */
    readonly attempt: Item | null;
    readonly arrived: number;
  };
}

const BANK: Readonly<Record<string, BankState>> = {
  settle: "paid",
  approve: "paid",
  hold: "review",
  return: "refused",
  fail: "refused",
  decline: "refused",
  expire: "expired",
  abandon: "expired",
  cancel: "cancelled",
};

export const BANK_TONES = {
  waits: "wait",
  paid: "good",
  review: "warn",
  refused: "bad",
  expired: "plain",
  cancelled: "plain",
} as const satisfies Record<BankState, StationTone>;

export const RECEIVER_TONES = {
  next: "next",
  nobody: "plain",
  sending: "wait",
  arrived: "good",
  partly: "warn",
  waits: "warn",
  failed: "bad",
} as const satisfies Record<ReceiverState, StationTone>;

function senderOf(first: Item | undefined): Sender {
  const { cause_code: code } = first ?? {};
  if (code === "console" || code === "command") return code;
  return "app";
}

function receiverOf(items: readonly Item[], event: SentEvent | null): Stations["receiver"] {
  if (event === null) return { state: "nobody", event, attempt: null, arrived: 0 };
  const { deliveries } = event;
  const done = deliveries.filter(hasArrived);
  const isLeft = deliveries.some(({ data }) => data.status === "PENDING" || data.status === "PROCESSING");
  const shown = done.at(-1) ?? deliveries.at(-1);
  const attempt = (shown === undefined ? undefined : lastAttempt(items, shown.id)) ?? null;
  const isSent = deliveries.some(({ id }) => lastAttempt(items, id) !== undefined);
  const state = () => {
    if (done.length === deliveries.length) return "arrived";
    if (!isSent) return "sending";
    if (done.length > 0) return "partly";
    return isLeft ? "waits" : "failed";
  };
  return { state: state(), event, attempt, arrived: done.length };
}

/** The stations of a charge; null when its timeline does not begin with its creation. */
export function stationsOf({ items }: { readonly items: readonly Item[] }): Stations | null {
  const created = items.find(({ kind, data }) => kind === "transition" && data.move === "create");
  if (created === undefined) return null;
  const request = items.find(({ kind, id }) => kind === "request" && id === created.parent) ?? null;
  // What the bank did first counts: a refund or a dispute comes after a payment that arrived.
  const decided = items.find(({ kind, data }) => kind === "transition" && BANK[String(data.move)] !== undefined);
  const settled = items.find(({ kind, data }) => kind === "transition" && BANK[String(data.move)] === "paid");
  const step = settled ?? decided;
  const state = step === undefined ? "waits" : (BANK[String(step.data.move)] ?? "waits");
  return {
    app: { sender: senderOf(request ?? created), request },
    service: {
      status: request === null ? null : answeredStatus(request),
      ms: request === null ? null : tookMs(request),
    },
    bank: { state, after: step === undefined ? 0 : Date.parse(step.at) - Date.parse(created.at) },
    receiver:
      step === undefined || state === "review"
        ? { state: "next", event: null, attempt: null, arrived: 0 }
        : receiverOf(items, plainestEvent(items, step.id)),
  };
}
