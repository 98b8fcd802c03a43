import { createServer } from "node:net";

/**
 * Systems assign the ports from 32768 on to programs that request any port. Such a port may go to another program before the
 * shop listens on it, so lower ports are taken.
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

/** Returns a port on which nobody listens. `fraction` returns numbers in [0, 1). */
export async function freePort(fraction: () => number): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(fraction() * COUNT);
    if (await isFree(port)) return port;
  }
}
