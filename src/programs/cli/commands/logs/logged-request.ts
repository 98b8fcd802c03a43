import type { LoggedRequest as WholeEntry } from "../../../../service/features/requests/logged-request.js";

type Sure = "id" | "at" | "method" | "path" | "status" | "duration_ms";
type Kept = "idempotency_key" | "request_body" | "response_body";

/** An entry of the emulator's request log. One of another version may lack the other members. */
export type LoggedRequest = Pick<WholeEntry, Sure | Kept> & Partial<Omit<WholeEntry, Sure | Kept>>;

/** The outcome of a request and its duration, as text. The status is 0 when the connection was cut without an answer. */
export function outcomeOf({ status, duration_ms, fault }: LoggedRequest): { outcome: string; took: string } {
  const by = fault === undefined || fault === null ? "" : ` ${fault}`;
  return { outcome: status === 0 ? "cut" : String(status), took: `${Math.round(duration_ms)} ms${by}` };
}
