import type { z } from "zod";
import type { Registry } from "../registry.js";
import type { Signal } from "./platform.js";

/** The types of the client. They are derived from the contracts, so no code must be generated or kept up to date. */

type AnyContract = Registry[number]["contract"];

/** The operations whose body or answer is a file. The client, which speaks JSON, has no method for them. */
export type FileOperationId = "sandbox.snapshots.export" | "sandbox.snapshots.import";

export type OperationId = Exclude<AnyContract["id"], FileOperationId>;

type ContractOf<Id extends OperationId> = Extract<AnyContract, { readonly id: Id }>;

/** One part of an input. It is absent when the contract has no such part, and optional when all its fields are. */
type Part<Name extends string, Schema> = [Schema] extends [never]
  ? unknown
  : Schema extends z.ZodType
    ? // The input type of a schema without fields has `string` as its key.
      string extends keyof z.input<Schema>
      ? unknown
      : Partial<z.input<Schema>> extends z.input<Schema>
        ? { readonly [K in Name]?: z.input<Schema> }
        : { readonly [K in Name]: z.input<Schema> }
    : unknown;

/** The idempotency key as a part of the input. When it is a field of the body, `body` has it instead. */
type KeyPart<Key> = [Key] extends [never]
  ? unknown
  : Key extends { readonly field: string }
    ? unknown
    : { readonly idempotencyKey: string };

type InputOf<C extends AnyContract> = Part<"params", NonNullable<C["params"]>> &
  Part<"query", NonNullable<C["query"]>> &
  Part<"body", NonNullable<C["body"]>> &
  KeyPart<NonNullable<C["idempotency"]>>;

/** The input of an operation: `params` of the path, `query`, `body`, and `idempotencyKey` when it is required. */
export type OperationInput<Id extends OperationId> = InputOf<ContractOf<Id>>;

/** The answer of an operation; undefined when the answer has no content. */
export type OperationAnswer<Id extends OperationId> = z.output<ContractOf<Id>["success"]["schema"]>;

/** The options of every call beside the input of its operation. */
export interface CallOptions {
  /** Ends the call, also between two tries. The call rejects with the reason of the signal. */
  readonly signal?: Signal | undefined;
}

type Call<Id extends OperationId> =
  Partial<OperationInput<Id>> extends OperationInput<Id>
    ? (input?: OperationInput<Id> & CallOptions) => Promise<OperationAnswer<Id>>
    : (input: OperationInput<Id> & CallOptions) => Promise<OperationAnswer<Id>>;

/** The object type of a list; `never` for an answer that is no list. */
type ItemOf<Answer> = Answer extends readonly (infer Item)[]
  ? Item
  : Answer extends { data: readonly (infer Item)[] }
    ? Item
    : never;

/** The operations that list objects. */
export type ListOperationId = {
  [Id in OperationId]: [ItemOf<OperationAnswer<Id>>] extends [never] ? never : Id;
}[OperationId];

/** An object of the list that an operation answers. */
export type ListItem<Id extends ListOperationId> = ItemOf<OperationAnswer<Id>>;

type Pages = <Id extends ListOperationId>(
  id: Id,
  ...input: Partial<OperationInput<Id>> extends OperationInput<Id>
    ? [input?: OperationInput<Id> & CallOptions]
    : [input: OperationInput<Id> & CallOptions]
) => AsyncGenerator<ListItem<Id>, void, undefined>;

/**
 * One method for each operation that speaks JSON, by its id: `client["charges.create"]({ body, idempotencyKey })`. A
 * method resolves to the parsed answer, and rejects with ServiceError. Amounts are integers in the smallest unit of the
 * currency (centavos for BRL). Times are ISO 8601 texts.
 */
export type Client = { readonly [Id in OperationId]: Call<Id> } & {
  /**
   * Yields all objects of a list, page by page: `for await (const charge of client.pages("payments.list"))`. `limit` of
   * the query is the size of a page. Rejects like the method of the operation.
   *
   * @throws TypeError for an operation that does not list objects.
   */
  readonly pages: Pages;
};
