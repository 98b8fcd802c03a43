import * as http from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";
import { isSuccess } from "../../base/kernel/http-status.js";
import { percentDecoded } from "../../base/kernel/page-address.js";
import { explain, type Incoming, NoAnswer, type Open } from "../../base/platform/http-request.js";
import type { HttpProxy } from "./proxy.js";

/** The ways through a proxy. Loaded when there is one. */

/** The proxy refused to connect to the host. The message contains the reason. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";

  constructor(
    readonly status: number,
    statusText = "",
  ) {
    super(`it answered ${status}${statusText === "" ? "" : ` ${statusText}`}`);
  }
}

type Read<Result> = (incoming: Incoming) => Result | Promise<Result>;

/** The path of a request through a proxy. */
interface ProxyRoute {
  readonly open: Open;
  readonly agent?: http.Agent;
  /** Reads the answer, unless it is one that only a proxy sends. */
  readUnlessProxy<Result>(read: Read<Result>): Read<Result>;
  /** True if a failed request did not pass the proxy. */
  endedAtProxy(error: unknown): boolean;
}

function credentials({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const text = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(text).toString("base64")}` };
}

const opener = ({ protocol }: URL) => (protocol === "https:" ? https.request : http.request);

function placeOf(proxy: URL) {
  const usual = proxy.protocol === "https:" ? 443 : 80;
  return { host: proxy.hostname.replace(/^\[|\]$/g, ""), port: Number(proxy.port) || usual };
}

/** Opens a connection through the proxy, and speaks TLS with the host over it. The proxy sees no request or key. */
class TunnelAgent extends https.Agent {
  #asking: http.ClientRequest | null = null;
  isThrough = false;

  constructor(readonly proxy: URL) {
    super();
  }

  override createConnection(
    options: https.AgentOptions & { host?: string | null; port?: number | string | null },
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const host = options.host?.includes(":") ? `[${options.host}]` : options.host;
    const path = `${host}:${options.port}`;
    const headers = { host: path, ...credentials(this.proxy) };
    const asking = opener(this.proxy)({ ...placeOf(this.proxy), method: "CONNECT", path, headers, agent: false });
    this.#asking = asking;
    const fail = (error: Error) => callback?.(error, undefined as unknown as Duplex);
    asking
      .once("connect", ({ statusCode = 0, statusMessage }, socket) => {
        if (!isSuccess(statusCode)) {
          socket.destroy();
          fail(new ProxyRefusal(statusCode, statusMessage));
          return;
        }
        this.isThrough = true;
        const secure = super.createConnection({ ...options, socket } as typeof options);
        if (secure) callback?.(null, secure);
      })
      .once("error", (error) => fail(new Error(explain(error))))
      .end();
    return undefined;
  }

  /** Ends a request that the proxy has not answered. */
  giveUp(): void {
    if (!this.isThrough) this.#asking?.destroy();
  }
}

function throughTunnel({ url: proxy }: HttpProxy): ProxyRoute {
  const agent = new TunnelAgent(proxy);
  return {
    open: https.request,
    agent,
    readUnlessProxy: (read) => read,
    endedAtProxy() {
      agent.giveUp();
      return !agent.isThrough;
    },
  };
}

/** The whole request is sent to the proxy, which reads it. Only its refusal 407 differs from answers of the host. */
function throughPlainProxy({ url: proxy }: HttpProxy): ProxyRoute {
  return {
    open(url, options) {
      const { href: path, host } = new URL(url);
      const headers = { host, ...options.headers, ...credentials(proxy) };
      return opener(proxy)({ ...options, ...placeOf(proxy), headers, path, agent: false });
    },
    readUnlessProxy: (read) => (incoming) => {
      if (incoming.status === 407) throw new ProxyRefusal(407, "Proxy Authentication Required");
      return read(incoming);
    },
    endedAtProxy: (error) => error instanceof NoAnswer && (!error.wasSent || error.cause instanceof ProxyRefusal),
  };
}

export function proxyRoute(proxy: HttpProxy, url: string): ProxyRoute {
  return url.startsWith("https:") ? throughTunnel(proxy) : throughPlainProxy(proxy);
}
