import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { listenOnLoopback } from "../../src/base/platform/listening.js";

/** A proxy on loopback. It takes every host name for this machine, as its own resolver might. */
export interface TestProxy {
  readonly port: number;
  /** The requests to it: `CONNECT host:port`, or a method with a whole address. */
  readonly asked: { readonly line: string; readonly headers: IncomingHttpHeaders }[];
  /** Its own answer, in place of passing requests on. */
  answer: { readonly status: number } | "silence" | "close" | null;
  /** It answers 407 to requests with this method. */
  refusedMethod: string | null;
  /** The port of this machine to which it passes requests on; null for that of their address. */
  onwardPort: number | null;
  close(): Promise<void>;
}

const STATUS: Readonly<Record<number, string>> = {
  407: "Proxy Authentication Required",
  403: "Forbidden",
  502: "Bad Gateway",
};

export async function startProxy(): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const proxy: TestProxy = { port: 0, asked: [], answer: null, refusedMethod: null, onwardPort: null, close };
  const server = createServer((incoming, outgoing) => {
    proxy.asked.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers });
    const answer = proxy.refusedMethod === incoming.method ? ({ status: 407 } as const) : proxy.answer;
    if (answer === "silence") return;
    if (answer === "close") return void incoming.socket.destroy();
    if (answer !== null) return void outgoing.writeHead(answer.status).end("<h1>the proxy</h1>");
    const { port, pathname, search } = new URL(incoming.url ?? "");
    const { "proxy-authorization": _own, ...headers } = incoming.headers;
    const place = { host: "127.0.0.1", port: proxy.onwardPort ?? port };
    const onward = request({ ...place, method: incoming.method, path: pathname + search, headers });
    onward.on("response", (answered) => answered.pipe(outgoing.writeHead(answered.statusCode ?? 0, answered.headers)));
    incoming.pipe(onward);
  });
  server.on("connect", ({ url, headers }, socket: Socket) => {
    proxy.asked.push({ line: `CONNECT ${url}`, headers });
    const { answer } = proxy;
    if (answer === "silence") return;
    if (answer === "close") return void socket.destroy();
    if (answer !== null) {
      const { status } = answer;
      socket.end(
        `HTTP/1.1 ${status} ${STATUS[status]}\r\ncontent-type: application/json\r\n\r\n{"id":"ch_of_the_proxy"}`,
      );
      return;
    }
    const onward = connect(Number(url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const side of [socket, onward]) side.on("error", () => undefined);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
  });
  function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(() => done()));
  }
  const port = await listenOnLoopback(server);
  return Object.assign(proxy, { port });
}
