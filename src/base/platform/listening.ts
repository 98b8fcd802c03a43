import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** The port of a server. Throws for one that listens on no port. */
export function addressOf(server: Pick<Server, "address">): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return address;
}

/** Lets a server listen on a free port of 127.0.0.1. Returns the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return addressOf(server).port;
}

/** A longer body is cut. No event of the service is nearly as long. */
const MAX_BODY = 4 * 1_048_576;

type Take = (request: IncomingMessage, body: string, response: ServerResponse) => void;

async function receive(request: IncomingMessage, response: ServerResponse, take: Take): Promise<void> {
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
    }
    take(request, Buffer.concat(chunks).toString(), response);
  } catch {
    response.destroy();
  }
}

/** Takes requests on a free port of 127.0.0.1, each with its body. */
export async function receiveOnLoopback(take: Take) {
  const server = createServer((request, response) => void receive(request, response, take));
  return {
    port: await listenOnLoopback(server),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
