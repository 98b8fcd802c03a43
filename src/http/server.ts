import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type H3, H3Event } from "h3";
import type { Ids, Log, RealTime } from "../kernel/runtime.js";
import { errorAnswer, sendAnswer } from "./exchange.js";
import { answerBrokenRequests } from "./no-request.js";

/** The server cannot listen. The message says what to do about it. */
class ListenError extends Error {
  override readonly name = "ListenError";
}

export type HttpServer = Awaited<ReturnType<typeof takePort>>;

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly real: RealTime;
  readonly ids: Ids;
  readonly log: Log;
}

type Gate = ReturnType<typeof createGate>;

/** Holds requests back until the application is there: the port is taken first. */
function createGate() {
  let app: H3 | null = null;
  let pass: (app: H3) => void = () => undefined;
  const opened = new Promise<H3>((done) => {
    pass = done;
  });
  return {
    app: () => app,
    opened,
    open(given: H3): void {
      app = given;
      pass(given);
    },
  };
}

/** The normalised URL of a request. A proxy may name the whole address, of which only path and query count. */
function urlOf({ url: target = "/" }: IncomingMessage): URL {
  const origin = "http://localhost";
  if (target.startsWith("/")) return new URL(origin + target);
  if (!URL.canParse(target)) return new URL(target === "*" ? "/*" : "/", origin);
  const { pathname, search } = new URL(target);
  return new URL(`${origin}${pathname.startsWith("/") ? "" : "/"}${pathname}${search}`);
}

/**
 * What the router needs of a request. It is no web Request: the class of Node for that comes with a whole HTTP client, which
 * takes longer to load than everything else of h3.
 */
function eventOf(request: IncomingMessage, response: ServerResponse, app: H3): H3Event {
  const { method = "GET" } = request;
  const asked = { method, _url: urlOf(request), runtime: { name: "node", node: { req: request, res: response } } };
  return new H3Event(asked as unknown as H3Event["req"], undefined, app);
}

/** A listener for node:http. The application sends its answers itself. */
function nodeListener(gate: Gate, { ids, log }: ListenOptions) {
  return (request: IncomingMessage, response: ServerResponse) => {
    // A route answers its own errors. This is for the others, such as files of the console that are gone.
    const failed = (reason: unknown) => {
      const requestId = `req_${ids.next()}`;
      const answer = errorAnswer(reason, requestId, log);
      if (response.headersSent) response.destroy();
      else sendAnswer({ response, requestId }, answer);
    };
    const handle = async (app: H3) => app.handler(eventOf(request, response, app));
    const app = gate.app();
    (app === null ? gate.opened.then(handle) : handle(app)).catch(failed);
  };
}

/** The request and the response of node:http behind an event of the router. */
export function nodeOf(event: H3Event): { readonly request: IncomingMessage; readonly response: ServerResponse } {
  const request = event.runtime?.node?.req as IncomingMessage | undefined;
  const response = event.runtime?.node?.res as ServerResponse | undefined;
  if (request === undefined || response === undefined)
    throw new Error("this server speaks HTTP through node:http only");
  return { request, response };
}

/**
 * Returns what closes the server. Connections without a request are closed at once, each other one when its answer has been sent.
 * After `graceMs` real milliseconds the rest is cut: a client that sends half a body or stops reading would keep the server open.
 * Node itself would also wait for a connection that has not sent anything, and for one that is kept after its answer.
 */
function closing(server: Server, real: RealTime) {
  const idle = new Set<Socket>();
  server.on("connection", (socket) => {
    idle.add(socket);
    socket.on("close", () => idle.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    idle.delete(socket);
    response.on("finish", () => {
      if (!server.listening) socket.destroy();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  return async (graceMs: number): Promise<void> => {
    const closed = once(server.close(), "close");
    for (const socket of idle) socket.destroy();
    const cutAll = () => server.closeAllConnections();
    const cut = graceMs === 0 ? cutAll() : real.after(graceMs, cutAll);
    await closed;
    cut?.cancel();
  };
}

/** Why a server cannot listen there, and what to do. */
function reasonOf({ host, port }: ListenOptions, { code }: NodeJS.ErrnoException): string {
  switch (code) {
    case "EADDRNOTAVAIL":
      return `This machine has no address ${host}. Choose one of its own with --host, such as 127.0.0.1.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `There is no host ${host}. Choose an address of this machine with --host.`;
    case "EACCES":
      return `Port ${port} is not allowed for this user. Choose another with --port, or take any with --port 0.`;
    case "EADDRINUSE":
      return `Port ${port} is in use. Stop what listens there, choose another with --port, or take any with --port 0.`;
    default:
      return `Cannot listen on ${host}:${port} (${code}).`;
  }
}

/**
 * Listens on exactly the given port. Requests wait until `serve` is called. Throws ListenError when the port is taken or
 * not allowed.
 */
export async function takePort(options: ListenOptions) {
  const gate = createGate();
  // Node's default of five seconds is shorter than clients and load balancers keep connections: they would lose requests.
  // A request without Host is refused like any other (src/http/frame.ts).
  const settings = { keepAliveTimeout: 75_000, requireHostHeader: false };
  const server = createServer(settings, nodeListener(gate, options));
  const close = closing(server, options.real);
  answerBrokenRequests(server, options.ids);
  try {
    await once(server.listen(options.port, options.host), "listening");
  } catch (cause) {
    throw new ListenError(reasonOf(options, cause as NodeJS.ErrnoException), { cause });
  }
  const { address: host, port } = server.address() as AddressInfo;
  return {
    /** The address in numbers, also when a name was asked for. */
    host,
    port,
    /** Hands all requests to the application, also those that have waited for it. */
    serve: gate.open,
    close,
  };
}
