import { type Contract, isFileOperation } from "../kernel/contract.js";
import type { ErrorEnvelope } from "../kernel/errors.js";
import { sendByFetch } from "./fetching.js";
import { fillPath, type HttpAnswer, queryString, send, Unreachable } from "./send.js";
import { ServiceError } from "./service-error.js";
import type { Client } from "./types.js";

/** Options of `createClient`. */
export interface ClientOptions {
  /** The address of the service, `http://` or `https://`, such as the `url` of an emulator. */
  readonly baseUrl: string;
  /** The API key, such as the `testKey` of an emulator. It selects the account and the book (test or live). */
  readonly apiKey: string;
  /** The token that `auth.login` returned. Needed for the operations of dashboard users: API keys and logout. */
  readonly token?: string | undefined;
  /** A function that sends the requests instead of node:http, for example through a proxy or a recorder. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * The longest time of a call until its answer is complete: milliseconds, or a text such as `500ms`, `10s` or `1m`; at
   * most a day. 30 seconds by default. After this time the call rejects with a ServiceError with the `code`
   * `unreachable`.
   */
  readonly timeout?: number | string | undefined;
}

/** The options of a client after they are checked. */
interface Connection extends Omit<ClientOptions, "timeout"> {
  readonly timeoutMs?: number;
}

/** The input of a method at run time. The types in types.ts are stricter, and check the callers. */
interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

function failureOf({ status, text, headers }: HttpAnswer): ServiceError {
  const requestId = headers.get("x-request-id") ?? null;
  try {
    const { error, request_id } = JSON.parse(text) as ErrorEnvelope;
    const { code, message, param, details } = error;
    return new ServiceError({ status, code, message, param, details, requestId: requestId ?? request_id });
  } catch {
    const message = `The host answered ${status} without an error envelope.`;
    return new ServiceError({ status, code: "unexpected_answer", message, requestId });
  }
}

function answerOf(answer: HttpAnswer): unknown {
  if (answer.text === "") return undefined;
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    const { status, headers } = answer;
    const message = `The host answered ${status} with something that is no JSON.`;
    throw new ServiceError({
      status,
      code: "unexpected_answer",
      message,
      requestId: headers.get("x-request-id") ?? null,
      cause,
    });
  }
}

async function call(contract: Contract, options: Connection, input: LooseInput): Promise<unknown> {
  const { method, path, body, idempotency } = contract;
  const url = options.baseUrl.replace(/\/+$/, "") + fillPath(path, input.params ?? {}) + queryString(input.query ?? {});
  const headers: Record<string, string> = { accept: "application/json" };
  if (contract.auth === "jwt") headers.authorization = `Bearer ${options.token ?? ""}`;
  else headers.apikey = options.apiKey;
  if (idempotency !== undefined && input.idempotencyKey !== undefined) {
    headers["idempotency-key"] = input.idempotencyKey;
  }
  if (body !== undefined) headers["content-type"] = "application/json";
  const text = body === undefined ? undefined : JSON.stringify(input.body ?? {});
  try {
    const { fetch, timeoutMs } = options;
    const request = { method, url, headers, body: text, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const answer = await (fetch === undefined ? send(request) : sendByFetch(request, fetch));
    if (answer.status >= 200 && answer.status < 300) return answerOf(answer);
    throw failureOf(answer);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    throw new ServiceError({ status: 0, code: "unreachable", message: error.message, requestId: null, cause: error });
  }
}

/** Makes a method for each contract but those about files. The contracts are an argument, so that this module does not load the schemas. */
export function clientOf(contracts: readonly Contract[], options: Connection): Client {
  const methods = contracts
    .filter((contract) => !isFileOperation(contract))
    .map((contract) => [contract.id, (input: LooseInput = {}) => call(contract, options, input)]);
  return Object.fromEntries(methods) as Client;
}
