import type { KeyOutcome } from "../../../features/requests/logged-request.js";

/** An entry of the emulator's request log. */
export interface LoggedRequest {
  readonly number?: number;
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** The status of the answer; 0 when the connection was cut without an answer. */
  readonly status: number;
  readonly duration_ms: number;
  readonly caller?: string | null;
  readonly subject?: string | null;
  readonly idempotency_key: string | null;
  readonly idempotency?: KeyOutcome | null;
  readonly differs?: readonly string[] | null;
  readonly error?: { readonly code: string; readonly param: string | null } | null;
  readonly request_headers?: Readonly<Record<string, string>>;
  readonly request_body: unknown;
  readonly response_headers?: Readonly<Record<string, string>>;
  readonly response_body: unknown;
  /** The id of the fault rule that changed the answer. */
  readonly fault?: string | null;
}

/** The outcome of a request and its duration, as text. */
export function outcomeOf({ status, duration_ms, fault }: LoggedRequest): { outcome: string; took: string } {
  const by = fault === undefined || fault === null ? "" : ` ${fault}`;
  return { outcome: status === 0 ? "cut" : String(status), took: `${Math.round(duration_ms)} ms${by}` };
}
