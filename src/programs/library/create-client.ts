import { clientOf } from "../../api/client/client.js";
import type { Fetch } from "../../api/client/platform.js";
import { isPlainWord } from "../../api/client/route.js";
import { LONGEST_TIMEOUT_MS } from "../../api/client/send.js";
import type { Client } from "../../api/client/types.js";
import { registry } from "../../api/registry.js";
import {
  AS_OPTIONS,
  duration,
  OptionError,
  optionsOf,
  type Reader,
  readOptions,
  whole,
} from "../../base/kernel/options.js";
import { USUAL_PORT } from "../../base/kernel/page-address.js";
import { realWaiting } from "../../base/platform/real-runtime.js";
import { forCaller } from "./for-caller.js";

/** Options of `createClient`. */
export interface ClientOptions {
  /** The address of the service, `http://` or `https://`, such as the `url` of an emulator. */
  readonly baseUrl: string;
  /** The API key, such as the `testKey` of an emulator. It selects the account and the book (test or live). */
  readonly apiKey: string;
  /** The token that `auth.login` returned. Needed for the operations of dashboard users: API keys and logout. */
  readonly token?: string | undefined;
  /** A function that sends the requests instead of node:http, for example through a proxy or a recorder. */
  readonly fetch?: Fetch | undefined;
  /**
   * The longest time of a call until its answer is complete, all tries together: milliseconds, or a text such as
   * `500ms`, `10s` or `1m`; at most a day. 30 seconds by default, and ten minutes for `sandbox.clock.advance`. After this
   * time the call rejects with a ServiceTimeoutError.
   */
  readonly timeout?: number | string | undefined;
  /**
   * The maximum of repetitions of a request, 0 to 10; 2 by default. A 429 and a connection that could not be opened are
   * always repeated. A 5xx and a lost connection are repeated for reads and for requests with an idempotency key.
   */
  readonly maxRetries?: number | undefined;
}

const serviceUrl: Reader<string> = (given, refuse) => {
  const isOne = typeof given === "string" && /^https?:\/\/[^\s?#]+$/i.test(given) && URL.canParse(given);
  return isOne ? given : refuse.takes(`a URL such as http://127.0.0.1:${USUAL_PORT}`);
};

/** Reads a value that a header can hold. The refusal does not show the value, because it is a secret. */
function credential(what: string): Reader<string> {
  return (given, refuse) =>
    typeof given === "string" && isPlainWord(given) ? given : refuse.says(` takes ${what}, without white space.`);
}

const callable: Reader<typeof globalThis.fetch> = (given, refuse) =>
  typeof given === "function" ? (given as typeof globalThis.fetch) : refuse.takes("a function");

const timeLimit: Reader<number> = (given, refuse) => {
  const ms = duration(given, refuse);
  return ms >= 1 && ms <= LONGEST_TIMEOUT_MS ? ms : refuse.takes("a duration from 1ms to 1d");
};

const READERS = {
  baseUrl: serviceUrl,
  apiKey: credential("an API key such as the testKey of an emulator"),
  token: credential("the token of a login"),
  fetch: callable,
  timeout: timeLimit,
  maxRetries: whole(0, 10),
} as const satisfies Readonly<Record<keyof ClientOptions, Reader<unknown>>>;

function throwMissing(option: string, example: string): never {
  throw new OptionError(option, `createClient needs ${option}, such as ${example}.`);
}

function clientWith(options: ClientOptions): Client {
  const given = optionsOf("createClient", options, READERS);
  const {
    baseUrl = throwMissing("baseUrl", "the url of an emulator"),
    apiKey = throwMissing("apiKey", "the testKey of an emulator"),
    timeout: timeoutMs,
    ...others
  } = readOptions(given, READERS, AS_OPTIONS);
  return clientOf(
    registry.map((operation) => operation.contract),
    { ...others, baseUrl, apiKey, timeoutMs },
    realWaiting,
  );
}

/**
 * Creates a client with one typed method for each operation. A method rejects with ServiceError when the service refuses
 * the request, or when there is no usable answer in time. It repeats a request by itself where that is safe.
 *
 * @throws OptionError for an option that is missing, unknown or has a wrong value.
 */
export function createClient(options: ClientOptions): Client {
  try {
    return clientWith(options);
  } catch (error) {
    throw forCaller(error, createClient);
  }
}
