import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { listenOnLoopback } from "../../src/base/platform/listening.js";

/** A webhook receiver on loopback that stores its requests and gives the answers of the test. */
export interface Received {
  /** The path and query of the request. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: payloads of every event
  readonly body: any;
  readonly type: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** No answer: the connection is closed, or stays open and says nothing. */
  readonly instead?: "close" | "silence";
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** The answers to the next requests, in order. When the list is empty, the answer is 204. */
  readonly replies: Reply[];
  /** Decides the answer to each request, in place of the list. */
  respond: ((request: Received) => Reply | Promise<Reply>) | null;
  /** Resolves once at least `count` requests have arrived. */
  waitFor(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A damaged event may have a body that is no JSON. Tests that care about it look at `raw`. */
function parseRequest(raw: string): Received["body"] {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { count: number; wake: () => void }[] = [];
  const receiver: Receiver = {
    url: "",
    received,
    replies: [],
    respond: null,
    waitFor(count) {
      return new Promise((resolve) => {
        const wake = () => resolve(received);
        if (received.length >= count) wake();
        else waiting.push({ count, wake });
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const raw = Buffer.concat(chunks).toString("utf8");
      const one: Received = {
        path: request.url ?? "",
        headers: request.headers,
        raw,
        body: parseRequest(raw),
        type: String(request.headers["x-qa-event-type"]),
      };
      received.push(one);
      const reply = (await receiver.respond?.(one)) ?? receiver.replies.shift() ?? {};
      if (reply.instead === "close") request.socket.destroy();
      else if (reply.instead === undefined) response.writeHead(reply.status ?? 204, reply.headers).end(reply.body);
      for (const entry of waiting.splice(0)) {
        if (received.length >= entry.count) entry.wake();
        else waiting.push(entry);
      }
    });
  });
  const port = await listenOnLoopback(server);
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}/webhooks` });
}
