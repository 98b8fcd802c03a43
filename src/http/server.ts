import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { H3 } from "h3";
import { type Listener, listen } from "listhen";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { isLoopbackHost } from "../kernel/loopback.js";
import type { Ids, RealTime } from "../kernel/runtime.js";
import { answerBrokenRequests } from "./no-request.js";

/** The server cannot start; the message says what to do about it. */
class ListenError extends Error {
  override readonly name = "ListenError";
}

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /**
   * Ends idle connections at once and each busy one as soon as its answer is out. After `graceMs` of real time all that
   * are left are cut: half a request, or a reader that stopped reading, would keep the server for ever.
   */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly real: RealTime;
  readonly ids: Ids;
}

/** The application as node:http calls it. Most answers are on their way already when the application returns. */
function nodeListener(app: H3) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const send = (answer: Response) => (response.writableEnded ? undefined : sendNodeResponse(response, answer));
    const context = { req: request, res: response } as ConstructorParameters<typeof NodeRequest>[0];
    const answer = app.fetch(new NodeRequest(context));
    return answer instanceof Promise ? answer.then(send) : send(answer);
  };
}

function bind(app: H3, { host, port }: Pick<ListenOptions, "host" | "port">): Promise<Listener> {
  return listen(nodeListener(app), {
    // No other port in its stead: whoever asked for one would not find the server.
    port: { port, ports: [], alternativePortRange: [0, 0], random: port === 0, verbose: false },
    hostname: host,
    // Only says whether the address is meant to be public, for listhen's own warnings.
    public: !isLoopbackHost(host),
    showURL: false,
    autoClose: false,
    isTest: true,
  });
}

async function closeWithin({ server, close }: Listener, graceMs: number, real: RealTime): Promise<void> {
  const cut = real.after(graceMs, () => (server as Server).closeAllConnections());
  await close();
  cut.cancel();
}

/** Listens on exactly the port asked for. Throws ListenError when it is taken or may not be used. */
export async function serveHttp(app: H3, options: ListenOptions): Promise<HttpServer> {
  let listener: Listener;
  try {
    listener = await bind(app, options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ListenError(`Cannot listen on ${options.host}:${options.port}: ${reason}`, { cause });
  }
  const { port } = listener.address;
  if (options.port !== 0 && port !== options.port) {
    await listener.close();
    throw new ListenError(
      `Port ${options.port} is in use. Stop what listens there, choose another with --port, or take any with --port 0.`,
    );
  }
  answerBrokenRequests(listener.server, options.ids);
  // Clients and load balancers keep connections longer than node's default of five seconds.
  Object.assign(listener.server, { keepAliveTimeout: 75_000 });
  return { host: options.host, port, close: (graceMs) => closeWithin(listener, graceMs, options.real) };
}
