import { isLoopbackHost } from "../kernel/loopback.js";
import { createOriginCheck, type OriginCheck } from "./origin.js";

export type ServerAddress = ReturnType<typeof createServerAddress>;

function originOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/**
 * Where this server is reached. Its port is known once it listens; until then there is no request to answer. `publicOrigin` is the
 * origin of a proxy in front of this server, or undefined without one.
 */
export function createServerAddress(host: string, publicOrigin?: string) {
  const publicHost = publicOrigin === undefined ? null : new URL(publicOrigin).host;
  let origin = "";
  let check: OriginCheck = () => {
    throw new Error("the server does not listen yet");
  };
  return {
    host,
    /**
     * Such as `http://127.0.0.1:4600`, without a slash at the end; empty before the server listens. It has a number and no
     * name, because a name can lead to several addresses, and others may listen there.
     */
    get origin() {
      return origin;
    },
    /** The origin in links that other people open: the public one when there is one. */
    get publicOrigin() {
      return publicOrigin ?? origin;
    },
    /** Whether only this machine reaches the server. A public address says that others do. */
    isForThisMachine: publicOrigin === undefined && isLoopbackHost(host),
    checkOrigin: ((askedHost, askedOrigin) => check(askedHost, askedOrigin)) satisfies OriginCheck,
    /** The origin by which a browser knows this server, for the Host that it has sent. */
    originFor: (asked = "") =>
      publicOrigin !== undefined && asked.toLowerCase() === publicHost ? publicOrigin : `http://${asked}`,
    listensOn(bound: { readonly host: string; readonly port: number }) {
      origin = originOf(bound.host, bound.port);
      check = createOriginCheck([host, bound.host], bound.port, publicOrigin);
    },
  };
}
