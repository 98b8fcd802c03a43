import { kindOf } from "./ids.js";

/**
 * The error catalogue: every error code of the service with its status and type (docs/service/errors.md). The HTTP
 * layer, the CLI, the OpenAPI document and docs/ERRORS.md read it. The exit code of a command follows from the status
 * alone (src/cli/terminal/exit-codes.ts).
 */

export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "rate_limit_error"
  | "api_error";

export interface ErrorEntry {
  readonly status: number;
  readonly type: ErrorType;
  /** The default message, for an error that is thrown without one. */
  readonly message: string;
}

export const ERROR_CATALOGUE = {
  invalid_request: { status: 400, type: "invalid_request_error", message: "The request is not valid." },
  invalid_amount: {
    status: 400,
    type: "invalid_request_error",
    message: "amount must be an integer number of centavos from 1 to 999999999999.",
  },
  unauthorized: {
    status: 401,
    type: "authentication_error",
    message: "The API key is missing or not valid. Send it in the apikey header.",
  },
  origin_not_allowed: {
    status: 403,
    type: "permission_error",
    message: "This server answers only requests to its own host, and none from a web page of another origin.",
  },
  API_KEY_ROLE_REQUIRED: {
    status: 403,
    type: "permission_error",
    message: "Only an OWNER or ADMIN of the account may issue, rotate and revoke API keys.",
  },
  "fraud.customer_velocity_exceeded": {
    status: 403,
    type: "permission_error",
    message: "This customer has reached the number of charges that the fraud guard allows within its time window.",
  },
  "fraud.account_velocity_exceeded": {
    status: 403,
    type: "permission_error",
    message: "This account has reached the number of charges that the fraud guard allows within its time window.",
  },
  not_found: { status: 404, type: "not_found_error", message: "There is nothing under this address or id." },
  idempotency_key_reused: {
    status: 409,
    type: "conflict_error",
    message: "This idempotency key was already used with a different request body. Use a new key for a new request.",
  },
  EVIDENCE_NOT_UPLOADED: {
    status: 409,
    type: "conflict_error",
    message: "The file has not arrived, or came too late. Upload it to the address of a fresh ticket first.",
  },
  EVIDENCE_SIZE_MISMATCH: {
    status: 409,
    type: "conflict_error",
    message: "The file that arrived does not have the declared size.",
  },
  payload_too_large: {
    status: 413,
    type: "invalid_request_error",
    message: "The request body is larger than 1 MiB.",
  },
  unprocessable_entity: {
    status: 422,
    type: "invalid_request_error",
    message: "The request is well formed but cannot be carried out.",
  },
  REFUND_NOT_SUPPORTED: {
    status: 422,
    type: "invalid_request_error",
    message: "The provider of this payment method gives no refunds.",
  },
  rate_limited: {
    status: 429,
    type: "rate_limit_error",
    message:
      "This API key has sent as many requests as it may within a minute. Wait as many seconds as Retry-After says.",
  },
  internal_error: {
    status: 500,
    type: "api_error",
    message: "Something went wrong on our side. It is safe to try again with the same idempotency key.",
  },
  service_unavailable: {
    status: 503,
    type: "api_error",
    message: "The service is stopping or cannot be reached. Try again with backoff.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** One failed field: `param` is the dotted path of the field in the body or the name of a query parameter or header. */
export interface ErrorDetail {
  readonly param: string;
  readonly message: string;
}

/** Limits of a refusal, however much of a request is wrong: the number of details, and characters of their texts. */
export const MAX_DETAILS = 20;
const MAX_MESSAGE = 1_000;
const MAX_PARAM = 100;

/** The beginning of a text from a request, to be quoted in a message. */
export function shortened(text: string, max: number = MAX_PARAM): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

export interface ErrorExtras {
  readonly message?: string;
  readonly param?: string;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal. It is sent to the client as it is; every other error becomes `internal_error`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly param: string | undefined;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    readonly code: ErrorCode,
    extras: ErrorExtras = {},
  ) {
    const message = shortened(extras.message ?? ERROR_CATALOGUE[code].message, MAX_MESSAGE);
    super(message, extras.cause === undefined ? {} : { cause: extras.cause });
    this.param = extras.param === undefined ? undefined : shortened(extras.param);
    this.details = extras.details?.slice(0, MAX_DETAILS).map((detail) => ({
      param: shortened(detail.param),
      message: shortened(detail.message, MAX_MESSAGE),
    }));
    this.headers = extras.headers;
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }
}

/** A refusal because of one field. The envelope has the name of the field in `param` and in `details`. */
export function fieldError(param: string, message: string, code: ErrorCode = "invalid_request"): ApiError {
  return new ApiError(code, { message: `${shortened(param)} ${message}`, param, details: [{ param, message }] });
}

/** A 404 for an `id` of no known `what`, such as a charge. When the id has the prefix of another kind, the message says so. */
export function notFound(what: string, id: string): ApiError {
  const message = `No such ${what} in this account and mode.`;
  const kind = kindOf(id);
  if (kind === null || what.includes(kind.replace(/^an? /, ""))) return new ApiError("not_found", { message });
  const raw = id.slice(id.indexOf("_") + 1);
  const other = { charge: `Its charge is ch_${raw}.`, payment: `Its payment is tx_${raw}.` }[what] ?? "";
  const isTwin = kind === "a charge" || kind === "a payment";
  const next = isTwin ? ` ${other}` : "";
  return new ApiError("not_found", { message: `${message} ${shortened(id)} is the id of ${kind}.${next}`.trimEnd() });
}

/** The error envelope of docs/service/errors.md#envelope. */
export interface ErrorEnvelope {
  readonly error: {
    readonly type: ErrorType;
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    readonly details?: readonly ErrorDetail[];
  };
  readonly request_id: string;
}

export function toEnvelope(error: ApiError, requestId: string): ErrorEnvelope {
  return {
    error: {
      type: ERROR_CATALOGUE[error.code].type,
      code: error.code,
      message: error.message,
      ...(error.param === undefined ? {} : { param: error.param }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    request_id: requestId,
  };
}
