import { createHash } from "node:crypto";
import type { UnitOfWork } from "../db/unit-of-work.js";
import { type AnyOperation, type Caller, type Controls, JsonText, StoredAnswer } from "../features/operation.js";
import type { Reader, Tx } from "../features/tx.js";
import type { IdempotencyRule } from "../kernel/contract.js";
import { ApiError, fieldError } from "../kernel/errors.js";
import { canonicalJson } from "../kernel/json.js";
import { parseJsonObject, readBody } from "./body.js";
import { type Answer, type Exchange, header, jsonAnswer } from "./exchange.js";
import { bodyParser, queryParser } from "./validation.js";

export interface HandlerParts {
  readonly uow: UnitOfWork<Tx>;
  readonly reader: () => Reader;
  readonly controls: Controls;
}

/** Answers one request of one operation for an authenticated caller. `received` is told the body for the request log. */
export type OperationHandler = (
  exchange: Exchange,
  caller: Caller,
  params: Record<string, string>,
  received: (body: string) => void,
) => Answer | Promise<Answer>;

interface Claim {
  readonly key: string;
  readonly hash: string;
}

function headerKey(exchange: Exchange): string {
  const key = header(exchange.request, "idempotency-key");
  if (key === undefined || key === "") {
    throw fieldError("Idempotency-Key", "is required: send a unique key of 8 to 128 characters with every new request");
  }
  if (key.length < 8 || key.length > 128) throw fieldError("Idempotency-Key", "must have 8 to 128 characters");
  return key;
}

/**
 * The key of this call with what it stands for: the body, and the object of the path. An id counts without its prefix,
 * as both its forms name the same payment.
 */
function claimOf(
  { field }: IdempotencyRule,
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
  body: Record<string, unknown>,
): Claim {
  const subject = Object.values(params).map((id) => id.replace(/^tx_/, ""));
  const request = canonicalJson(subject.length === 0 ? body : { body, subject });
  const key = field === undefined ? headerKey(exchange) : String(body[field]);
  return { key, hash: createHash("sha256").update(request).digest("base64url") };
}

/** A handler's input before its types are known again. */
type AnyInput = Parameters<AnyOperation["execution"]["handle"]>[0];

/** Runs a write as one unit of work, in which its idempotency key is looked up, and claimed with the answer. */
function runWrite(
  { contract, execution }: AnyOperation,
  { uow }: HandlerParts,
  input: AnyInput,
  claim: Claim | null,
): Promise<Answer> {
  if (execution.kind !== "write") throw new Error(`${contract.id} is no write`);
  const { status } = contract.success;
  const kind = contract.idempotency?.kind;
  const { bookId, accountId } = input.caller;
  return uow.write((tx) => {
    // A reset or a restore may have taken the account away since the caller was recognised.
    if (bookId !== 0 && tx.accounts.byBook(bookId)?.id !== accountId) throw new ApiError("unauthorized");
    if (claim !== null && kind !== undefined) {
      const first = tx.idempotency.find(bookId, kind, claim.key);
      if (first !== null) {
        if (first.request_hash !== claim.hash) throw new ApiError("idempotency_key_reused");
        return jsonAnswer(first.status, first.body, { "idempotent-replayed": "true" });
      }
    }
    const result: unknown = execution.handle(input, tx);
    const stored = result instanceof StoredAnswer ? result : null;
    const text = stored === null ? JSON.stringify(result) : stored.json;
    if (claim !== null && kind !== undefined) {
      tx.idempotency.claim({
        book_id: bookId,
        kind,
        key: claim.key,
        request_hash: claim.hash,
        status,
        body: stored === null ? text : null,
        event_seq: stored === null ? null : stored.eventSeq,
        created_at: tx.now,
      });
    }
    return jsonAnswer(status, text);
  });
}

function execute(
  operation: AnyOperation,
  parts: HandlerParts,
  input: AnyInput,
  claim: Claim | null,
): Answer | Promise<Answer> {
  const { execution, contract } = operation;
  const answer = (value: unknown) => {
    const text = value instanceof JsonText ? value.json : JSON.stringify(value);
    return jsonAnswer(contract.success.status, text);
  };
  if (execution.kind === "write") return runWrite(operation, parts, input, claim);
  const result: unknown =
    execution.kind === "read" ? execution.handle(input, parts.reader()) : execution.handle(input, parts.controls);
  return result instanceof Promise ? result.then(answer) : answer(result);
}

/**
 * Derives the handler of an operation from its contract. Each stage is there because the contract says so, never
 * because a handler remembered it: parameters, query, body, idempotency, one unit of work, the success status.
 */
export function createHandler(operation: AnyOperation, parts: HandlerParts): OperationHandler {
  const { contract } = operation;
  const parseQuery = contract.query === undefined ? () => ({}) : queryParser(contract.query);
  const parseBody = contract.body === undefined ? null : bodyParser(contract.body);
  if (contract.method === "GET") {
    return (exchange, caller, params) =>
      execute(operation, parts, { caller, params, query: parseQuery(exchange.search), body: {} }, null);
  }
  return async (exchange, caller, params, received) => {
    const text = await (exchange.body ?? readBody(exchange.request));
    received(text);
    const query = parseQuery(exchange.search);
    const body = parseBody === null ? {} : parseBody.parse(parseJsonObject(text, parseBody.optional));
    const claim = contract.idempotency === undefined ? null : claimOf(contract.idempotency, exchange, params, body);
    return execute(operation, parts, { caller, params, query, body }, claim);
  };
}
