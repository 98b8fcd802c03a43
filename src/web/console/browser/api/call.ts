import { type RequestParts, requestOf } from "../../../../api/client/route.js";
import type { OperationAnswer, OperationId, OperationInput } from "../../../../api/client/types.js";
import { pick } from "../../../../base/kernel/pick.js";
import { routes } from "../facts/routes.js";
import { book, bookHeader } from "../state/book.js";
import { connection } from "../state/connection.js";
import { reading } from "../state/reading.js";
import { recorded } from "../state/recorder.js";
import { sessionHeader } from "../state/session.js";
import { keptStep } from "../words/done.js";
import { type AnyInput, withoutEmpty } from "./input.js";

/** Calls of operations, through the session of the browser. */

/** A refusal of the service, or no answer at all (status 0). */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly param: string | null,
  ) {
    super(message);
  }

  /** True without an answer or a session: the band at the top says so, and everything is read again later. */
  get isOfConnection(): boolean {
    return this.status === 401 || this.code === "unreachable";
  }
}

/** Converts any thrown value to a failed call. */
export const asFailure = (thrown: unknown) =>
  thrown instanceof CallFailed ? thrown : new CallFailed(0, "unexpected", String(thrown), null);

export const API = "/console/api";

/** The input with an idempotency key where the operation needs one. */
function withKey(id: string, input: AnyInput): AnyInput {
  const key = routes[id]?.key;
  if (key === undefined) return input;
  if (key === "header") return { idempotencyKey: crypto.randomUUID(), ...input };
  return { ...input, body: { [key]: crypto.randomUUID(), ...input.body } };
}

/** The answer to a request with the headers of the session; undefined for one without content. Throws CallFailed. */
export async function answerTo({ method, address, headers, body }: RequestParts): Promise<unknown> {
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const answer = await fetch(API + address, init).catch(unreachable);
  connection.answered();
  if (!answer.ok) throw await failure(answer);
  return answer.status === 204 ? undefined : answer.json();
}

/** The headers of every call: the part of the session that the page keeps, and the book. */
export function ownHeaders(): Record<string, string> {
  return { ...sessionHeader(), "x-qa-book": bookHeader(book.value) };
}

/** For a request that got no answer. */
export function unreachable(): never {
  connection.lost();
  throw new CallFailed(0, "unreachable", "The server does not answer.", null);
}

/** The refusal in an answer. */
export async function failure(answer: Response): Promise<CallFailed> {
  const body: unknown = await answer.json().catch(() => null);
  if (answer.status === 401) connection.loggedOut();
  const said = (name: string) => {
    const text = pick(body, `error.${name}`);
    return typeof text === "string" ? text : null;
  };
  const message = said("message") ?? `The server answered ${answer.status}.`;
  return new CallFailed(answer.status, said("code") ?? "unexpected", message, said("param"));
}

/** The request of an operation, and what its recording needs. */
function prepared(id: string, given: AnyInput) {
  const route = routes[id];
  if (route === undefined) throw new Error(`there is no operation ${id}`);
  const input = withKey(id, withoutEmpty(given));
  const body = route.method === "GET" ? undefined : (input.body ?? {});
  return { route, input, request: requestOf(route, { ...input, body }, ownHeaders()) };
}

/** Calls an operation for the page itself, not for the person: the recording of this tab leaves it out. */
export async function callQuietly<Id extends OperationId>(id: Id, given: AnyInput): Promise<OperationAnswer<Id>>;
export async function callQuietly(id: string, given: AnyInput): Promise<unknown> {
  return answerTo(prepared(id, given).request);
}

/** Calls an operation by its id. Throws CallFailed. */
export function callAny<Id extends OperationId>(id: Id, given?: AnyInput): Promise<OperationAnswer<Id>>;
export function callAny(id: string, given?: AnyInput): Promise<unknown>;
export async function callAny(id: string, given: AnyInput = {}): Promise<unknown> {
  const { route, input, request } = prepared(id, given);
  const ask = () => answerTo(request);
  if (route.method === "GET") return reading.whenAllowed(`${bookHeader(book.value)} ${request.address}`, ask);
  const result = await ask();
  recorded(keptStep({ id, input, result }, route.auth));
  return result;
}

type CallArguments<Id extends OperationId> =
  Partial<OperationInput<Id>> extends OperationInput<Id>
    ? [input?: OperationInput<Id>]
    : [input: Omit<OperationInput<Id>, "idempotencyKey">];

/** Calls an operation with checked types. Creates an idempotency key when the input has none. */
export async function call<Id extends OperationId>(
  id: Id,
  ...[input]: CallArguments<Id>
): Promise<OperationAnswer<Id>> {
  return callAny(id, (input ?? {}) as AnyInput);
}
