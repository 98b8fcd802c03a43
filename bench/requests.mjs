/** Requests over connections that are kept. Shared by the parts of the benchmark and its generators of load. */
import { Agent, request } from "node:http";

/** The test key of the servers that need a key that is known. */
export const KEY = "qa_test_benchmark";

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Returns `send(path, {method, headers, body})` for one server. It resolves to `{status, text, took}`: the milliseconds until
 * the complete answer.
 */
export function senderTo(url, connections) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = (path, { method = "GET", headers = {}, body = "" } = {}) => {
    const began = performance.now();
    const sized = body === "" ? headers : { ...headers, "content-length": Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, agent, method, path, headers: sized }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk)).on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode, text, took: performance.now() - began });
        });
      });
      sent.on("error", reject).end(body);
    });
  };
  return { send, close: () => agent.destroy() };
}

/** Does the same in several lanes at once, as long as there is `more` to do. */
export async function inLanes(lanes, more, once) {
  const lane = async () => {
    while (more()) await once();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** A request of a job of bench/load.mjs, with values in the place of their names: `{n}`, `{run}` and `{id}`. */
export function fillRequest({ method, path, headers = {}, body }, values) {
  const fill = (text) => text.replace(/\{(n|run|id)\}/g, (_braces, name) => values[name]);
  const named = Object.entries(headers).map(([name, value]) => [name, fill(value)]);
  return { method, path: fill(path), headers: Object.fromEntries(named), body: body && fill(body) };
}

export const LIST = "/v1/payments?limit=20";

/** Requests of bench/load.mjs that create charges and read them. */
export const createCharge = (apikey) => ({
  method: "POST",
  path: "/v1/charges",
  headers: { apikey, "content-type": "application/json", "idempotency-key": "{run}-{n}-key" },
  body: '{"amount":1990,"payment_method":"pix"}',
});
export const readCharge = (apikey) => ({ path: "/v1/charges/{id}", headers: { apikey } });
