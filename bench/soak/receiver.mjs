/**
 * A webhook receiver that fails as real ones do, a process of its own. Of 100 requests about 90 are answered with 204, four with 500,
 * two with 429 and `Retry-After`, two after two seconds, one not at all until the sender gives up, and one connection is
 * cut. `GET /` returns `{count, failed}`.
 */
import { createServer } from "node:http";
import { serving } from "../serving.mjs";

let count = 0;
let failed = 0;

const answer = (response, status, headers = {}) => response.writeHead(status, headers).end();

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify({ count, failed }));
    return;
  }
  request.resume();
  request.on("end", () => {
    const turn = count % 100;
    count += 1;
    if (turn < 90) return answer(response, 204);
    if (turn < 92) return setTimeout(() => answer(response, 204), 2_000);
    failed += 1;
    if (turn < 96) return answer(response, 500);
    if (turn < 98) return answer(response, 429, { "retry-after": "2" });
    if (turn < 99) return request.socket.destroy();
  });
});
serving(server);
