import type { ClientRequest } from "node:http";
import { whenConnected } from "../../base/platform/http-request.js";

/**
 * Lets `count` requests come at the same moment: none is sent before each of them has its connection. One over a connection that was
 * kept would else come far before one that has to look for the host first.
 */
export function together(count: number) {
  let missing = count;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  /** What sends the body of one of them. */
  return (body: string) =>
    (request: ClientRequest): void => {
      let isCounted = false;
      const count = () => {
        if (isCounted) return;
        isCounted = true;
        missing -= 1;
        if (missing === 0) open();
      };
      whenConnected(request, count);
      // One that finds no connection does not hold up the others.
      request.on("close", count);
      void all.then(() => request.end(body));
    };
}

export type Moment = ReturnType<typeof together>;
