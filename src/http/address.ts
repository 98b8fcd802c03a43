import { createOriginCheck, type OriginCheck } from "./origin.js";

/** Where this server is reached. Its port is known once it listens; until then there is no request to answer. */
export interface ServerAddress {
  readonly host: string;
  /** Such as `http://127.0.0.1:4600`, without a slash at the end; empty before the server listens. */
  readonly origin: string;
  readonly checkOrigin: OriginCheck;
  listensOn(port: number): void;
}

function originOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

export function createServerAddress(host: string): ServerAddress {
  let origin = "";
  let check: OriginCheck = () => {
    throw new Error("the server does not listen yet");
  };
  return {
    host,
    get origin() {
      return origin;
    },
    checkOrigin: (askedHost, askedOrigin) => check(askedHost, askedOrigin),
    listensOn(port) {
      origin = originOf(host, port);
      check = createOriginCheck(host, port);
    },
  };
}
