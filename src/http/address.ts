import { isLoopbackHost } from "../kernel/loopback.js";
import { createOriginCheck, type OriginCheck } from "./origin.js";

/** Where this server is reached. Its port is known once it listens; until then there is no request to answer. */
export interface ServerAddress {
  readonly host: string;
  /**
   * Such as `http://127.0.0.1:4600`, without a slash at the end; empty before the server listens. It has a number and no
   * name, because a name can lead to several addresses, and others may listen there.
   */
  readonly origin: string;
  /** The origin in links that other people open: the public one when there is one. */
  readonly publicOrigin: string;
  /** Whether only this machine reaches the server. A public address says that others do. */
  readonly isForThisMachine: boolean;
  readonly checkOrigin: OriginCheck;
  /** The origin by which a browser knows this server, for the Host that it has sent. */
  originFor(host: string | undefined): string;
  listensOn(bound: { readonly host: string; readonly port: number }): void;
}

function originOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** `publicOrigin` is the origin of a proxy in front of this server, or undefined without one. */
export function createServerAddress(host: string, publicOrigin?: string): ServerAddress {
  const publicHost = publicOrigin === undefined ? null : new URL(publicOrigin).host;
  let origin = "";
  let check: OriginCheck = () => {
    throw new Error("the server does not listen yet");
  };
  return {
    host,
    get origin() {
      return origin;
    },
    get publicOrigin() {
      return publicOrigin ?? origin;
    },
    isForThisMachine: publicOrigin === undefined && isLoopbackHost(host),
    checkOrigin: (askedHost, askedOrigin) => check(askedHost, askedOrigin),
    originFor: (asked = "") =>
      publicOrigin !== undefined && asked.toLowerCase() === publicHost ? publicOrigin : `http://${asked}`,
    listensOn(bound) {
      origin = originOf(bound.host, bound.port);
      check = createOriginCheck([host, bound.host], bound.port, publicOrigin);
    },
  };
}
