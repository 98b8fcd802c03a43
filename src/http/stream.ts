import { FastResponse } from "srvx";
import type { RealTime, TimerHandle } from "../kernel/runtime.js";

const HEARTBEAT_MS = 15_000;

/** Server-sent events (WHATWG HTML, section 9.2): one open answer that ends when the client or the server goes. */
export interface Streams {
  /** Ends by itself, without another event, once `mayGoOn` says no: the key that opened it works no more. */
  open(
    requestId: string,
    mayGoOn: () => boolean,
    subscribe: (send: (event: string, id: string, data: unknown) => void) => () => void,
  ): Response;
  closeAll(): void;
}

export function createStreams(real: RealTime): Streams {
  const closers = new Set<() => void>();
  return {
    open(requestId, mayGoOn, subscribe) {
      let close: () => void = () => undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const encoder = new TextEncoder();
          const push = (text: string) => controller.enqueue(encoder.encode(text));
          let heartbeat: TimerHandle;
          const beat = () => {
            if (!mayGoOn()) return end();
            push(": still here\n\n");
            heartbeat = real.after(HEARTBEAT_MS, beat);
          };
          const unsubscribe = subscribe((event, id, data) => {
            if (!mayGoOn()) return end();
            push(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
          });
          const end = () => {
            unsubscribe();
            heartbeat.cancel();
            closers.delete(end);
            try {
              controller.close();
            } catch {
              // The client has gone already.
            }
          };
          closers.add(end);
          close = end;
          beat();
        },
        cancel: () => close(),
      });
      return new FastResponse(body, {
        status: 200,
        headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-request-id": requestId },
      }) as Response;
    },
    closeAll() {
      for (const close of [...closers]) close();
    },
  };
}
