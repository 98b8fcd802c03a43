import { hash } from "node:crypto";
import type { UnitOfWork } from "../../base/db/unit-of-work.js";
import type { Contract, IdempotencyRule } from "../../base/kernel/contract.js";
import { ApiError, fieldError } from "../../base/kernel/errors.js";
import { withExactNumbers } from "../../base/kernel/exact-numbers.js";
import { isKeyLength, keyLengthText } from "../../base/kernel/idempotency-key.js";
import { canonicalJson, type JsonObject } from "../../base/kernel/json.js";
import { idsOfPath } from "../../base/kernel/nouns.js";
import { withoutAddress } from "../../base/kernel/page-address.js";
import type { Controls, ServedOperation } from "../../emulator/sandbox/control-interface.js";
import { type CheckedInput, JsonText, StoredAnswer } from "../../service/features/operation.js";
import type { RequestClaim } from "../../service/features/requests/logged-request.js";
import type { Reader, Tx } from "../../service/features/tx.js";
import { type Authenticated, checkStillIn } from "./auth.js";
import { checkContentType, parseJsonObject, readBody } from "./body.js";
import { type Answer, type Exchange, header, jsonAnswer, linesOf, type Sent } from "./exchange.js";
import { type RequestFacts, requestCause } from "./request-entry.js";
import { bodyParser, queryParser } from "./validation.js";

export interface HandlerParts {
  readonly uow: UnitOfWork<Tx>;
  readonly reader: () => Reader;
  readonly controls: Controls;
}

/** Answers one request of one operation. Puts the body and the idempotency key into the facts for the request log. */
export type OperationHandler = (
  exchange: Exchange,
  who: Authenticated,
  params: Record<string, string>,
  facts: RequestFacts,
) => Answer | Sent | Promise<Answer | Sent>;

interface Claim extends RequestClaim {
  readonly hash: string;
}

function headerKey(exchange: Exchange, kind: IdempotencyRule["kind"]): string {
  const key = header(exchange.request, "idempotency-key");
  // Two keys would be joined to a third one that was never used before.
  if (linesOf("idempotency-key", exchange.request) > 1) throw fieldError("Idempotency-Key", "appears more than once");
  if (key === undefined || key === "") {
    throw fieldError(
      "Idempotency-Key",
      `is required: send a unique key of ${keyLengthText(kind)} with every new request`,
    );
  }
  if (!isKeyLength(kind, key)) throw fieldError("Idempotency-Key", `must have ${keyLengthText(kind)}`);
  return key;
}

/**
 * The idempotency key of a request, with a hash of the body as it was sent and of the ids in the path. Ids are hashed
 * without `tx_`: with and without the prefix they name the same payment.
 */
function claimOf(
  { kind, field, implied }: IdempotencyRule,
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
  sent: JsonObject,
): Claim {
  const body = implied === undefined ? sent : { ...implied, ...sent };
  const ids = Object.fromEntries(Object.entries(params).map(([name, id]) => [name, id.replace(/^tx_/, "")]));
  const subject = Object.values(ids);
  const request = canonicalJson(subject.length === 0 ? body : { body, subject });
  const key = field === undefined ? headerKey(exchange, kind) : String(sent[field]);
  return { kind, key, implied, ids, hash: hash("sha256", request, "base64url") };
}

interface HandledRequest {
  readonly who: Authenticated;
  readonly input: CheckedInput;
  readonly claim: Claim | null;
}

/** Runs a write in one unit of work. The idempotency key is looked up and claimed in the same unit. */
function runWrite(
  { contract, execution }: ServedOperation,
  { uow }: HandlerParts,
  { who, input, claim }: HandledRequest,
): Promise<Answer> {
  if (execution.kind !== "write") throw new Error(`${contract.id} is no write`);
  const { status } = contract.success;
  const kind = contract.idempotency?.kind;
  const { bookId } = input.caller;
  return uow.write((tx) => {
    checkStillIn(tx, who);
    if (claim !== null && kind !== undefined) {
      const first = tx.idempotency.find(bookId, kind, claim.key);
      if (first !== null) {
        if (first.request_hash !== claim.hash) throw new ApiError("idempotency_key_reused");
        return jsonAnswer(first.status, first.body, { "idempotent-replayed": "true" });
      }
    }
    const result = execution.handle(input, tx);
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
  }, input.cause);
}

function execute(
  operation: ServedOperation,
  parts: HandlerParts,
  { who, input, claim }: HandledRequest,
): Answer | Promise<Answer> {
  const { execution, contract } = operation;
  const answer = (value: unknown) => {
    const text = value instanceof JsonText ? value.json : JSON.stringify(value);
    return jsonAnswer(contract.success.status, text);
  };
  if (execution.kind === "write") return runWrite(operation, parts, { who, input, claim });
  if (execution.kind === "receive" || execution.kind === "send") throw new Error(`${contract.id} is about a file`);
  const result =
    execution.kind === "read" ? execution.handle(input, parts.reader()) : execution.handle(input, parts.controls);
  return result instanceof Promise ? result.then(answer) : answer(result);
}

/** The ids of a path in any form: ids are extracted from addresses of pages, bare UUIDs receive prefixes. */
function anyForm(path: string, ids: Readonly<Record<string, string>>): Record<string, string> {
  const found = Object.entries(ids).map(([name, id]) => [name, withoutAddress(id)]);
  return idsOfPath(path, Object.fromEntries(found));
}

/** For an operation without a body: the body may be left out, but a body that is sent must be a JSON object. */
const NO_BODY: ReturnType<typeof bodyParser> = { optional: true, parse: () => ({}) };

/**
 * Creates the HTTP handler of an operation. All its stages follow from the contract: parameters, query, body,
 * idempotency, unit of work and success status. For the control interface and the console, ids in paths may have any
 * form.
 */
export function createHandler(operation: ServedOperation, parts: HandlerParts, isConsole: boolean): OperationHandler {
  const handle = handlerOf(operation, parts);
  const { surface, path } = operation.contract;
  if (surface !== "sandbox" && !isConsole) return handle;
  return (exchange, who, params, facts) => handle(exchange, who, anyForm(path, params), facts);
}

export function queryOf({ query }: Contract): ReturnType<typeof queryParser> {
  return query === undefined ? () => ({}) : queryParser(query);
}

/** Creates the input of an operation from a request. Throws for a query that does not fit the contract. */
export function inputOf({ contract }: ServedOperation) {
  const cause = `request ${contract.method} ${contract.path}`;
  const parseQuery = queryOf(contract);
  return (exchange: Exchange, { caller }: Authenticated, params: Record<string, string>): CheckedInput => {
    return { caller, params, query: parseQuery(exchange.search), body: {}, cause: requestCause(cause, exchange) };
  };
}

function handlerOf(operation: ServedOperation, parts: HandlerParts): OperationHandler {
  const { contract, execution } = operation;
  const inputFor = inputOf(operation);
  if (contract.method === "GET") {
    return (exchange, who, params) =>
      execute(operation, parts, { who, input: inputFor(exchange, who, params), claim: null });
  }
  const bodies = contract.body === undefined ? NO_BODY : bodyParser(contract.body);
  return async (exchange, who, params, facts) => {
    const text = await (exchange.body ?? readBody(exchange.request));
    facts.body = text;
    const input = inputFor(exchange, who, params);
    checkContentType(exchange.request, text);
    const sent = parseJsonObject(text, bodies.optional);
    const body = bodies.parse(sent);
    const { idempotency } = contract;
    const claim =
      idempotency === undefined ? null : claimOf(idempotency, exchange, params, withExactNumbers(text, sent));
    facts.claim = claim;
    // A write checks it inside its unit of work.
    if (execution.kind !== "write") checkStillIn(parts.reader(), who);
    return execute(operation, parts, { who, input: { ...input, body }, claim });
  };
}
