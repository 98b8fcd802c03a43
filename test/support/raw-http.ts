import { request } from "node:http";
import { connect } from "node:net";
import type { Answer } from "./emulator.js";

/** One request with exactly these headers, Host included, which fetch would not let a test choose. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string | Uint8Array } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  // Taken as it is written: a URL object would tidy up what a test sends untidy on purpose.
  const path = url.slice(url.indexOf("/", "http://".length));
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {} } = options;
    const sent = request({ host: hostname, port, path, method, headers, agent: false }, (response) => {
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
    sent.on("error", reject);
    sent.end(options.body);
  });
}

/** Writes bytes to the server's socket and answers everything it sends back until it closes the connection. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}
