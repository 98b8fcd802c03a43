/**
 * A load generator. It is a separate process, so that it does not slow down the server. Its argument is a job as JSON.
 * It stops after the job's `seconds`, or after its `count` requests when given, and prints `{count, seconds, errors}`.
 */
import { Agent, request } from "node:http";

const job = JSON.parse(process.argv[2] ?? "{}");
const { url, headers = {}, connections, seconds, count = Number.POSITIVE_INFINITY, reads = null, run } = job;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const body = JSON.stringify({ amount: 1990, payment_method: "pix" });
const target = new URL(url);
let sent = 0;
let done = 0;
let errors = 0;
const ids = [];

function once() {
  const number = sent++;
  const isRead = reads !== null;
  const options = {
    host: target.hostname,
    port: target.port,
    agent,
    method: isRead ? "GET" : "POST",
    path: isRead ? `/v1/charges/${reads[number % reads.length]}` : "/v1/charges",
    headers: isRead
      ? headers
      : {
          ...headers,
          "content-type": "application/json",
          "content-length": body.length,
          "idempotency-key": `${run}-${number}`,
        },
  };
  return new Promise((resolve) => {
    const call = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => {
        if (response.statusCode >= 300) errors += 1;
        else if (!isRead && ids.length < 200) ids.push(JSON.parse(text).id);
        done += 1;
        resolve();
      });
    });
    call.on("error", () => {
      errors += 1;
      resolve();
    });
    call.end(isRead ? undefined : body);
  });
}

const started = performance.now();
const until = started + seconds * 1_000;
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (sent < count && performance.now() < until) await once();
  }),
);
const took = (performance.now() - started) / 1_000;
process.stdout.write(`${JSON.stringify({ count: done, seconds: took, errors, ids })}\n`);
agent.destroy();
