import type { z } from "zod";
import type { ErrorCode } from "./errors.js";

/** The members that the declaration and the contract of an operation share. */
interface Declared<
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Answer extends z.ZodType,
  Id extends string,
  Key extends IdempotencyRule,
> {
  /** `noun.verb`, unique; also the OpenAPI operationId and the name in the typed client. */
  readonly id: Id;
  /** Other paths of the same operation, with the same parameters. */
  readonly aliases?: readonly string[];
  /**
   * `key`: an API key in the apikey header (docs/service/keys.md#api-keys). `jwt`: the token of a dashboard user as a
   * bearer token (docs/service/keys.md#login). `none`: no authentication. `key` when left out.
   */
  readonly auth?: "key" | "jwt" | "none";
  /** For `jwt`: the roles that may call the operation; every role when left out. */
  readonly roles?: readonly UserRole[];
  /** A few words, for lists of operations and the help of the command line. */
  readonly summary: string;
  /** Sentences for the reference: the effects of the operation, its events, its refusals. */
  readonly description: string;
  readonly query?: Query;
  readonly body?: Body;
  readonly upload?: FileBody;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    readonly schema: Answer;
    /** The media type of an answer that is a file, and no JSON. */
    readonly file?: string;
  };
  /** Refusals of this operation. Refusals that many operations share follow from the contract (`sharedErrors`). */
  readonly errors?: readonly ErrorCode[];
  /** Present when every call needs an idempotency key. */
  readonly idempotency?: Key;
  /** Served only when the server was started with `--preview <name>`; until then the route answers 404. */
  readonly preview?: Preview;
  /**
   * The question of the command line before it sends the request with a live key or to another machine, in plain words: `Refund
   * {refund} to {customerName}?`. It shows the first text whose `{members}` are all known. They are members of the body, of the
   * object at `asksAbout`, and parameters of the path; a number is shown as money. `{refund}` is the amount of a refund; the
   * names for earlier ones are in `src/programs/cli/questions/refund-question.ts`.
   */
  readonly questions?: readonly [string, ...string[]];
  /** The path of a GET that returns the object of the questions, or a list in which it is. */
  readonly asksAbout?: string;
  /** A sentence that names the permanent loss. */
  readonly loses?: string;
  /** How many milliseconds the answer may take, when half a minute is too short. */
  readonly timeoutMs?: number;
  /** Answers `Accept: text/event-stream` live, too; `everything` is streamed unless the request accepts JSON only. */
  readonly stream?: "requests" | "events" | "everything";
  /** Fields of the request or answer that the request log must never show. */
  readonly secrets?: readonly string[];
}

export const OPERATION_METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
/** Those of files too: PUT uploads one. */
export const METHODS = [...OPERATION_METHODS, "PUT"] as const;
type Method = (typeof METHODS)[number];

/** The schema of the parameters in a path, all of them texts; never for a path without parameters. */
export type ParamsOf<Route extends string> = [ParamName<Route>] extends [never]
  ? never
  : z.ZodObject<{ [Name in ParamName<Route>]: z.ZodString }>;

type ParamName<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;

/**
 * The declaration of one operation. The router, the validation, the OpenAPI document, the typed client, the command of the
 * CLI and the documents are derived from it. `defineOperation` (src/service/features/operation.ts) adds what is left out, and the
 * handler.
 */
export interface Declaration<
  Route extends `${Method} /${string}` = `${Method} /${string}`,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
  Id extends string = string,
  Key extends IdempotencyRule = IdempotencyRule,
> extends Declared<Query, Body, Answer, Id, Key> {
  /** The method and the path, with `{name}` for a parameter. Any text is accepted there: a malformed id is a 404. */
  readonly route: Route;
  /** Without `command` its words are those of the id, and without `examples` it is shown with its arguments alone. */
  readonly cli?: Omit<CliContract, "command" | "examples" | "rows"> &
    Partial<Pick<CliContract, "command" | "examples">>;
}

export interface Contract<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
  Id extends string = string,
  Key extends IdempotencyRule = IdempotencyRule,
> extends Declared<Query, Body, Answer, Id, Key> {
  readonly method: Method;
  readonly path: string;
  readonly params?: Params;
  readonly auth: "key" | "jwt" | "none";
  /** `api` is the service of the contract; `sandbox` is the emulator's own control interface, all paths under `/_sandbox`. */
  readonly surface: "api" | "sandbox";
  readonly errors: readonly ErrorCode[];
  readonly cli?: CliContract;
}

export interface FileBody {
  /** Its media type. A request without a type is accepted as well. */
  readonly type: string;
  readonly maxBytes: number;
}

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

/** The place of a call's idempotency key: the body field `field`, or else the header Idempotency-Key. */
export interface IdempotencyRule {
  readonly kind: IdempotencyKind;
  readonly field?: string;
  /** Body members that the path implies. A request that sends them equals a request to that path that does not. */
  readonly implied?: Readonly<Record<string, string>>;
}

/** Idempotency keys are scoped to account, mode and kind (docs/service/idempotency.md#keys). */
export const IDEMPOTENCY_KINDS = ["charge", "payment", "refund"] as const;
export type IdempotencyKind = (typeof IDEMPOTENCY_KINDS)[number];

export type CellFormat =
  | "document"
  | "text"
  | "charge"
  | "payment"
  | "money"
  | "time"
  | "status"
  | "list"
  | "volumes"
  | "entries";

export interface CliColumn {
  readonly header: string;
  readonly path: string;
  /** Other paths, for rows without a value at the first one. */
  readonly or?: readonly string[];
  readonly format?: CellFormat;
  /** Left out of a table that would otherwise be wider than the screen. */
  readonly ifWide?: true;
  /** Never cut: the end of the text is as important as its beginning. */
  readonly isWhole?: true;
}

/**
 * Columns as a contract lists them: `id as Refund, status, destination.pix_key as To`. A column is a path into one row; its
 * format follows from the schema of the answer, and its head from its name unless one is written
 * (src/service/openapi/columns.ts). An object adds further settings.
 */
export type ColumnList = string | readonly (string | ListedColumn)[];

export interface ListedColumn extends Omit<CliColumn, "header"> {
  readonly header?: string;
  /** In an answer to another request, which the command shows with this one. */
  readonly isBeside?: true;
}

export interface CliTable<Columns = ColumnList> {
  readonly rows: string;
  readonly columns: Columns;
}

/**
 * An operation as a command of the CLI. Ids are positional arguments, every other field is a flag. Further features of a single
 * command are in its module in src/programs/cli/commands.
 */
export interface CliContract {
  /** Words after `qa-pay`, for example `charges create`. */
  readonly command: string;
  /** Set when the command may be used without `argument`. */
  readonly mayLackArgument?: true;
  /** Set when `command` is the command of another operation, and this flag makes it call this one instead. */
  readonly variant?: { readonly flag: string; readonly about: string };
  /** A field of the body or the query that may be an argument instead of a flag. */
  readonly argument?: string;
  /** A field of the body, in seconds, that `argument` sets in place of its own field when it is a length of time: `30m`. */
  readonly argumentSpan?: string;
  /** Complete command lines, shown by `--help`. */
  readonly examples: readonly string[];
  /** For an answer that is a list: the member with the rows, such as `data`; empty when the answer itself is the array. */
  readonly rows?: string;
  /** The columns that a person sees. `--json` always prints the whole answer. */
  readonly columns: ColumnList;
  /** For an answer that is an object with a list: the member with the list, shown as a table below the object. */
  readonly below?: CliTable;
  /** Advice about the next step, after a success. `{path}` is replaced by that member of the answer. */
  readonly next?: string;
  /** Fields of which at least one must be set, although none of them is required alone. */
  readonly oneOf?: readonly string[];
  /** The values that the command sends for fields of the body without their flags. */
  readonly defaults?: Readonly<Record<string, boolean>>;
}

/** True if a rate limit applies to the calls of an operation, if the server was started with one. */
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
  // A body is read with every method that may have one, and refused when it is too large, encoded or not valid text.
  if (contract.method !== "GET") codes.push("invalid_request", "payload_too_large", "unsupported_media_type");
  else if (contract.query !== undefined) codes.push("invalid_request");
  if (contract.params !== undefined || contract.preview !== undefined) codes.push("not_found");
  if (contract.idempotency !== undefined) codes.push("idempotency_key_reused");
  return [...new Set(codes)];
}
