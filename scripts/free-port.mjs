import { once } from "node:events";
import { createServer } from "node:net";

/**
 * The ports below those that systems give to programs that ask for any port. A port among the latter is soon taken by another
 * server of the same tests, before the program for which it was found listens on it.
 */
const FIRST = 20_000;
const COUNT = 12_000;
/** Vitest numbers the processes that run tests at the same time. Each of them draws among ports of its own. */
const SHARES = 40;
const share = Number(process.env.VITEST_POOL_ID ?? 0) % SHARES;

/** The ports that this process has given out: each is given once. @type {Set<number>} */
const given = new Set();

/** @param {number} port */
async function isFree(port) {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

/** A port of this machine on which nobody listens, for a program that has to know its port before it starts. */
export async function freePort() {
  for (;;) {
    const port = FIRST + SHARES * Math.floor((Math.random() * COUNT) / SHARES) + share;
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}
