import { hostname } from "node:os";
import { ApiError, ERROR_CATALOGUE, shorten } from "../../base/kernel/errors.js";
import { isLoopbackHost } from "../../base/kernel/loopback.js";
import { hostOf } from "../../base/kernel/parse-host.js";

/**
 * Throws `origin_not_allowed` for a request from a page of another origin, and for a Host that is not the server's own
 * (docs/service/sandbox.md). Otherwise any website could reach the emulator through the browser of the
 * developer, by a form or by a host name that resolves to 127.0.0.1.
 */
export type OriginCheck = (host: string | undefined, origin: string | undefined) => void;

const IP_LITERAL = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;

function split(host: string): { name: string; port: string | undefined } {
  const match = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase());
  return { name: match?.[1] ?? "", port: match?.[2] };
}

function otherHost(host: string): ApiError {
  const name = hostOf(split(host).name);
  if (name === null) return new ApiError("origin_not_allowed");
  const way = `For requests to ${shorten(name)}, start it with --allow-host ${shorten(name)}.`;
  return new ApiError("origin_not_allowed", { message: `${ERROR_CATALOGUE.origin_not_allowed.message} ${way}` });
}

export interface OriginRules {
  /** The origin of a proxy in front of the server. */
  readonly publicUrl: string | null;
  /** Hosts that are accepted with any port, as `parseHost` returns them. */
  readonly allowHost: readonly string[];
  /** True if the server itself answers by TLS. */
  readonly isTls?: boolean;
}

/** `boundHosts` are the names of the server's listening address. */
export function createOriginCheck(
  boundHosts: readonly string[],
  port: number,
  { publicUrl: publicOrigin, allowHost, isTls = false }: OriginRules = { publicUrl: null, allowHost: [] },
): OriginCheck {
  const bound = boundHosts.map((host) => (host.includes(":") ? `[${host}]` : host.toLowerCase()));
  const onLoopback = bound.every(isLoopbackHost);
  const onEveryAddress = bound.includes("0.0.0.0") || bound.includes("[::]");
  const publicHost = publicOrigin === null ? null : new URL(publicOrigin).host;
  const [scheme, usualPort] = isTls ? ["https://", "443"] : ["http://", "80"];
  const accepted = new Map<string, boolean>();

  function isOwn(host: string): boolean {
    const { name, port: asked = usualPort } = split(host);
    // A server that listens on every address may be behind a port mapping (a container), so any port is accepted there.
    if (!onEveryAddress && asked !== String(port)) return false;
    if (bound.includes(name)) return true;
    if (onLoopback) return isLoopbackHost(name);
    return onEveryAddress && (name === "localhost" || name === hostname().toLowerCase() || IP_LITERAL.test(name));
  }

  function isAnswered(host: string): boolean {
    return host.toLowerCase() === publicHost || isOwn(host) || allowHost.includes(hostOf(split(host).name) ?? "");
  }

  /** On loopback the server has several names, and a page loaded by one may use another. */
  function isSameOrigin(origin: string, host: string): boolean {
    if (host === publicHost) return origin === publicOrigin;
    if (origin === scheme + host) return true;
    return onLoopback && origin.startsWith(scheme) && isOwn(origin.slice(scheme.length));
  }

  return (host, origin) => {
    if (host === undefined) throw new ApiError("origin_not_allowed");
    let answered = accepted.get(host);
    if (answered === undefined) {
      answered = isAnswered(host);
      if (accepted.size < 64) accepted.set(host, answered);
    }
    if (!answered) throw otherHost(host);
    if (origin !== undefined && !isSameOrigin(origin.toLowerCase(), host.toLowerCase())) {
      throw new ApiError("origin_not_allowed");
    }
  };
}
