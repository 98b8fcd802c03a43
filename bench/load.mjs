/**
 * Sends requests of one shape to any server, for a number of seconds, or until `count` were sent. It is a process of its own, so
 * that it does not slow down the server. Its argument is a job as JSON: `{url, connections, seconds, count, run, ids, ask,
 * idOf}`. `ask` has `method`, `path`, `headers` and `body`; in them `{n}` is the number of the request, `{run}` the run and
 * `{id}` one of `ids`. `idOf` names the field of an answer with the id of what was made. Prints `{count, seconds, rate, median,
 * p99, ids}`, times of requests in milliseconds. An answer that is not a success ends it with an error.
 */
import { fillRequest, inLanes, senderTo } from "./requests.mjs";

const { url, connections, seconds, count = Infinity, run, ask, ids = [], idOf } = JSON.parse(process.argv[2] ?? "{}");
const { send, close } = senderTo(url, connections);
const times = [];
const made = [];
let sent = 0;

async function once() {
  const n = sent++;
  const { path, ...request } = fillRequest(ask, { n: String(n), run, id: ids[n % ids.length] });
  const { status, text, took } = await send(path, request);
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  times.push(took);
  if (idOf !== undefined && made.length < 200) made.push(String(JSON.parse(text)[idOf]));
}

const began = performance.now();
await inLanes(connections, () => sent < count && performance.now() - began < seconds * 1_000, once);
const took = (performance.now() - began) / 1_000;
close();
const sorted = times.sort((a, b) => a - b);
const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
const figures = { count: times.length, seconds: took, rate: times.length / took, median: at(0.5), p99: at(0.99) };
console.log(JSON.stringify({ ...figures, ids: made }));
