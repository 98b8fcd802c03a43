/** Answers every request with the bytes of a file. Usage: node bench/floor-list.mjs FILE. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { serving } from "./serving.mjs";

const text = readFileSync(process.argv[2], "utf8");
serving(createServer((_request, answer) => answer.writeHead(200, { "content-type": "application/json" }).end(text)));
