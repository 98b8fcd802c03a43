import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { createServer, isIP } from "node:net";
import { type H3, H3Event } from "h3";
import { type Listener, type ListenOptions as ListhenOptions, listen } from "listhen";
import { NodeRequest } from "srvx/node";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { isLoopbackHost } from "../../base/kernel/loopback.js";
import type { Ids, Log, RealTime } from "../../base/kernel/runtime.js";
import { addressOf } from "../../base/platform/listening.js";
import { errorAnswer, sendAnswer } from "./exchange.js";
import { answerBrokenRequests } from "./no-request.js";

/** The server cannot listen. The message contains the remedy. */
class ListenError extends Error {
  override readonly name = "ListenError";
}

/** A certificate and its private key, both as PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

export type HttpServer = Awaited<ReturnType<typeof takePort>>;

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly real: RealTime;
  readonly ids: Ids;
  readonly log: Log;
  /** Answers by TLS with this certificate; undefined for plain HTTP. */
  readonly tls?: Tls | undefined;
}

type Gate = ReturnType<typeof createGate>;

/** Holds requests back until the application is ready: the port is taken first. */
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

/** A listener for node:http. The application sends its answers itself. */
function nodeListener(gate: Gate, { ids, log }: ListenOptions) {
  return (request: IncomingMessage, response: ServerResponse) => {
    // A route answers its own errors. This handles the others, such as missing files of the console.
    const answerFailure = (reason: unknown) => {
      const requestId = `${ID_PREFIX.request}${ids.next()}`;
      const answer = errorAnswer(reason, requestId, log);
      if (response.headersSent) response.destroy();
      else sendAnswer({ response, requestId }, answer);
    };
    const handle = async (app: H3) =>
      app.handler(new H3Event(new NodeRequest({ req: request, res: response }), undefined, app));
    const app = gate.app();
    (app === null ? gate.opened.then(handle) : handle(app)).catch(answerFailure);
  };
}

/** The request and the response of node:http behind an event of the router. */
export function nodeOf(event: H3Event): { readonly request: IncomingMessage; readonly response: ServerResponse } {
  const { req: request, res: response } = event.runtime?.node ?? {};
  if (request instanceof IncomingMessage && response instanceof ServerResponse) return { request, response };
  throw new Error("this server speaks HTTP through node:http only");
}

/**
 * All options of listhen. It receives an address and no name: for a name of an unknown form, such as `my_host`, it
 * would listen on all addresses of the machine, and everybody in the network could reach the service.
 */
async function listhenOptions({ host: named, port, tls }: ListenOptions): Promise<Partial<ListhenOptions>> {
  const hostname = isIP(named) === 0 ? (await lookup(named)).address : named;
  return {
    hostname,
    // Without it, listhen refuses addresses that others can reach.
    public: !isLoopbackHost(hostname),
    port: { port, random: port === 0, verbose: false },
    https: tls === undefined ? false : { cert: tls.cert, key: tls.key },
    // No other port instead of a taken one: a client would look for the server at the requested port.
    isProd: true,
    showURL: false,
    autoClose: false,
  };
}

/** listhen reports the end by `process.nextTick`, which Jest replaces for its packages; Node's own event is safe. */
async function closeWithin({ server, close }: Listener, graceMs: number, real: RealTime): Promise<void> {
  const cutAll = () => server.closeAllConnections();
  const closed = Promise.race([once(server, "close"), close()]);
  const cut = graceMs === 0 ? null : real.after(graceMs, cutAll);
  if (cut === null) cutAll();
  await closed;
  cut?.cancel();
}

/** Explains why a server cannot listen, and the remedy: the system names its reason, listhen does not. */
async function reasonOf({ host, port }: ListenOptions): Promise<string> {
  const probe = createServer();
  const code = await once(probe.listen(port, host), "listening").then(
    () => "EADDRINUSE",
    (error: NodeJS.ErrnoException) => error.code,
  );
  probe.close();
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
 * Listens on exactly the requested port. Requests wait until `serve` is called. Throws ListenError when the port is
 * taken or not allowed.
 */
export async function takePort(options: ListenOptions) {
  const gate = createGate();
  let listener: Listener;
  try {
    listener = await listen(nodeListener(gate, options), await listhenOptions(options));
  } catch (cause) {
    throw new ListenError(await reasonOf(options), { cause });
  }
  const { address: host, port } = addressOf(listener.server);
  if (options.port !== 0 && port !== options.port) {
    await listener.close();
    throw new ListenError(await reasonOf(options));
  }
  answerBrokenRequests(listener.server, options.ids);
  // Node's default of five seconds is shorter than clients and load balancers keep connections: they would lose
  // requests. A request without Host is refused like any other (src/api/http/frame.ts).
  Object.assign(listener.server, { keepAliveTimeout: 75_000, requireHostHeader: false });
  return {
    /** The address in numbers, also when a name was requested. */
    host,
    port,
    /** Passes all requests to the application, also those that have waited for it. */
    serve: gate.open,
    /**
     * Closes idle connections at once, and each other connection when its answer has been sent. After `graceMs` real
     * milliseconds it cuts the rest: a client that sends half a request or stops reading would keep the server open.
     */
    close: (graceMs: number) => closeWithin(listener, graceMs, options.real),
  };
}
