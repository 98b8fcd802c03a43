/** The floor of a delivery: signed POSTs of about 0.9 kB over keep-alive connections, without a database. */
import { createHmac } from "node:crypto";
import { Agent, request } from "node:http";

const { url, count, connections } = JSON.parse(process.argv[2] ?? "{}");
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const target = new URL(url);
const body = JSON.stringify({ id: "evt_1", object: "event", data: { object: "x".repeat(850) } });
let sent = 0;

function once() {
  const number = sent++;
  const t = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", "secret").update(`${t}.${body}`).digest("hex");
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    "x-qa-signature": `t=${t},v1=${signature}`,
    "x-qa-delivery-id": `wd_${number}`,
  };
  return new Promise((resolve, reject) => {
    const call = request(
      { host: target.hostname, port: target.port, path: "/", method: "POST", agent, headers },
      (response) => {
        response.resume();
        response.on("end", resolve);
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

const started = performance.now();
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (sent < count) await once();
  }),
);
process.stdout.write(`${JSON.stringify({ count, seconds: (performance.now() - started) / 1_000 })}\n`);
agent.destroy();
