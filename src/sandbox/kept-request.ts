import type { IdempotencyRule } from "../kernel/contract.js";
import type { LoggedError } from "./request-facts.js";

/** A request of the log as it is kept in memory. */

/** The idempotency key of a request that the service accepted as a request, and what it compares besides the body. */
export interface RequestClaim {
  readonly kind: IdempotencyRule["kind"];
  readonly key: string;
  /** Members of the body that the path implies. */
  readonly implied: IdempotencyRule["implied"] | undefined;
  /** The ids in the path, without `tx_`. */
  readonly ids: Readonly<Record<string, string>>;
}

export interface RequestEntry {
  /** The number that the request got when it arrived, from `RequestLog.nextNumber`. */
  readonly number: number;
  readonly id: string;
  readonly bookId: number | null;
  readonly fingerprint: string | null;
  readonly method: string;
  readonly path: string;
  /** The path of the contract, such as `/v1/charges/{id}`; for an unknown path the path itself. */
  readonly route: string;
  /** 0 when the connection was cut without an answer. */
  readonly status: number;
  readonly durationMs: number;
  /** Emulated milliseconds. */
  readonly at: number;
  /** The newest row of the history when it ended: its place in a timeline. */
  readonly historySeq: number;
  readonly idempotencyKey: string | null;
  readonly claim: RequestClaim | null;
  /** What became of the key. Null without a key, and for a refusal that left the key unused. */
  readonly idempotency: "new" | "replayed" | "conflict" | null;
  /** The public id of the object that the request is about. */
  readonly subject: string | null;
  /** The program or the person behind the request, in a few words. */
  readonly caller: string | null;
  readonly error: LoggedError | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly secrets: readonly string[];
  /** The id of the fault rule that took effect, without prefix. */
  readonly fault: string | null;
}

/** The text of a body, or the number of its characters when it is too long to be kept. */
export type KeptBody = string | number;

/** An entry as it is kept, with long texts cut. */
export interface KeptRequest extends Omit<RequestEntry, "requestBody" | "responseBody"> {
  readonly requestBody: KeptBody;
  readonly responseBody: KeptBody;
  /**
   * For a conflict: the dotted paths of the fields in which the request differs from the first one with its key. Null when
   * the first one is not in the log, or the body of one of them is not.
   */
  readonly differs: readonly string[] | null;
}

/** Which requests of the log are wanted. */
export interface LogFilter {
  readonly bookId: number;
  readonly matches: (entry: KeptRequest) => boolean;
}

export interface LogQuery extends LogFilter {
  readonly limit: number;
  /** The cursor of the page before. */
  readonly after: string | undefined;
}
