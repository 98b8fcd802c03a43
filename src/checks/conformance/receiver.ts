import type { IncomingHttpHeaders } from "node:http";
import { jsonIn } from "../../base/kernel/json.js";
import { pick } from "../../base/kernel/pick.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { receiveOnLoopback } from "../../base/platform/listening.js";

/** A receiver of webhooks on this machine, for the time of a run. */

export interface Received {
  /** The last part of the path: it names the endpoint. */
  readonly endpoint: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  /** The body; undefined when it is no JSON. */
  readonly json: unknown;
  /** The name of the event, from the body. */
  readonly type: string;
  /** When it arrived, in monotonic milliseconds. */
  readonly at: number;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Listens on loopback, on a free port. `reply` decides the answer to each delivery. */
export async function startReceiver(
  path: string,
  real: RealTime,
  reply: (one: Received, earlier: readonly Received[]) => Reply,
) {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const { port, close } = await receiveOnLoopback((request, raw, response) => {
    const endpoint = (request.url ?? "").split("/").at(-1) ?? "";
    const json = jsonIn(raw);
    const type = String(pick(json, "type") ?? pick(json, "event"));
    const one = { endpoint, headers: request.headers, raw, json, type, at: real.monotonic() };
    const { status, headers } = reply(one, received);
    received.push(one);
    response.writeHead(status, headers).end();
    for (const look of [...waiting]) look();
  });
  return {
    url: `http://127.0.0.1:${port}${path}`,
    received,
    /** Resolves true as soon as `count` deliveries fit, or false after `ms`. */
    waitFor: (fits: (one: Received) => boolean, count: number, ms: number) =>
      new Promise<boolean>((resolve) => {
        const end = (isThere: boolean) => {
          waiting.delete(look);
          timer.cancel();
          resolve(isThere);
        };
        const look = () => {
          if (received.filter(fits).length >= count) end(true);
        };
        const timer = real.after(ms, () => end(false));
        waiting.add(look);
        look();
      }),
    close,
  };
}
