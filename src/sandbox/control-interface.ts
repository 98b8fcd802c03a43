import type { OpenFile, Snapshot } from "../db/snapshots/snapshot.js";
import type { NewAccount, NewUser } from "../features/access/actions.js";
import type { LedgerCheck } from "../features/wallets/check.js";
import type { DueEntry } from "../jobs/due-work.js";
import type { RanEntry } from "../jobs/ran.js";
import type { Cause } from "../kernel/cause.js";
import type { Contract } from "../kernel/contract.js";
import type { ErrorCode } from "../kernel/errors.js";
import type { AccountDetails } from "./account-details.js";
import type { LiveStream } from "./live-stream.js";
import type { ReceiverTests } from "./receiver-tests.js";
import type { RequestLog } from "./request-log.js";
import type { StartFlag } from "./start-report.js";
import type { TimelineItem } from "./timeline/build.js";

export type { OpenFile } from "../db/snapshots/snapshot.js";

/**
 * What the operations of the control interface can do with the emulator itself, such as move its clock or reset it. Only
 * operations that are defined with `control` receive it.
 */
export interface Controls {
  clock: ClockControls;
  /** Goes back to the state after the first start. */
  reset(): Promise<void>;
  openAccount(name: string): Promise<{ readonly opened: NewAccount; readonly users: readonly NewUser[] }>;
  faults: FaultControls;
  chaos: ChaosControls;
  snapshots: SnapshotControls;
  requests: Pick<RequestLog, "search" | "find" | "errors">;
  /** The whole story of an object. Throws `not_found` for an id that no object of this book has. */
  timeline(bookId: number, id: string): Timeline;
  /** Compares the ledger of a book with everything else that is stored about money. */
  checkLedger(bookId: number): Promise<LedgerCheck>;
  /** The latest messages of the stream of everything, the newest first. */
  stream: Pick<LiveStream, "latest">;
  /**
   * A link that starts a session of the web console, once and within a minute, and leads to one of its pages. Throws
   * `not_found` when the console is switched off.
   */
  consoleLink(page: string | null): ConsoleLink;
  /** How this server was started, and what it runs on. */
  settings(): StartReport;
  /** An account with its users and keys. Throws `not_found`. */
  account(id: string): AccountDetails;
  /** Sends a receiver the deliveries that production sends, and forged ones. Throws ApiError. */
  testReceiver: ReceiverTests["run"];
  version: string;
}

export interface StartReport {
  readonly version: string;
  readonly url: string;
  readonly boot: string;
  /** Real time, as ISO 8601. */
  readonly started_at: string;
  readonly flags: StartFlag[];
  readonly previews: string[];
  readonly rate_limit: number | null;
  readonly database: { readonly file: string; readonly bytes: number; readonly driver: string };
  readonly node_version: string;
  readonly pid: number;
  readonly memory: { readonly rss_bytes: number; readonly heap_bytes: number };
}

export interface ConsoleLink {
  readonly url: string;
  /** Whether the link has the public address that the server was started with. */
  readonly isPublic: boolean;
  /** Real milliseconds. */
  readonly expiresAt: number;
}

export interface Timeline extends ClockState {
  /** The public id of the object. */
  readonly subject: string;
  /** Oldest first. */
  readonly items: readonly TimelineItem[];
  /** What would still happen by itself, soonest first. */
  readonly due: readonly DueEntry[];
}

export interface ClockState {
  /** The emulated time, as ISO 8601. */
  readonly now: string;
  readonly frozen: boolean;
}

/** The target of an advance: a duration, an instant, or the next due work of the book. */
export type ClockTarget = { readonly seconds: number } | { readonly to: number } | "next";

export interface Advanced {
  /** The first entries of the work that was done. */
  readonly ran: readonly RanEntry[];
  readonly ranCount: number;
}

export interface ClockControls {
  show(): ClockState;
  /**
   * Moves the clock forward. Resolves when everything that became due has been done. Answers what was done in the
   * book.
   */
  advance(target: ClockTarget, bookId: number, cause: Cause): Promise<ClockState & Advanced>;
  freeze(cause: Cause): Promise<ClockState>;
  resume(cause: Cause): Promise<ClockState>;
}

export interface SnapshotControls {
  /** The newest first. */
  list(): readonly Snapshot[];
  /** Saves the present state under `name`, in place of an older snapshot of that name. Throws ApiError. */
  save(name: string): Promise<Snapshot>;
  /** Puts the saved state in place of the present one. When it throws an ApiError, nothing was changed. */
  restore(name: string, cause: Cause): Promise<Snapshot>;
  /** Throws ApiError when there is no snapshot of that name. */
  remove(name: string): Promise<void>;
  /** Opens a snapshot as a database file. Throws ApiError. */
  open(name: string): Promise<OpenFile>;
  /**
   * Makes a snapshot of a file from outside, in place of an older one of that name. `save` writes the file to a path.
   * Throws ApiError; nothing was changed then.
   */
  adopt(name: string, save: (path: string) => Promise<void>): Promise<Snapshot>;
}

export interface FaultControls {
  /** All rules in the order in which they were added, used-up rules included. */
  list(): readonly FaultRule[];
  /** Throws `invalid_request` when there are too many rules. */
  add(given: NewFaultRule): FaultRule;
  /** Answers whether there was a rule with this id. `id` has no prefix. */
  remove(id: string): boolean;
  clear(): void;
}

/** A fault for requests to /v1. A part that `match` leaves out fits every request. */
export interface NewFaultRule {
  /** `path` is exact, or a prefix when it ends in `*`. */
  readonly match: {
    /** No route of /v1 takes PUT. */
    readonly method?: Exclude<Contract["method"], "PUT"> | undefined;
    readonly path?: string | undefined;
  };
  readonly effect: {
    /** The status of the refusal that is answered instead of calling the handler; its error code is `code`. */
    readonly status?: number | undefined;
    readonly code?: ErrorCode | undefined;
    /** Real milliseconds to wait before anything else. */
    readonly latency_ms?: number | undefined;
    /** Cuts the connection `before` the request is carried out, or `after` it in place of the answer. */
    readonly drop?: "before" | "after" | undefined;
    /** Seconds for the header Retry-After. */
    readonly retry_after?: number | undefined;
  };
  /** How many requests the rule takes effect on; null for any number. */
  readonly times: number | null;
  /** The probability that the rule takes effect on a request that fits: more than 0, at most 1. */
  readonly probability: number;
}

export interface FaultRule extends NewFaultRule {
  /** Without prefix. */
  readonly id: string;
  /** How many requests the rule has taken effect on. */
  readonly applied: number;
  /** Emulated milliseconds. */
  readonly createdAt: number;
}

export interface ChaosControls {
  /** Changes the given settings, keeps the others, and answers all of them. */
  change(given: { readonly [Kind in keyof ChaosSettings]?: number | undefined }): ChaosSettings;
}

/** What goes wrong with webhooks on purpose. All settings but `delay_ms` are probabilities; 0 is off. */
export interface ChaosSettings {
  /** A delivery that arrived is sent once more. */
  readonly duplicate: number;
  /** A delivery is held back until a later one of the same endpoint has been sent. */
  readonly reorder: number;
  /** Emulated milliseconds by which the first attempt of every delivery is delayed. */
  readonly delay_ms: number;
  /** An attempt carries a wrong digest. */
  readonly corrupt_signature: number;
  /** An attempt is signed with a timestamp that is too old. */
  readonly stale_timestamp: number;
  /** An event of a MED case is not published. */
  readonly lose_med: number;
}
