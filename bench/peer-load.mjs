/**
 * Sends requests of one shape to any server, for a number of seconds. Its argument is a job as JSON: `{url, connections,
 * seconds, run, ids, ask, idOf}`. `ask` has `method`, `path`, `headers` and `body`; in them `{n}` is the number of the
 * request, `{run}` the run and `{id}` one of `ids`. `idOf` names the field of an answer with the id of what was made. Prints
 * `{count, rate, median, p99, ids}`, times in milliseconds. An answer that is not a success ends it with an error.
 */
import { Agent, request } from "node:http";

const { url, connections, seconds, run, ask, ids = [], idOf } = JSON.parse(process.argv[2] ?? "{}");
const { hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const times = [];
const made = [];
let sent = 0;

function once() {
  const n = sent++;
  const values = { "{n}": String(n), "{run}": run, "{id}": ids[n % ids.length] };
  const filled = (text) => text.replace(/\{(?:n|run|id)\}/g, (name) => values[name]);
  const body = ask.body === undefined ? "" : filled(ask.body);
  const headers = Object.fromEntries(Object.entries(ask.headers ?? {}).map(([name, value]) => [name, filled(value)]));
  if (body !== "") headers["content-length"] = String(Buffer.byteLength(body));
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const options = { hostname, port, agent, method: ask.method, path: filled(ask.path), headers };
    const call = request(options, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        times.push(performance.now() - began);
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode >= 300) reject(new Error(`${options.path}: ${response.statusCode} ${text}`));
        if (idOf !== undefined && made.length < 200) made.push(String(JSON.parse(text)[idOf]));
        resolve();
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}

const began = performance.now();
const lane = async () => {
  while (performance.now() - began < seconds * 1_000) await once();
};
await Promise.all(Array.from({ length: connections }, lane));
const rate = times.length / ((performance.now() - began) / 1_000);
agent.destroy();
const sorted = times.sort((a, b) => a - b);
const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
console.log(JSON.stringify({ count: times.length, rate, median: at(0.5), p99: at(0.99), ids: made }));
