/** A webhook receiver that answers 204 and counts, on the port of its argument or a free one. `GET /` returns `{count, first, last, distinct}` (milliseconds). */
import { createServer } from "node:http";
import { serving } from "./serving.mjs";

let count = 0;
let first = 0;
let last = 0;
const seen = new Set();
const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify({ count, first, last, distinct: seen.size }));
    return;
  }
  request.resume();
  request.on("end", () => {
    last = performance.now();
    first ||= last;
    count += 1;
    seen.add(request.headers["x-qa-delivery-id"]);
    response.writeHead(204).end();
  });
});
serving(server, Number(process.argv[2] ?? 0));
