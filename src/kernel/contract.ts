import type { z } from "zod";
import type { ErrorCode } from "./errors.js";

/**
 * The declaration of one operation. Router, validation, OpenAPI document, typed client, CLI subcommand and their docs
 * are all derived from it; a handler is attached by `defineOperation` (src/features/operation.ts).
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
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** Other paths of the same operation, with the same parameters. */
  readonly aliases?: readonly string[];
  /**
   * `key`: the apikey header (contract, section 5.1). `jwt`: the token of a dashboard user as a bearer (5.4). `none`:
   * anyone.
   */
  readonly auth: "key" | "jwt" | "none";
  /** Roles that may call it, for `jwt`; every user when left out. */
  readonly roles?: readonly UserRole[];
  /** `api` is the service of the contract; `sandbox` is the emulator's own control interface. */
  readonly surface: "api" | "sandbox";
  /** A few words, for lists of operations and the help of the command line. */
  readonly summary: string;
  /** Sentences for whoever reads the reference: what it does and changes, which events follow, what it refuses. */
  readonly description: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly success: { readonly status: 200 | 201 | 204; readonly description: string; readonly schema: Answer };
  /** Refusals of this operation beyond those every operation shares (see `sharedErrors`). */
  readonly errors: readonly ErrorCode[];
  /** Every call needs an idempotency key. */
  readonly idempotency?: Key;
  /** Served only when the server was started with `--preview <name>`; until then the route answers 404. */
  readonly preview?: Preview;
  /** Also answers `Accept: text/event-stream` with this feed, live. */
  readonly stream?: "requests" | "events";
  /** Fields of the request or answer that must never reach the request log. */
  readonly secrets?: readonly string[];
  readonly cli?: CliFace;
}

/** Routes of the contract that are not released yet, by the name under which `--preview` serves them. */
export const PREVIEWS = ["charge-list"] as const;
export type Preview = (typeof PREVIEWS)[number];

export function isPreview(name: unknown): name is Preview {
  return PREVIEWS.some((known) => known === name);
}

export const USER_ROLES = ["OWNER", "ADMIN", "MEMBER"] as const;
/** What a dashboard user is to the account (contract, section 5.5). */
export type UserRole = (typeof USER_ROLES)[number];

/** Where the key of a call is: in the header Idempotency-Key, or in a field of the body. */
export interface IdempotencyRule {
  readonly kind: IdempotencyKind;
  readonly field?: string;
  /** Members of the body that the path stands for: two requests are equal when one sends them and the other need not. */
  readonly implied?: Readonly<Record<string, string>>;
}

/** Idempotency keys are scoped to account, mode and kind (decisions on idempotency). */
export type IdempotencyKind = "charge" | "payment" | "refund";

export type CellFormat = "text" | "money" | "time" | "status" | "list" | "volumes";

export interface CliColumn {
  readonly header: string;
  /** Dotted path into one row of the answer. */
  readonly path: string;
  readonly format?: CellFormat;
}

/** The face of an operation on the command line. Ids are positional arguments, every other field is a flag. */
export interface CliFace {
  /** Words after `qa-pay`, for example `charges create`. */
  readonly command: string;
  /** A field of the body that is an argument behind the words; its flag works too. */
  readonly argument?: string;
  /** Complete command lines, shown by `--help`. */
  readonly examples: readonly string[];
  /** Where the rows are, for an answer that is a list: `data`, or empty for a bare array. */
  readonly rows?: string;
  /** What a person sees; `--json` always prints the whole answer. */
  readonly columns: readonly CliColumn[];
  /** The answer carries a file: its field in base64, and what to call it; `{id}` is the path's. */
  readonly file?: { readonly base64: string; readonly name: string };
  /** What to do next, for a person, after a success; `{path}` is replaced from the answer. */
  readonly next?: string;
  /** Fields of which at least one must be given, for what needs no single one of them. */
  readonly oneOf?: readonly string[];
  /** Milliseconds that the answer may take, where half a minute is too short. */
  readonly timeoutMs?: number;
  /** Fields that a person at a terminal is asked for when no flag is given, and how; amounts may be written as prices. */
  readonly asks?: Readonly<Record<string, string>>;
  /** A person at a terminal also sees how the object came to be, and the code that it is paid with. */
  readonly picture?: true;
  /** Fields of the body that the command sends so when their flags are not given. */
  readonly defaults?: Readonly<Record<string, boolean>>;
  /** A sentence that says what is lost. Before it sends, the command asks the person at a terminal. */
  readonly confirms?: string;
}

/** Whether a call uses up the quota of its API key, when the server was started with one. */
export function isRateLimited({ auth, surface }: Contract): boolean {
  return auth === "key" && surface === "api";
}

/** Refusals that follow from the flags of a contract and are therefore not repeated in its `errors`. */
export function sharedErrors(contract: Contract): ErrorCode[] {
  // 503 while the server stops, and where something in front of it is away (section 7.2).
  const codes: ErrorCode[] = ["origin_not_allowed", "internal_error", "service_unavailable"];
  if (contract.auth !== "none") codes.push("unauthorized");
  if (contract.roles !== undefined) codes.push("API_KEY_ROLE_REQUIRED");
  if (isRateLimited(contract)) codes.push("rate_limited");
  // Whatever is sent with a method that may have a body is read, and refused when it is too large or no text.
  if (contract.method !== "GET") codes.push("invalid_request", "payload_too_large");
  else if (contract.query !== undefined) codes.push("invalid_request");
  if (contract.params !== undefined || contract.preview !== undefined) codes.push("not_found");
  if (contract.idempotency !== undefined) codes.push("idempotency_key_reused");
  return [...new Set(codes)];
}
