import { freePort as freePortFrom } from "../../src/checks/shop/free-port.js";

/** Vitest numbers the processes that run tests at the same time. Each of them draws among ports of its own. */
const SHARES = 40;
const share = Number(process.env.VITEST_POOL_ID ?? 0) % SHARES;

/** The ports that this process has given out: each is given once. */
const given = new Set<number>();

/** A port of this machine on which nobody listens, for a program that has to know its port before it starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await freePortFrom(() => (share + Math.random()) / SHARES);
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
