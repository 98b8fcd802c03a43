import { type Answer, type CallOptions, freshKey, type TestEmulator } from "./emulator.js";

/** A browser with a session of the console, as tests use it. */
export interface ConsoleSession {
  /** `name=value`, as a browser sends it. */
  readonly cookie: string;
  /** The part of the session that the page keeps. */
  readonly pagePart: string;
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

/** The session and the address of the answer to a console link. Both parts are empty when it starts no session. */
export async function sessionIn(answer: Response): Promise<Pick<ConsoleSession, "cookie" | "pagePart">> {
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const [, pagePart = ""] = /<meta name="qa-pay-session" content="([\w-]*)"/.exec(await answer.text()) ?? [];
  return { cookie, pagePart };
}

/** Opens a link of the console. */
export async function sessionFrom(link: string): Promise<Pick<ConsoleSession, "cookie" | "pagePart">> {
  const answer = await fetch(link, { redirect: "manual" });
  if (answer.status !== 200) throw new Error(`the link was answered ${answer.status}`);
  return sessionIn(answer);
}

export function consoleUrlOf({ consoleUrl }: Pick<TestEmulator, "consoleUrl">): string {
  if (consoleUrl === null) throw new Error("this emulator has no console");
  return consoleUrl;
}

export async function openConsole(emulator: TestEmulator): Promise<ConsoleSession> {
  const { cookie, pagePart } = await sessionFrom(consoleUrlOf(emulator));

  function ask(method: string, path: string, given: ConsoleCall = {}): Promise<Response> {
    const { book, body, raw, signal } = given;
    const isRead = method === "GET" || method === "HEAD";
    const all: Record<string, string | null> = {
      cookie,
      "x-qa-console": pagePart,
      "sec-fetch-site": "same-origin",
      ...(isRead ? {} : { "content-type": "application/json", origin: emulator.url }),
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
    pagePart,
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
