import type { z } from "zod";
import type { Registry } from "../registry.js";

/** The types of the client, taken from the contracts themselves: there is nothing to generate and nothing to go stale. */

type AnyContract = Registry[number]["contract"];

export type OperationId = AnyContract["id"];

type ContractOf<Id extends OperationId> = Extract<AnyContract, { readonly id: Id }>;

/** One part of an input under its name: left out when the contract has no such part, optional when it may be empty. */
type Part<Name extends string, Schema> = [Schema] extends [never]
  ? unknown
  : Schema extends z.ZodType
    ? // A schema without any field takes any name and no value.
      string extends keyof z.input<Schema>
      ? unknown
      : Partial<z.input<Schema>> extends z.input<Schema>
        ? { readonly [K in Name]?: z.input<Schema> }
        : { readonly [K in Name]: z.input<Schema> }
    : unknown;

/** A key that is a field of the body is asked for there. */
type KeyPart<Key> = [Key] extends [never]
  ? unknown
  : Key extends { readonly field: string }
    ? unknown
    : { readonly idempotencyKey: string };

type InputOf<C extends AnyContract> = Part<"params", NonNullable<C["params"]>> &
  Part<"query", NonNullable<C["query"]>> &
  Part<"body", NonNullable<C["body"]>> &
  KeyPart<NonNullable<C["idempotency"]>>;

/** What an operation takes: `params` of its path, `query`, `body`, and `idempotencyKey` where the service asks for one. */
export type OperationInput<Id extends OperationId> = InputOf<ContractOf<Id>>;

/** What an operation answers; undefined where there is no content. */
export type OperationAnswer<Id extends OperationId> = z.output<ContractOf<Id>["success"]["schema"]>;

type Call<Id extends OperationId> =
  Partial<OperationInput<Id>> extends OperationInput<Id>
    ? (input?: OperationInput<Id>) => Promise<OperationAnswer<Id>>
    : (input: OperationInput<Id>) => Promise<OperationAnswer<Id>>;

/**
 * One method per operation, under its id: `client["charges.create"]({ body, idempotencyKey })`. It resolves to the parsed
 * answer and rejects with ServiceError. Amounts are whole numbers of the smallest unit (centavos), times are ISO 8601.
 */
export type Client = { readonly [Id in OperationId]: Call<Id> };
