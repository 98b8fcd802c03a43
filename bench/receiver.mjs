/** A webhook receiver that answers 204. `GET /` returns `{distinct}`: how many deliveries it has seen. */
import { createServer } from "node:http";
import { startServing } from "./serving.mjs";

const seen = new Set();
const server = createServer((request, response) => {
  if (request.method === "GET") return response.end(JSON.stringify({ distinct: seen.size }));
  request.resume().on("end", () => {
    seen.add(request.headers["x-qa-delivery-id"]);
    response.writeHead(204).end();
  });
});
await startServing(server);
