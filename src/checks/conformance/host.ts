import type { HttpAnswer, HttpRequest } from "../../api/client/send.js";
import { jsonIn } from "../../base/kernel/json.js";
import { type AskOptions, type CheckedExchange, type Facts, type RunContext, Skip } from "./run-context.js";

/** Requests to the host of a run. */

const LONGEST_LIMIT_SECONDS = 60;
const MOST_REPETITIONS = 3;

function keyFor({ apiKey, otherKey }: RunContext, key: AskOptions["key"]): string | null {
  if (key === undefined) return apiKey;
  if (key === "none") return null;
  if (key !== "other") return key.text;
  if (otherKey === null) throw new Skip("the key of the other mode is not known; pass it with --other-key");
  return otherKey;
}

function requestFor(context: RunContext, method: string, path: string, options: AskOptions): HttpRequest {
  const { body, raw, headers } = options;
  const key = keyFor(context, options.key);
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method,
    url: context.baseUrl + path,
    headers: {
      accept: "application/json",
      ...(key === null ? {} : { apikey: key }),
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: sent,
  };
}

/** Returns the milliseconds to wait after a 429; null when the answer names none, or too many. */
function limitMs({ status, headers }: HttpAnswer): number | null {
  if (status !== 429) return null;
  const seconds = Number(headers.get("retry-after") ?? "1");
  return seconds >= 0 && seconds <= LONGEST_LIMIT_SECONDS ? seconds * 1_000 : null;
}

export type HostAccess = ReturnType<typeof hostAccess>;

/** `undone` collects the undo steps for the end of the run. */
export function hostAccess(context: RunContext, facts: Facts, undone: (() => Promise<void>)[]) {
  const exchanges: CheckedExchange[] = [];
  const limited: CheckedExchange[] = [];
  const run = context.random().slice(0, 8);
  let keys = 0;
  // Once waiting was in vain, as on an emulator whose clock stands still, no request waits any more.
  let isPatient = true;
  /** Sends a request and keeps the exchange. After a 429 it waits as long as the answer says. */
  const ask = async (method: string, path: string, options: AskOptions = {}): Promise<CheckedExchange> => {
    const request = requestFor(context, method, path, options);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await context.send(request);
      const seen = { method, path, ...answer, json: jsonIn(answer.text), isOwn: options.key === undefined };
      const waitMs = limitMs(answer);
      if (answer.status === 429) limited.push(seen);
      if (attempt > MOST_REPETITIONS) isPatient = false;
      if (waitMs === null || !isPatient) {
        if (path.startsWith("/v1")) exchanges.push(seen);
        return seen;
      }
      await context.pause(waitMs);
    }
  };
  return {
    context,
    facts,
    /** All exchanges with /v1 so far, except those that were answered 429 and then repeated. */
    exchanges: exchanges as readonly CheckedExchange[],
    /** Answers 429, in the order in which they came. */
    limited: limited as readonly CheckedExchange[],
    /** A short text that the names of all objects of this run contain. */
    run,
    ask,
    get: (path: string, options?: AskOptions) => ask("GET", path, options),
    /** Sends a file to a signed address, without a key. Returns the status. */
    async upload(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
      return (await context.send({ method: "PUT", url, headers, body })).status;
    },
    /** An idempotency key that no other request uses. */
    newKey() {
      keys += 1;
      return `conform-${run}-${keys}`;
    },
    /** The undo steps for the end of the run, in reverse order. */
    atEnd: (undo: () => Promise<void>) => void undone.push(undo),
  };
}
