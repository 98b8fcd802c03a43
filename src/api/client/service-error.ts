import type { ErrorCode, ErrorDetail, ErrorType } from "../../base/kernel/errors.js";

/**
 * The type of an error: a type of the service, or one of the client itself. `connection_error` means that the service
 * could not be reached or that the connection broke; `timeout_error`, that there was no answer in time.
 */
export type ServiceErrorType = ErrorType | "connection_error" | "timeout_error";

/**
 * The code of an error: a code of this version of the service, one of the client itself (`unreachable`,
 * `unexpected_answer`), or an unknown code that a later version of the service adds.
 */
export type ServiceErrorCode = ErrorCode | "unreachable" | "unexpected_answer" | (string & Record<never, never>);

interface Parts {
  readonly status: number;
  readonly type: ServiceErrorType;
  readonly code: ServiceErrorCode;
  readonly message: string;
  readonly param?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId: string | null;
  readonly cause?: unknown;
}

/** The error of every failed call of the client: the service refused the request, or there was no usable answer. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError";
  /** The HTTP status of the answer; 0 when there was no answer. */
  readonly status: number;
  /** The kind of error. An answer that was not from the service is an `api_error`. */
  readonly type: ServiceErrorType;
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
    this.type = parts.type;
    this.code = parts.code;
    this.param = parts.param;
    this.details = parts.details ?? [];
    this.requestId = parts.requestId;
  }
}

/** There was no complete answer in time. Its `type` is `timeout_error`, its `status` 0 and its `code` `unreachable`. */
export class ServiceTimeoutError extends ServiceError {
  override readonly name = "ServiceTimeoutError";
  /** The time limit of the call in milliseconds, all tries together. */
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number, cause: unknown) {
    super({ status: 0, type: "timeout_error", code: "unreachable", message, requestId: null, cause });
    this.timeoutMs = timeoutMs;
  }
}
