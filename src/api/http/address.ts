import { createOriginCheck, type OriginCheck, type OriginRules } from "./origin.js";

export type ServerAddress = ReturnType<typeof createServerAddress>;

const isEveryAddress = (host: string) => host === "0.0.0.0" || host === "::";

/** The certificate of a server with TLS is for localhost: browsers and other programs show that name. */
function originOf(host: string, port: number, isTls: boolean): string {
  const own = isEveryAddress(host) ? "127.0.0.1" : host;
  const name = isTls && own === "127.0.0.1" ? "localhost" : own;
  return `${schemeOf(isTls)}${name.includes(":") ? `[${name}]` : name}:${port}`;
}

const schemeOf = (isTls: boolean) => (isTls ? "https://" : "http://");

/** The address of this server. Its port is known once it listens; until then there is no request to answer. */
export function createServerAddress(settings: Omit<OriginRules, "isTls"> & { readonly host: string }, isTls = false) {
  const { host, publicUrl: publicOrigin } = settings;
  const publicHost = publicOrigin === null ? null : new URL(publicOrigin).host;
  let origin = "";
  let check: OriginCheck = () => {
    throw new Error("the server does not listen yet");
  };
  return {
    host,
    /**
     * Such as `http://127.0.0.1:4600`, without a slash at the end; empty before the server listens. It has a number and
     * no name, because a name can lead to several addresses, with other servers. With TLS that does no harm: it is
     * `https://localhost:4600`, and another server has no certificate that a client accepts.
     */
    get origin() {
      return origin;
    },
    /** The origin in links that other people open: the public one when there is one. */
    get publicOrigin() {
      return publicOrigin ?? origin;
    },
    /** True in a container, for example: nobody knows its own address beforehand. */
    isOnEveryAddress: isEveryAddress(host),
    checkOrigin: ((hostName, origin) => check(hostName, origin)) satisfies OriginCheck,
    /** The origin by which a browser knows this server, from the Host that it has sent. */
    originFor: (hostHeader = "") =>
      publicOrigin !== null && hostHeader.toLowerCase() === publicHost ? publicOrigin : schemeOf(isTls) + hostHeader,
    listensOn(bound: { readonly host: string; readonly port: number }) {
      origin = originOf(bound.host, bound.port, isTls);
      check = createOriginCheck([host, bound.host], bound.port, { ...settings, isTls });
    },
  };
}
