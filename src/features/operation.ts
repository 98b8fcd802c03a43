import type { z } from "zod";
import type { Contract, IdempotencyRule, UserRole } from "../kernel/contract.js";
import type { ErrorCode } from "../kernel/errors.js";
import type { NewAccount, NewUser } from "./access/actions.js";
import type { Reader, Tx } from "./tx.js";

/** Who is calling: the account and mode behind the API key. A user is of no mode, and stands here in the test book. */
export interface Caller {
  readonly bookId: number;
  readonly accountId: string;
  readonly mode: "test" | "live";
  /** Null for whoever calls with an API key, or anonymously. */
  readonly user: CallingUser | null;
}

/** The dashboard user behind a token. */
export interface CallingUser {
  readonly id: string;
  readonly role: UserRole;
  readonly tokenId: string;
  /** Emulated milliseconds. */
  readonly tokenExpiresAt: number;
}

/** The user of an operation that only users may call. */
export function callingUser({ user }: Caller): CallingUser {
  if (user === null) throw new Error("this operation is for users who are logged in");
  return user;
}

/** A part that the contract does not declare is `never` here and an empty object for the handler. */
type Parsed<Schema> = [Schema] extends [never]
  ? Record<string, never>
  : Schema extends z.ZodType
    ? z.output<Schema>
    : Record<string, never>;

export interface Input<P, Q, B> {
  readonly caller: Caller;
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
}

/** An answer that is JSON text already. */
export class JsonText {
  constructor(readonly json: string) {}
}

/**
 * JSON text that is stored as the data of an event, so that an idempotency record can point there instead of keeping a
 * second copy.
 */
export class StoredAnswer extends JsonText {
  constructor(
    json: string,
    readonly eventSeq: number,
  ) {
    super(json);
  }
}

/** What only the emulator itself can do: the clock, a reset, live streams. Sandbox operations alone receive it. */
export interface Controls {
  clock: {
    show(): { now: string; frozen: boolean };
    advance(target: { seconds: number } | { to: number }): Promise<{ now: string; frozen: boolean }>;
    freeze(): Promise<{ now: string; frozen: boolean }>;
    resume(): Promise<{ now: string; frozen: boolean }>;
  };
  reset(): Promise<void>;
  openAccount(name: string): Promise<{ readonly opened: NewAccount; readonly users: readonly NewUser[] }>;
  faults: FaultControls;
  chaos: ChaosControls;
  snapshots: SnapshotControls;
  requests(query: LogQuery): { data: unknown[]; has_more: boolean; next_cursor: string | null };
  version: string;
}

export interface LogQuery {
  readonly bookId: number;
  readonly limit: number;
  readonly after: string | undefined;
  readonly matches: (entry: { method: string; path: string; status: number }) => boolean;
}

/** A copy of everything that the emulator holds. */
export interface Snapshot {
  readonly name: string;
  /** Real milliseconds, unlike all other times. */
  readonly createdAt: number;
  /** Bytes. */
  readonly size: number;
  /** Where it is; null when it is in memory. */
  readonly file: string | null;
}

export interface SnapshotControls {
  /** Newest first. */
  list(): readonly Snapshot[];
  /** Replaces the one of that name. Throws ApiError. */
  save(name: string): Promise<Snapshot>;
  /** Everything is as it was when it was saved. Throws ApiError, and changes nothing then. */
  restore(name: string): Promise<Snapshot>;
}

export interface FaultControls {
  /** In order of adding, those used up included. */
  list(): readonly FaultRule[];
  /** Throws `invalid_request` when there are as many rules as there may be. */
  add(given: NewFault): FaultRule;
  /** `id` is without prefix. Answers whether there was such a rule. */
  remove(id: string): boolean;
  clear(): void;
}

/** What is to go wrong with which requests to /v1. What `match` leaves out fits every request. */
export interface NewFault {
  /** `path` is exact, or a prefix when it ends in `*`. */
  readonly match: { readonly method?: Contract["method"] | undefined; readonly path?: string | undefined };
  readonly effect: {
    /** Answered in place of the handler, with `code` in the envelope. */
    readonly status?: number | undefined;
    readonly code?: ErrorCode | undefined;
    /** Real milliseconds that pass before anything else. */
    readonly latency_ms?: number | undefined;
    /** The connection is cut: `before` the request is carried out, or `after`, in place of the answer. */
    readonly drop?: "before" | "after" | undefined;
    /** Seconds, for the header Retry-After. */
    readonly retry_after?: number | undefined;
  };
  /** How many requests it takes effect on; null: any number. */
  readonly times: number | null;
  /** That a request which fits falls to it: more than 0, at most 1. */
  readonly probability: number;
}

export interface FaultRule extends NewFault {
  /** Without prefix. */
  readonly id: string;
  /** Requests that it has taken effect on. */
  readonly applied: number;
  /** Emulated milliseconds. */
  readonly createdAt: number;
}

export interface ChaosControls {
  /** What is left out keeps its value. Answers all of them. */
  change(given: { readonly [Kind in keyof ChaosSettings]?: number | undefined }): ChaosSettings;
}

/** What is to go wrong with webhooks. All but `delay_ms` are probabilities; 0 is off. */
export interface ChaosSettings {
  /** That a delivery which has arrived is sent once more. */
  readonly duplicate: number;
  /** That a delivery is held back until a later one of its endpoint has been sent. */
  readonly reorder: number;
  /** Emulated milliseconds by which the first attempt of every delivery is put off. */
  readonly delay_ms: number;
  /** That an attempt carries a wrong digest. */
  readonly corrupt_signature: number;
  /** That an attempt is signed with a timestamp which is too old. */
  readonly stale_timestamp: number;
  /** That an event of a MED case is not published. */
  readonly lose_med: number;
}

type Read<A> = A | JsonText | Promise<A>;

export type Execution<P, Q, B, A> =
  | { readonly kind: "read"; readonly handle: (input: Input<P, Q, B>, reader: Reader) => Read<A> }
  | { readonly kind: "write"; readonly handle: (input: Input<P, Q, B>, tx: Tx) => A | StoredAnswer }
  | { readonly kind: "control"; readonly handle: (input: Input<P, Q, B>, controls: Controls) => A | Promise<A> };

export interface Operation<P = unknown, Q = unknown, B = unknown, A = unknown, C extends Contract = Contract> {
  /** Keeps the type of every schema: the typed client is made from it. */
  readonly contract: C;
  readonly execution: Execution<P, Q, B, A>;
}

/** An operation whose types nobody needs any more: what the router works with. */
// biome-ignore lint/suspicious/noExplicitAny: the handler's own types were checked where it was defined
export type AnyOperation = Operation<any, any, any, any>;

interface Definition<P, Q, B, A, C extends Contract> {
  /** Answers from what is stored, changes nothing. */
  read(handle: (input: Input<P, Q, B>, reader: Reader) => Read<A>): Operation<P, Q, B, A, C>;
  /** One unit of work, the claim of an idempotency key included. */
  write(handle: (input: Input<P, Q, B>, tx: Tx) => A | StoredAnswer): Operation<P, Q, B, A, C>;
  /** Governs the emulator itself. */
  control(handle: (input: Input<P, Q, B>, controls: Controls) => A | Promise<A>): Operation<P, Q, B, A, C>;
}

/** Contract first, handler second: so the handler's answer is checked against the declared schema as it is written. */
export function defineOperation<
  const Id extends string,
  P extends z.ZodObject = never,
  Q extends z.ZodObject = never,
  B extends z.ZodObject = never,
  A extends z.ZodType = z.ZodType,
  Key extends IdempotencyRule = never,
>(contract: Contract<P, Q, B, A, Id, Key>): Definition<P, Q, B, z.input<A>, Contract<P, Q, B, A, Id, Key>> {
  return {
    read: (handle) => ({ contract, execution: { kind: "read", handle } }),
    write: (handle) => ({ contract, execution: { kind: "write", handle } }),
    control: (handle) => ({ contract, execution: { kind: "control", handle } }),
  };
}
