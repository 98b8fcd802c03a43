/** The floor of a delivery: signed POSTs of about 0.9 kB over keep-alive connections, without a database. */
import { createHmac } from "node:crypto";
import { inLanes, senderTo } from "./requests.mjs";

const { url, count, connections } = JSON.parse(process.argv[2] ?? "{}");
const { send, close } = senderTo(url, connections);
const body = JSON.stringify({ id: "evt_1", object: "event", data: { object: "x".repeat(850) } });
let sent = 0;

function once() {
  const number = sent++;
  const t = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", "secret").update(`${t}.${body}`).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-qa-signature": `t=${t},v1=${signature}`,
    "x-qa-delivery-id": `wd_${number}`,
  };
  return send("/", { method: "POST", headers, body });
}

const started = performance.now();
await inLanes(connections, () => sent < count, once);
console.log(JSON.stringify({ count, seconds: (performance.now() - started) / 1_000 }));
close();
