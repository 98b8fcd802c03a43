import type { Cause } from "../../base/kernel/cause.js";
import type { Contract } from "../../base/kernel/contract.js";
import type { AccountControls } from "../../service/features/access/operations/sandbox-accounts.js";
import type { Operation } from "../../service/features/operation.js";
import type { RequestControls } from "../../service/features/requests/operations/sandbox-requests.js";
import type { IncidentControls } from "../../service/features/timeline/operations/sandbox-incident.js";
import type { TimelineControls } from "../../service/features/timeline/operations/sandbox-timeline.js";
import type { WhyControls } from "../../service/features/timeline/operations/sandbox-why.js";
import type { Chaos } from "../../service/features/webhooks/chaos.js";
import type { EmulatedClock } from "../../service/jobs/clock.js";
import type { RanEntry } from "../../service/jobs/ran.js";
import type { FaultRules } from "./fault-rules.js";
import type { LiveStream } from "./live-stream.js";
import type { ReceiverTests } from "./receiver-tests.js";
import type { SnapshotControls } from "./snapshot-controls.js";
import type { StartReport } from "./start-report.js";
import type { SurvivalNow } from "./survival-board.js";

/**
 * The actions on the emulator itself that operations of the control interface may take, such as moving its clock. Only
 * operations that are defined with `control` receive them, each the part that it names.
 */
export interface Controls extends AccountControls, IncidentControls, RequestControls, TimelineControls, WhyControls {
  clock: ClockControls;
  /** Goes back to the state after the first start. */
  reset(): Promise<void>;
  faults: Pick<FaultRules, "list" | "add" | "remove" | "clear">;
  chaos: Pick<Chaos, "change">;
  snapshots: SnapshotControls;
  /** The latest messages of the stream of everything, the newest first. */
  stream: Pick<LiveStream, "latest">;
  /**
   * A link that starts a session of the web console, once and within a minute, and leads to one of its pages. Throws
   * `not_found` when the console is switched off.
   */
  consoleLink(page: string | null): ConsoleLink;
  /** The options of this start, and the system that it runs on. */
  settings(): StartReport;
  /** Sends real and forged deliveries to a receiver. Throws ApiError. */
  testReceiver: ReceiverTests["run"];
  /** The findings until now of the run of `survive` for which this emulator was started. */
  survival(): SurvivalNow;
  version: string;
}

/** An operation, and the parts of the emulator that its handler needs. */
export type ServedOperation = Operation<Contract, Controls>;

export interface ConsoleLink {
  readonly url: string;
  /** True if the link has the public address that the server was started with. */
  readonly isPublic: boolean;
  /** Real milliseconds. */
  readonly expiresAt: number;
}

export type ClockState = Readonly<ReturnType<EmulatedClock["show"]>>;

/** The target of an advance: a duration, an instant, or the next due work of the book. */
export type ClockTarget = { readonly seconds: number } | { readonly to: number } | "next";

export interface Advanced {
  /** The first entries of the work that was done. */
  readonly ran: readonly RanEntry[];
  readonly ranCount: number;
}

export interface ClockControls {
  show(): ClockState;
  /** Moves the clock forward. Resolves when all due work is done. Returns the work of the book. */
  advance(target: ClockTarget, bookId: number, cause: Cause): Promise<ClockState & Advanced>;
  freeze(cause: Cause): Promise<ClockState>;
  resume(cause: Cause): Promise<ClockState>;
  setSpeed(factor: number, cause: Cause): Promise<ClockState>;
}
