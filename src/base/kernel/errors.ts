import { ID_PREFIX, type IdKind, KIND_NAMES, kindName, kindNames, kindOf, missingPrefix, rawId } from "./ids.js";
import { MAX_AMOUNT } from "./money.js";

/**
 * The error catalogue: every error code of the service with its status and type (docs/service/errors.md). The HTTP
 * layer, the CLI, the OpenAPI document and docs/ERRORS.md read it. The exit code of a command follows from the status
 * alone (src/programs/cli/terminal/exit-codes.ts).
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
  readonly message: string;
}

/** The types of refusals whose status has a type of its own. */
const TYPES: Readonly<Record<number, ErrorType>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  429: "rate_limit_error",
};

function catalogue<Code extends string>(
  table: Readonly<Record<Code, readonly [status: number, message: string]>>,
): Readonly<Record<Code, ErrorEntry>> {
  const entries = Object.entries<readonly [number, string]>(table).map(([code, [status, message]]) => {
    const type = TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
    return [code, { status, type, message }];
  });
  return Object.fromEntries(entries);
}

/** The largest body of a request, in bytes. */
export const MAX_BODY = 1_048_576;

export const ERROR_CATALOGUE = catalogue({
  invalid_request: [400, "The request is not valid."],
  invalid_amount: [400, `amount must be an integer number of centavos from 1 to ${MAX_AMOUNT}.`],
  unauthorized: [401, "The API key is missing or not valid. Send it in the apikey header."],
  origin_not_allowed: [
    403,
    "This server answers only requests to its own host, and none from a web page of another origin.",
  ],
  API_KEY_ROLE_REQUIRED: [403, "Only an OWNER or ADMIN of the account may issue, rotate and revoke API keys."],
  "fraud.customer_velocity_exceeded": [
    403,
    "This customer has reached the number of charges that the fraud guard allows within its time window.",
  ],
  "fraud.account_velocity_exceeded": [
    403,
    "This account has reached the number of charges that the fraud guard allows within its time window.",
  ],
  not_found: [404, "There is nothing under this address or id."],
  idempotency_key_reused: [
    409,
    "This idempotency key was already used with a different request body. Use a new key for a new request.",
  ],
  EVIDENCE_NOT_UPLOADED: [
    409,
    "The file has not arrived, or came too late. Upload it to the address of a fresh ticket first.",
  ],
  EVIDENCE_SIZE_MISMATCH: [409, "The file that arrived does not have the declared size."],
  payload_too_large: [413, `The request body is larger than ${MAX_BODY / 1_048_576} MiB.`],
  unsupported_media_type: [415, "The request body is encoded. Send it as it is, without Content-Encoding."],
  unprocessable_entity: [422, "The request is well formed but cannot be carried out."],
  REFUND_NOT_SUPPORTED: [422, "The provider of this payment method gives no refunds."],
  rate_limited: [
    429,
    "This API key has sent as many requests as it may within a minute. Wait as many seconds as Retry-After says.",
  ],
  headers_too_large: [431, "The headers of the request are larger than 16 KB."],
  internal_error: [500, "Something went wrong on our side. It is safe to try again with the same idempotency key."],
  service_unavailable: [503, "The service is stopping or cannot be reached. Try again with backoff."],
});

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
export function shorten(text: string, max: number = MAX_PARAM): string {
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
    const message = shorten(extras.message ?? ERROR_CATALOGUE[code].message, MAX_MESSAGE);
    super(message, extras.cause === undefined ? {} : { cause: extras.cause });
    this.param = extras.param === undefined ? undefined : shorten(extras.param);
    this.details = extras.details?.slice(0, MAX_DETAILS).map((detail) => ({
      param: shorten(detail.param),
      message: shorten(detail.message, MAX_MESSAGE),
    }));
    this.headers = extras.headers;
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }
}

/** A refusal because of one field. The envelope has the name of the field in `param` and in `details`. */
export function fieldError(
  param: string,
  message: string,
  code: ErrorCode = "invalid_request",
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  return new ApiError(code, {
    message: `${shorten(param)} ${message}`,
    param,
    details: [{ param, message }],
    headers,
  });
}

/** A refusal because of the state that an object is in. No field of the request is wrong, so it names none. */
export function stateError(message: string): ApiError {
  return new ApiError("invalid_request", { message });
}

/** A 404 for an `id` of no known object of these kinds, narrowed by `more`. It says when the id is of another kind. */
export function notFound(wanted: IdKind | readonly [IdKind, ...IdKind[]], id: string, more = ""): ApiError {
  const [first, ...others] = typeof wanted === "string" ? [wanted] : wanted;
  const message = `No such ${kindNames([first, ...others])}${more} in this account and mode.`;
  const whole = missingPrefix(first, id);
  if (whole !== null) return new ApiError("not_found", { message: `${message} The id needs its prefix: ${whole}.` });
  const kind = kindOf(id);
  if (kind === null || kind === first || others.includes(kind)) return new ApiError("not_found", { message });
  const isTwin = kind === "charge" || kind === "transaction";
  const hasTwin = first === "charge" || first === "transaction";
  const twin = `Its ${kindName(first)} is ${ID_PREFIX[first]}${id.slice(id.indexOf("_") + 1)}.`;
  const explanation = `${message} ${shorten(id)} is the id of ${KIND_NAMES[kind].one}.`;
  return new ApiError("not_found", { message: isTwin && hasTwin ? `${explanation} ${twin}` : explanation });
}

/**
 * Returns what an id of these kinds names, with `isBare` also an id without its prefix. Throws a 404 for a malformed and for an
 * unknown id; `more` is as in `notFound`.
 */
export function rowById<Row>(
  wanted: IdKind | readonly [IdKind, ...IdKind[]],
  id: string,
  find: (raw: string) => Row | null,
  { isBare = false, more = "" }: { readonly isBare?: boolean; readonly more?: string } = {},
): Row {
  const kinds = typeof wanted === "string" ? [wanted] : wanted;
  const raw = rawId(id, ...kinds.map((kind) => ID_PREFIX[kind]), ...(isBare ? [""] : []));
  const row = raw === null ? null : find(raw);
  if (row === null) throw notFound(wanted, id, more);
  return row;
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
