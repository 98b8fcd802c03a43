import type { z } from "zod";
import type { ErrorCode } from "./errors.js";

/**
 * The declaration of one operation. The router, the validation, the OpenAPI document, the typed client, the command of the
 * CLI and the documents are derived from it. `defineOperation` (src/features/operation.ts) adds the handler.
 */
export interface Contract<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
  Id extends string = string,
  Key extends IdempotencyRule = IdempotencyRule,
> {
  /** `noun.verb`, unique; also the OpenAPI operationId and the name in the typed client. */
  readonly id: Id;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** Other paths of the same operation, with the same parameters. */
  readonly aliases?: readonly string[];
  /**
   * `key`: an API key in the apikey header (docs/service/keys.md#api-keys). `jwt`: the token of a dashboard user as a
   * bearer token (docs/service/keys.md#login). `none`: no authentication.
   */
  readonly auth: "key" | "jwt" | "none";
  /** For `jwt`: the roles that may call the operation; every role when left out. */
  readonly roles?: readonly UserRole[];
  /** `api` is the service of the contract; `sandbox` is the emulator's own control interface. */
  readonly surface: "api" | "sandbox";
  /** A few words, for lists of operations and the help of the command line. */
  readonly summary: string;
  /** Sentences for the reference: what the operation does and changes, which events follow, what it refuses. */
  readonly description: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body of the request is a file, and no JSON. */
  readonly upload?: FileBody;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    readonly schema: Answer;
    /** The media type of an answer that is a file, and no JSON. */
    readonly file?: string;
  };
  /** Refusals of this operation. Refusals that many operations share follow from the contract (`sharedErrors`). */
  readonly errors: readonly ErrorCode[];
  /** Present when every call needs an idempotency key. */
  readonly idempotency?: Key;
  /** Served only when the server was started with `--preview <name>`; until then the route answers 404. */
  readonly preview?: Preview;
  /**
   * The operation also answers `Accept: text/event-stream`, with this log as a live stream. `everything` is streamed unless
   * the request accepts JSON only.
   */
  readonly stream?: "requests" | "events" | "everything";
  /** Fields of the request or answer that the request log must never show. */
  readonly secrets?: readonly string[];
  readonly cli?: CliFace;
}

/** A file as the body of a request. */
export interface FileBody {
  /** Its media type. A request without a type is accepted as well. */
  readonly type: string;
  readonly maxBytes: number;
}

/** Whether the body or the answer of an operation is a file. */
export function isFileOperation({ upload, success }: Pick<Contract, "upload" | "success">): boolean {
  return upload !== undefined || success.file !== undefined;
}

/** Routes of the contract that are not released yet, by the name under which `--preview` serves them. */
export const PREVIEWS = ["charge-list"] as const;
export type Preview = (typeof PREVIEWS)[number];

export function isPreview(name: unknown): name is Preview {
  return PREVIEWS.some((known) => known === name);
}

export const USER_ROLES = ["OWNER", "ADMIN", "MEMBER"] as const;
/** The role of a dashboard user in the account (docs/service/keys.md#users-and-roles). */
export type UserRole = (typeof USER_ROLES)[number];

/** Where the idempotency key of a call is: in the body field `field`, or else in the header Idempotency-Key. */
export interface IdempotencyRule {
  readonly kind: IdempotencyKind;
  readonly field?: string;
  /** Body members that the path implies. A request that sends them equals a request to that path that does not. */
  readonly implied?: Readonly<Record<string, string>>;
}

/** Idempotency keys are scoped to account, mode and kind (docs/service/idempotency.md#keys). */
export type IdempotencyKind = "charge" | "payment" | "refund";

export type CellFormat = "text" | "charge" | "money" | "time" | "status" | "list" | "volumes" | "entries";

export interface CliColumn {
  readonly header: string;
  /** Dotted path into one row of the answer. */
  readonly path: string;
  /** Other paths, for rows without a value at the first one. */
  readonly or?: readonly string[];
  readonly format?: CellFormat;
  /** Left out of a table that would otherwise be wider than the screen. */
  readonly ifWide?: true;
}

export interface CliTable {
  readonly rows: string;
  readonly columns: readonly CliColumn[];
}

/** An operation as a command of the CLI. Ids are positional arguments, every other field is a flag. */
export interface CliFace {
  /** Words after `qa-pay`, for example `charges create`. */
  readonly command: string;
  /** Set when `command` is the command of another operation, and this flag makes it call this one instead. */
  readonly variant?: { readonly flag: string; readonly about: string };
  /** A field of the body or the query that may be given as an argument instead of a flag. */
  readonly argument?: string;
  /** Complete command lines, shown by `--help`. */
  readonly examples: readonly string[];
  /** For an answer that is a list: the member with the rows, such as `data`; empty when the answer itself is the array. */
  readonly rows?: string;
  /** The columns that a person sees. `--json` always prints the whole answer. */
  readonly columns: readonly CliColumn[];
  /** For an answer that is an object with a list: the member with the list, shown as a table below the object. */
  readonly below?: CliTable;
  /** For an answer with a file: the field that holds it in base64, and the name of the file; `{id}` is the id of the path. */
  readonly file?: { readonly base64: string; readonly name: string };
  /** Advice on what to do next, after a success. `{path}` is replaced by that member of the answer. */
  readonly next?: string;
  /** An explanation for people, when the member at `path` of the answer has this value. `{path}` is replaced as in `next`. */
  readonly explains?: { readonly path: string; readonly value: string; readonly text: string };
  /** Fields of which at least one must be given, although none of them is required alone. */
  readonly oneOf?: readonly string[];
  /** For a list: a member of the answer with a remark for people, or null. */
  readonly note?: string;
  /** A member of the answer that is true or false. When it is false, the command shows the answer and ends with exit 1. */
  readonly verdict?: string;
  /** How many milliseconds the answer may take, when half a minute is too short. */
  readonly timeoutMs?: number;
  /** Fields that a person at a terminal is asked for when no flag is given, and how; amounts may be written as prices. */
  readonly asks?: Readonly<Record<string, string>>;
  /** A list that a person also sees, under `title`, once the answer has a value at `when`. The list has the same ids. */
  readonly also?: { readonly title: string; readonly list: string; readonly when: string };
  /** A person at a terminal also sees how the object came to be, and the code that it is paid with. */
  readonly picture?: true;
  /** The answer is a timeline, which a person sees as a tree. `--follow` goes on with what happens. */
  readonly timeline?: true;
  /** Fields of the body that the command sends so when their flags are not given. */
  readonly defaults?: Readonly<Record<string, boolean>>;
  /** A sentence that says what is lost. Before it sends, the command asks the person at a terminal. */
  readonly confirms?: string;
}

/** Whether a rate limit applies to the calls of an operation, if the server was started with one. */
export function isRateLimited({ auth, surface }: Contract): boolean {
  return auth === "key" && surface === "api";
}

/** The refusals that follow from other members of a contract, so that its `errors` need not repeat them. */
export function sharedErrors(contract: Contract): ErrorCode[] {
  // service_unavailable: while the server stops, and when a proxy cannot reach it (docs/service/errors.md#codes).
  const codes: ErrorCode[] = ["origin_not_allowed", "internal_error", "service_unavailable"];
  if (contract.auth !== "none") codes.push("unauthorized");
  if (contract.roles !== undefined) codes.push("API_KEY_ROLE_REQUIRED");
  if (isRateLimited(contract)) codes.push("rate_limited");
  // A body is read with every method that may have one, and refused when it is too large or not valid text.
  if (contract.method !== "GET") codes.push("invalid_request", "payload_too_large");
  else if (contract.query !== undefined) codes.push("invalid_request");
  if (contract.params !== undefined || contract.preview !== undefined) codes.push("not_found");
  if (contract.idempotency !== undefined) codes.push("idempotency_key_reused");
  return [...new Set(codes)];
}
