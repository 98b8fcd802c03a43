import type { HttpAnswer, HttpRequest } from "../client/send.js";
import { jsonIn } from "../kernel/json.js";
import { once } from "../kernel/once.js";
import { type AskOptions, type CheckedExchange, type Facts, type Host, type RunContext, Skip } from "./check.js";
import { knownShapes } from "./shapes.js";
import { createTestObjects } from "./test-objects.js";
import { createWebhookStory } from "./webhook-story.js";

const LONGEST_LIMIT_SECONDS = 60;
const MOST_REPETITIONS = 3;

function keyFor({ apiKey, otherKey }: RunContext, key: AskOptions["key"]): string | null {
  if (key === undefined) return apiKey;
  if (key === "none") return null;
  if (key !== "other") return key.text;
  if (otherKey === null) throw new Skip("the key of the other mode is not known; give it with --other-key");
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

/** The time to wait after a 429, in milliseconds; null when it says none that is short enough. */
function limitMs({ status, headers }: HttpAnswer): number | null {
  if (status !== 429) return null;
  const seconds = Number(headers.get("retry-after") ?? "1");
  return seconds >= 0 && seconds <= LONGEST_LIMIT_SECONDS ? seconds * 1_000 : null;
}

/** Sends requests and keeps what was seen. A request that is limited waits as long as the answer says. */
function createAsker(context: RunContext, exchanges: CheckedExchange[], limited: CheckedExchange[]): Host["ask"] {
  // Once waiting was in vain, as on an emulator whose clock stands still, no request waits any more.
  let isPatient = true;
  return async (method, path, options = {}) => {
    const request = requestFor(context, method, path, options);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await context.send(request);
      const seen: CheckedExchange = {
        method,
        path,
        ...answer,
        json: jsonIn(answer.text),
        isOwn: options.key === undefined,
      };
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
}

/** `undone` gets what the end of the run has to undo. */
export function createHost(context: RunContext, facts: Facts, undone: (() => Promise<void>)[]): Host {
  const exchanges: CheckedExchange[] = [];
  const limited: CheckedExchange[] = [];
  const run = context.random().slice(0, 8);
  let keys = 0;
  const ask = createAsker(context, exchanges, limited);
  const host: Host = {
    context,
    facts,
    shapes: knownShapes(),
    get objects() {
      return objects;
    },
    webhooks: once(() => createWebhookStory(host)),
    exchanges,
    limited,
    run,
    ask,
    get: (path, options) => ask("GET", path, options),
    async upload(url, headers, body) {
      return (await context.send({ method: "PUT", url, headers, body })).status;
    },
    newKey() {
      keys += 1;
      return `conform-${run}-${keys}`;
    },
    atEnd: (undo) => void undone.push(undo),
  };
  const objects = createTestObjects(host);
  return host;
}
