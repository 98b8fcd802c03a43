import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/programs/start/emulator.js";
import { exchange } from "./exchange.js";
import { seededRuntime } from "./seed.js";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Loose = any;

/** An emulator for one test file, on a free port and in memory, with the calls that tests make. */
export interface TestEmulator extends Emulator {
  readonly key: string;
  readonly live: string;
  /** One request; the answer's JSON is `body` (null when there is none). */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A new charge, created with a fresh idempotency key. Throws when the service refuses it. */
  charge(body?: Record<string, unknown>, options?: CallOptions): Promise<Loose>;
  /** A control call that must succeed. Returns its body. */
  sandbox(path: string, body?: unknown, options?: CallOptions): Promise<Loose>;
}

export interface CallOptions {
  /** The API key; null sends none. */
  readonly key?: string | null;
  readonly body?: unknown;
  /** A body that is sent unchanged in place of `body`, with the content type of JSON unless `headers` has another. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Loose;
}

/** The cost of scrypt (N) in tests. The service's own cost would take nine tenths of the time of a start. */
const CHEAP_PASSWORDS = 2;

/** One exchange as it went over the wire. */
export interface HeardExchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

let keys = 0;

/** An idempotency key that no other call of this process uses. */
export function freshKey(): string {
  keys += 1;
  return `test-key-${String(keys).padStart(8, "0")}`;
}

/** Returns the body of a successful answer. Throws when the request was refused. */
export function bodyOf({ status, body }: Answer): Loose {
  if (status >= 300) throw new Error(`answered ${status} ${JSON.stringify(body)}`);
  return body;
}

/** `heard` is called with every exchange of `call`. */
export async function startEmulator(
  options: EmulatorOptions = {},
  heard: (exchange: HeardExchange) => void = () => undefined,
): Promise<TestEmulator> {
  const log = options.log ?? { warn: console.warn, error: console.error };
  const usual = { runtime: seededRuntime(log), passwordCost: CHEAP_PASSWORDS };
  const emulator = await createEmulator({ ...usual, ...options });
  const key = emulator.testKey ?? options.testKey ?? "";

  async function call(method: string, path: string, given: CallOptions = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...given.headers };
    if (given.key !== null) headers.apikey = given.key ?? key;
    const body = given.raw ?? (given.body === undefined ? undefined : JSON.stringify(given.body));
    if (body !== undefined) headers["content-type"] ??= "application/json";
    const answer = await exchange(emulator.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const { text } = answer;
    heard({ method, path, status: answer.status, headers: answer.headers, text });
    const json = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
    const parsed = json && text !== "" ? JSON.parse(text) : text;
    return { status: answer.status, headers: answer.headers, body: text === "" ? null : parsed };
  }

  return {
    ...emulator,
    key,
    live: emulator.liveKey ?? options.liveKey ?? "",
    call,
    async charge(body = {}, given = {}) {
      const answer = await call("POST", "/v1/charges", {
        ...given,
        body: { amount: 1990, payment_method: "pix", ...body },
        headers: { "idempotency-key": freshKey(), ...given.headers },
      });
      return bodyOf(answer);
    },
    async sandbox(path, body, given = {}) {
      const method =
        body === undefined && !path.match(/\/(pay|fail|expire|review|advance|freeze|resume|reset|resend)$/)
          ? "GET"
          : "POST";
      const answer = await call(method, `/_sandbox${path}`, { ...given, ...(body === undefined ? {} : { body }) });
      if (answer.status >= 300)
        throw new Error(`${method} /_sandbox${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}
