/** A request as the emulator tells of it. */
export interface LoggedRequest {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** 0: the connection was cut and nothing was answered. */
  readonly status: number;
  readonly duration_ms: number;
  readonly request_body: unknown;
  readonly response_body: unknown;
  /** Id of the fault rule that made it so. */
  readonly fault?: string | null;
}

/** What came of it, and how long that took. */
export function outcomeOf({ status, duration_ms, fault }: LoggedRequest): { outcome: string; took: string } {
  const by = fault === undefined || fault === null ? "" : ` ${fault}`;
  return { outcome: status === 0 ? "cut" : String(status), took: `${Math.round(duration_ms)} ms${by}` };
}
