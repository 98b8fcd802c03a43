import { createServer } from "node:net";

/**
 * Systems give the ports from 32768 on to programs that ask for any port. One of those may be given to another program between
 * the moment it is found and the moment the shop listens on it. So ports are taken from below.
 */
const FIRST = 20_000;
const COUNT = 12_000;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // Without a host: a port that is taken on any address of this machine is not free.
    server.once("error", () => resolve(false)).listen(port, () => server.close(() => resolve(true)));
  });
}

/** A port on which nobody listens. `fraction` gives numbers in [0, 1). */
export async function freePort(fraction: () => number): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(fraction() * COUNT);
    if (await isFree(port)) return port;
  }
}
