/** Answers every request with the bytes of a file. Usage: node bench/floor-list.mjs FILE. Prints `{"url"}` when it listens. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const text = readFileSync(process.argv[2], "utf8");
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(text);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
process.on("SIGTERM", () => process.exit(0));
