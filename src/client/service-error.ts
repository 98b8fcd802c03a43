import type { ErrorCode, ErrorDetail } from "../kernel/errors.js";

/**
 * The code of an error: a code of this version of the service, one of the client itself (`unreachable`,
 * `unexpected_answer`), or an unknown code that a later version of the service adds.
 */
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

/** The error of every failed call of the client: the service refused the request, or there was no usable answer. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** The HTTP status of the answer; 0 when there was no answer. */
  readonly status: number;
  /**
   * The code to test in a program. `unreachable` means that there was no answer, `unexpected_answer` that the answer
   * was not from the service.
   */
  readonly code: ServiceErrorCode;
  /** The wrong field, when only one field is wrong. */
  readonly param: string | undefined;
  /** All wrong fields, each with a message. */
  readonly details: readonly ErrorDetail[];
  /** The id of the request, which finds it in the request log; null when it is unknown. */
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
