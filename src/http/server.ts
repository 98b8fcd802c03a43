import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { H3 } from "h3";
import { type Listener, listen } from "listhen";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { Ids, RealTime } from "../kernel/runtime.js";
import { answerBrokenRequests } from "./no-request.js";

/** The server cannot start; the message says what to do about it. */
class ListenError extends Error {
  override readonly name = "ListenError";
}

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /** Lets requests in. Those that came before have waited. */
  serve(app: H3): void;
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

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** The application, which comes after the port. */
interface Gate {
  app: H3 | null;
  readonly opened: Promise<H3>;
  open(app: H3): void;
}

function createGate(): Gate {
  let pass: (app: H3) => void = () => undefined;
  const opened = new Promise<H3>((done) => {
    pass = done;
  });
  const gate: Gate = {
    app: null,
    opened,
    open(app) {
      gate.app = app;
      pass(app);
    },
  };
  return gate;
}

/** The application as node:http calls it. Most answers are on their way already when the application returns. */
function nodeListener(gate: Gate) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const send = (answer: Response) => (response.writableEnded ? undefined : sendNodeResponse(response, answer));
    const context = { req: request, res: response } as ConstructorParameters<typeof NodeRequest>[0];
    const asked = new NodeRequest(context);
    const answer = gate.app === null ? gate.opened.then((app) => app.fetch(asked)) : gate.app.fetch(asked);
    return answer instanceof Promise ? answer.then(send) : send(answer);
  };
}

function bind(gate: Gate, { host, port }: Pick<ListenOptions, "host" | "port">): Promise<Listener> {
  return listen(nodeListener(gate), {
    // No other port in its stead: whoever asked for one would not find the server.
    port: { port, ports: [], alternativePortRange: [0, 0], random: port === 0, verbose: false },
    hostname: host,
    // Only says whether the address is meant to be public, for listhen's own warnings.
    public: !LOOPBACK.test(host),
    showURL: false,
    autoClose: false,
    isTest: true,
  });
}

async function closeWithin({ server, close }: Listener, graceMs: number, real: RealTime): Promise<void> {
  const cutAll = () => (server as Server).closeAllConnections();
  if (graceMs === 0) {
    const closed = close();
    cutAll();
    return closed;
  }
  const cut = real.after(graceMs, cutAll);
  await close();
  cut.cancel();
}

/** Listens on exactly the port asked for. Throws ListenError when it is taken or may not be used. */
export async function takePort(options: ListenOptions): Promise<HttpServer> {
  const gate = createGate();
  let listener: Listener;
  try {
    listener = await bind(gate, options);
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
  const close = (graceMs: number) => closeWithin(listener, graceMs, options.real);
  return { host: options.host, port, serve: gate.open, close };
}
