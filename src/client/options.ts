import type { Fetch } from "./platform.js";

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
   * How often a request is repeated at most, 0 to 10; 2 by default. A 429 and a connection that could not be made are
   * repeated always. A 5xx and a lost connection are repeated for reads and for requests with an idempotency key.
   */
  readonly maxRetries?: number | undefined;
}
