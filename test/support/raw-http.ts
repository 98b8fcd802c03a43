import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import type { Answer } from "./emulator.js";

interface RawRequest {
  readonly method?: string;
  /** The target in the request line, when it is not the path of the URL. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

function beginRequest(url: string, { method = "GET", target, headers = {} }: RawRequest): ClientRequest {
  const { hostname, port } = new URL(url);
  // The path is taken unchanged: a URL object would correct a path that is wrong on purpose.
  const path = target ?? url.slice(url.indexOf("/", "http://".length));
  return request({ host: hostname, port, path, method, headers: { ...headers }, agent: false });
}

function readAnswer(sent: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const names = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
        const json = String(response.headers["content-type"]).startsWith("application/json");
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(names),
          body: json && text !== "" ? JSON.parse(text) : text || null,
        });
      });
    });
  });
}

/** One request with exactly these headers, Host included, which fetch would not let a test choose. */
export function send(url: string, options: RawRequest & { readonly body?: string | Uint8Array } = {}): Promise<Answer> {
  const sent = beginRequest(url, options);
  const answer = readAnswer(sent);
  sent.end(options.body);
  return answer;
}

/** A request whose first part the server has accepted. The server waits for the rest. */
export interface Halfway {
  /** Sends the rest of the body. */
  finish(): Promise<Answer>;
}

/** Sends a request with half of its body (ASCII). Resolves when the server has begun to handle it. */
export async function sendHalf(
  url: string,
  options: RawRequest & { readonly body: string | Uint8Array },
): Promise<Halfway> {
  const framing = { "content-length": String(options.body.length), expect: "100-continue" };
  const headers = { "content-type": "application/json", ...options.headers, ...framing };
  const sent = beginRequest(url, { ...options, headers });
  const answer = readAnswer(sent);
  sent.flushHeaders();
  await new Promise<void>((resolve) => sent.once("continue", () => resolve()));
  const half = Math.floor(options.body.length / 2);
  sent.write(options.body.slice(0, half));
  return {
    finish() {
      sent.end(options.body.slice(half));
      return answer;
    },
  };
}

/**
 * Writes bytes to the server's socket. Returns all bytes that the server sends until it closes the connection. With `isAll`,
 * the client ends its side of the connection after the bytes.
 */
export function sendBytes(url: string, bytes: string, { isAll = false } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
      socket.write(bytes, "latin1");
      if (isAll) socket.end();
    });
    socket.on("end", () => socket.end());
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}
