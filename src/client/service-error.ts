import type { ErrorCode, ErrorDetail } from "../kernel/errors.js";

/** What the service can answer by this version, what only a client can meet, and what a later service may add. */
export type ServiceErrorCode = ErrorCode | "unreachable" | "unexpected_answer" | (string & Record<never, never>);

interface Parts {
  readonly status: number;
  readonly code: ServiceErrorCode;
  readonly message: string;
  readonly param?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId: string | null;
  readonly cause?: unknown;
}

/** Every failed call of the client: a refusal of the service, or no usable answer at all. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** Of the answer; 0 when nobody answered. */
  readonly status: number;
  /** What to branch on. `unreachable`: nobody answered; `unexpected_answer`: it was no answer of the service. */
  readonly code: ServiceErrorCode;
  /** The field at fault, when it is a single one. */
  readonly param: string | undefined;
  /** Every field at fault. */
  readonly details: readonly ErrorDetail[];
  /** To find the exchange in the request log. */
  readonly requestId: string | null;

  constructor(parts: Parts) {
    super(parts.message, parts.cause === undefined ? {} : { cause: parts.cause });
    this.status = parts.status;
    this.code = parts.code;
    this.param = parts.param;
    this.details = parts.details ?? [];
    this.requestId = parts.requestId;
  }
}
