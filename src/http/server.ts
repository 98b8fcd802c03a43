import type { Server } from "node:http";
import { type H3, toNodeHandler } from "h3";
import { listen } from "listhen";

/** The server cannot start; the message says what to do about it. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /** Ends idle connections at once and busy ones after their answer. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

async function bind(app: H3, { host, port }: ListenOptions): Promise<Server> {
  const handler = toNodeHandler(app) as Parameters<typeof listen>[0];
  const listener = await listen(handler, {
    port: { port, ports: [], alternativePortRange: [0, 0], random: port === 0 },
    hostname: host,
    public: true,
    showURL: false,
    autoClose: false,
    isProd: true,
  });
  return listener.server as Server;
}

/** Listens on exactly the port asked for. Throws ListenError when it is taken or may not be used. */
export async function serveHttp(app: H3, options: ListenOptions): Promise<HttpServer> {
  let server: Server;
  try {
    server = await bind(app, options);
  } catch (cause) {
    throw new ListenError(`Cannot listen on ${options.host}:${options.port}: ${String(cause)}`, { cause });
  }
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : options.port;
  if (options.port !== 0 && bound !== options.port) {
    server.close();
    throw new ListenError(
      `Port ${options.port} is in use. Stop what listens there, choose another with --port, or take any with --port 0.`,
    );
  }
  // Clients and load balancers keep connections longer than node's default of five seconds.
  server.keepAliveTimeout = 75_000;
  return {
    host: options.host,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
