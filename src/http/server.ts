import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { H3 } from "h3";
import { type Listener, listen } from "listhen";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { isLoopbackHost } from "../kernel/loopback.js";
import type { Ids, RealTime } from "../kernel/runtime.js";
import { answerBrokenRequests } from "./no-request.js";

/** The server cannot listen. The message says what to do about it. */
class ListenError extends Error {
  override readonly name = "ListenError";
}

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /**
   * Closes idle connections at once, and each other connection when its answer has been sent. After `graceMs` real
   * milliseconds it cuts the rest: a client that sends half a request or stops reading would keep the server open.
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

/** A listener for node:http. Most answers have been sent already when the application returns (`sendAnswer`). */
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
    // No alternative ports: a client would look for the server at the port that was asked for.
    port: { port, ports: [], alternativePortRange: [0, 0], random: port === 0, verbose: false },
    hostname: host,
    // For the warnings of listhen only.
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

/** Listens on exactly the given port. Throws ListenError when the port is taken or not allowed. */
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
  // Node's default of five seconds is shorter than clients and load balancers keep connections: they would lose requests.
  Object.assign(listener.server, { keepAliveTimeout: 75_000 });
  return { host: options.host, port, close: (graceMs) => closeWithin(listener, graceMs, options.real) };
}
