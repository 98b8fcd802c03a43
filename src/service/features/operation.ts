import * as z from "zod";
import type { Cause } from "../../base/kernel/cause.js";
import type {
  CliContract,
  Contract,
  Declaration,
  IdempotencyRule,
  ParamsOf,
  UserRole,
} from "../../base/kernel/contract.js";
import { identifiersIn, prefixesOf } from "../../base/kernel/nouns.js";
import type { Mode } from "./access/catalogue.js";
import type { Reader, Tx } from "./tx.js";

/** The caller of an operation: the account and mode of its API key. A user has no mode and acts in the test book. */
export interface Caller {
  readonly bookId: number;
  readonly accountId: string;
  readonly mode: Mode;
  /** The user behind a token; null for a caller with an API key and for an anonymous caller. */
  readonly user: CallingUser | null;
}

export interface CallingUser {
  readonly id: string;
  readonly role: UserRole;
  readonly tokenId: string;
  /** Emulated milliseconds. */
  readonly tokenExpiresAt: number;
}

/** The user of an operation that only users may call. */
export function callingUser({ user }: Caller): CallingUser {
  if (user === null) throw new Error("this operation is for users who are logged in");
  return user;
}

/** The handler of an operation receives an empty object for a part that the contract does not declare. */
type Parsed<Schema> = [Schema] extends [never]
  ? Record<string, never>
  : Schema extends z.ZodType
    ? z.output<Schema>
    : Record<string, never>;

export interface Input<P, Q, B> {
  readonly caller: Caller;
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  /** The cause that the history records for all changes of this request. */
  readonly cause: Cause;
}

/** An answer that is JSON text already. */
export class JsonText {
  constructor(readonly json: string) {}
}

/** JSON text that is also the data of an event. An idempotency record refers to the event and stores no second copy. */
export class StoredAnswer extends JsonText {
  constructor(
    json: string,
    readonly eventSeq: number,
  ) {
    super(json);
  }
}

/** Writes the uploaded file of a request to a path. Throws ApiError when it is too large, or ends early. */
export type SaveUpload = (path: string) => Promise<void>;

/** A file that is read once, and closed. */
export interface OpenFile {
  readonly descriptor: number;
  /** Bytes. */
  readonly size: number;
  close(): void;
}

export interface FileAnswer {
  /** The name under which a browser saves it: letters, digits, dots, hyphens and underscores. */
  readonly name: string;
  readonly content: OpenFile;
}

type Read<A> = A | JsonText | Promise<A | JsonText>;

/** A request whose parts were checked against the contract; only its handler knows their types. */
export interface CheckedInput {
  readonly caller: Caller;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly cause: Cause;
}

/**
 * The handler of an operation as the router calls it. `defineOperation` checks the types of each handler against its
 * contract; the router parses each request with the same contract, so that the types are not needed there.
 */
export type Execution<Controls = never> =
  | { readonly kind: "read"; handle(input: CheckedInput, reader: Reader): unknown }
  | { readonly kind: "write"; handle(input: CheckedInput, tx: Tx): unknown }
  | { readonly kind: "control"; handle(input: CheckedInput, controls: Controls): unknown }
  | { readonly kind: "receive"; handle(input: CheckedInput, controls: Controls, save: SaveUpload): Promise<unknown> }
  | { readonly kind: "send"; handle(input: CheckedInput, controls: Controls): Promise<FileAnswer> };

export interface Operation<C extends Contract = Contract, Controls = never> {
  /** Keeps the type of every schema: the typed client is derived from it. */
  readonly contract: C;
  readonly execution: Execution<Controls>;
}

interface Definition<P, Q, B, A, C extends Contract> {
  /** Answers from stored data and changes nothing. */
  read(handle: (input: Input<P, Q, B>, reader: Reader) => Read<A>): Operation<C>;
  /** Runs in one unit of work, together with the claim of the idempotency key. */
  write(handle: (input: Input<P, Q, B>, tx: Tx) => A | StoredAnswer): Operation<C>;
  /** Changes or shows the emulator itself. The type of `controls` names the part of it that the handler needs. */
  control<Controls>(handle: (input: Input<P, Q, B>, controls: Controls) => A | Promise<A>): Operation<C, Controls>;
  /** The same, with the uploaded file of the request (`upload`). */
  receive<Controls>(
    handle: (input: Input<P, Q, B>, controls: Controls, save: SaveUpload) => Promise<A>,
  ): Operation<C, Controls>;
  /** The same, and answers a file (`success.file`). */
  send<Controls>(handle: (input: Input<P, Q, B>, controls: Controls) => Promise<FileAnswer>): Operation<C, Controls>;
}

/** The member of an answer with the rows of a list: empty for a bare array, undefined for an answer that is no list. */
function rowsOf(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodArray) return "";
  return schema instanceof z.ZodObject && schema.shape.data instanceof z.ZodArray ? "data" : undefined;
}

/** A command with facts from its operation: its words, an example with the path's ids, the place of its rows. */
function cliContractOf(
  { id, success }: Pick<Contract, "id" | "success">,
  ids: ReturnType<typeof identifiersIn>,
  declared: NonNullable<Declaration["cli"]>,
): CliContract {
  const rows = rowsOf(success.schema);
  const command = declared.command ?? id.replaceAll(".", " ");
  const given = ids.map(({ segment }) => `${prefixesOf(segment)[0]}0198…`);
  const examples = [["qa-pay", command, ...given].join(" ")];
  return { command, examples, ...(rows !== undefined && { rows }), ...declared };
}

/** Takes the contract first and the handler second, so that the handler's types follow from the contract. */
export function defineOperation<
  const Id extends string,
  const Route extends Declaration["route"],
  Q extends z.ZodObject = never,
  B extends z.ZodObject = never,
  A extends z.ZodType = z.ZodType,
  Key extends IdempotencyRule = never,
>({
  route,
  cli,
  ...declared
}: Declaration<Route, Q, B, A, Id, Key>): Definition<
  ParamsOf<Route>,
  Q,
  B,
  z.input<A>,
  Contract<ParamsOf<Route>, Q, B, A, Id, Key>
> {
  const [method, path] = route.split(" ") as [Contract["method"], string];
  const ids = identifiersIn(path);
  const params = z.object(Object.fromEntries(ids.map(({ name }) => [name, z.string()]))) as ParamsOf<Route>;
  const contract: Contract<ParamsOf<Route>, Q, B, A, Id, Key> = {
    method,
    path,
    auth: "key",
    errors: [],
    surface: path.startsWith("/_sandbox") ? "sandbox" : "api",
    ...(ids.length === 0 ? {} : { params }),
    ...declared,
    ...(cli && { cli: cliContractOf(declared, ids, cli) }),
  };
  return {
    read: (handle) => ({ contract, execution: { kind: "read", handle } }),
    write: (handle) => ({ contract, execution: { kind: "write", handle } }),
    control: (handle) => ({ contract, execution: { kind: "control", handle } }),
    receive: (handle) => ({ contract, execution: { kind: "receive", handle } }),
    send: (handle) => ({ contract, execution: { kind: "send", handle } }),
  };
}
