import type { z } from "zod";
import type { Registry } from "../registry.js";

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

type Call<Id extends OperationId> =
  Partial<OperationInput<Id>> extends OperationInput<Id>
    ? (input?: OperationInput<Id>) => Promise<OperationAnswer<Id>>
    : (input: OperationInput<Id>) => Promise<OperationAnswer<Id>>;

/**
 * One method for each operation that speaks JSON, by its id: `client["charges.create"]({ body, idempotencyKey })`. A method resolves to
 * the parsed answer, and rejects with ServiceError. Amounts are integers in the smallest unit of the currency (centavos
 * for BRL). Times are ISO 8601 texts.
 */
export type Client = { readonly [Id in OperationId]: Call<Id> };
