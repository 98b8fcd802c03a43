import { type Answer, type CallOptions, freshKey, type TestEmulator } from "./emulator.js";

/** A browser with a session of the console, as tests use it. */
export interface ConsoleSession {
  /** `name=value`, as a browser sends it. */
  readonly cookie: string;
  /** A request as the console's page sends it. `book` is the header x-qa-book. A header that is null is not sent. */
  call(method: string, path: string, options?: ConsoleCall): Promise<Answer>;
  /** The same, without waiting for the end of the answer. */
  ask(method: string, path: string, options?: ConsoleCall): Promise<Response>;
  /** A new charge of the chosen book. */
  charge(options?: ConsoleCall): Promise<Answer>;
}

export interface ConsoleCall extends Pick<CallOptions, "body" | "raw"> {
  readonly book?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly signal?: AbortSignal;
}

/** Opens a link of the console and answers the cookie of its session. */
export async function cookieFrom(link: string): Promise<string> {
  const { status, headers } = await fetch(link, { redirect: "manual" });
  if (status !== 303) throw new Error(`the link was answered ${status}`);
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}

export function consoleUrlOf({ consoleUrl }: Pick<TestEmulator, "consoleUrl">): string {
  if (consoleUrl === null) throw new Error("this emulator has no console");
  return consoleUrl;
}

export async function openConsole(emulator: TestEmulator): Promise<ConsoleSession> {
  const cookie = await cookieFrom(consoleUrlOf(emulator));

  function ask(method: string, path: string, given: ConsoleCall = {}): Promise<Response> {
    const { book, body, raw, signal } = given;
    const changes = method === "GET" || method === "HEAD" ? {} : { origin: emulator.url, "x-qa-console": "1" };
    const all: Record<string, string | null> = {
      cookie,
      "sec-fetch-site": "same-origin",
      ...(method === "GET" || method === "HEAD" ? {} : { "content-type": "application/json" }),
      ...changes,
      ...(book === undefined ? {} : { "x-qa-book": book }),
      ...given.headers,
    };
    const headers = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return fetch(`${emulator.url}/console/api${path}`, {
      method,
      headers,
      redirect: "manual",
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async function call(method: string, path: string, given: ConsoleCall = {}): Promise<Answer> {
    const response = await ask(method, path, given);
    const text = await response.text();
    const json = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const body = json && text !== "" ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: text === "" ? null : body };
  }

  return {
    cookie,
    ask,
    call,
    charge: (given = {}) =>
      call("POST", "/v1/charges", {
        body: { amount: 1990, payment_method: "pix" },
        ...given,
        headers: { "idempotency-key": freshKey(), ...given.headers },
      }),
  };
}
