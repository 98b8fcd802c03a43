import type { ServerResponse } from "node:http";
import { ApiError } from "../../base/kernel/errors.js";
import type { RealTime, TimerHandle } from "../../base/kernel/runtime.js";
import type { Channel } from "../../emulator/sandbox/live-logs.js";
import { type Exchange, SENT, type Sent } from "./exchange.js";

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 100;
/** When more bytes than this wait for one reader, its stream ends. */
const MAX_WAITING = 1_048_576;
/** When more bytes than this wait, they are passed to the system before the end of the turn of the event loop. */
const SENT_TOGETHER = 65_536;
/**
 * When more bytes than this wait for its reader, a stream that can send the rest later must do so. The limit is below
 * `MAX_WAITING`, so that heartbeats have room.
 */
const FULL = 262_144;
/** Real milliseconds that a reader has to take the waiting bytes of a stream that has ended. */
const REST_MS = 15_000;
/** The same when the server stops. */
const REST_WHEN_STOPPING_MS = 1_000;

const OVERFLOW = {
  message:
    "This stream ends here: its reader takes events more slowly than they happen. Connect again; the list of this " +
    "address, without Accept: text/event-stream, has what was missed.",
};

/** One answer that stays open. Before each event it continues only if `mayGoOn` returns true. */
function createStream(response: ServerResponse, real: RealTime, mayGoOn: () => boolean) {
  let unsubscribe: () => void = () => undefined;
  let timer: TimerHandle | null = null;

  /** Ends the stream. A reader that has not taken the waiting bytes after `restMs` is cut off. */
  function end(restMs: number, last?: string): void {
    unsubscribe();
    timer?.cancel();
    response.end(last);
    timer = real.after(restMs, () => response.destroy());
  }

  function push(text: string): void {
    if (response.writableEnded) return;
    if (!mayGoOn()) end(REST_MS);
    else if (response.writableLength > MAX_WAITING) {
      end(REST_MS, `event: overflow\ndata: ${JSON.stringify(OVERFLOW)}\n\n`);
    } else {
      response.write(Buffer.from(text));
      // One turn may write more than the limit, although the reader is fast enough.
      if (response.writableLength > SENT_TOGETHER) response.socket?.uncork();
    }
  }

  function beat(): void {
    push(": still here\n\n");
    if (!response.writableEnded) timer = real.after(HEARTBEAT_MS, beat);
  }

  const sendText: Channel["sendText"] = (event, id, text) => push(`event: ${event}\nid: ${id}\ndata: ${text}\n\n`);
  const channel: Channel = {
    sendText,
    send: (event, id, data) => sendText(event, id, JSON.stringify(data)),
    remember: (id) => push(`id: ${id}\n\n`),
    isFull: () => response.writableLength > FULL,
    onRoom: (callback) => void response.once("drain", callback),
  };
  return {
    start(requestId: string, subscribe: (channel: Channel) => () => void): void {
      const type = { "content-type": "text/event-stream", "cache-control": "no-store" };
      response.writeHead(200, { ...type, "x-request-id": requestId });
      unsubscribe = subscribe(channel);
      beat();
    },
    end,
    /** Cleans up when the connection is closed. */
    onClose(): void {
      unsubscribe();
      timer?.cancel();
      // Marks the response as ended: nothing is written to it any more.
      response.end();
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;

/** Streams of server-sent events (WHATWG HTML, section 9.2). A stream is one answer that stays open. */
export function createStreams(real: RealTime) {
  const streams = new Set<ReturnType<typeof createStream>>();
  return {
    /**
     * Opens a stream and resolves when it has ended. Before each event it ends unless `mayGoOn` returns true: the
     * caller is still authenticated. A reader that is too slow gets a last event `overflow`
     * (docs/decisions/035-bounds.md). Throws `service_unavailable` when there are too many streams.
     */
    async open(
      { response, requestId }: Pick<Exchange, "response" | "requestId">,
      mayGoOn: () => boolean,
      subscribe: (channel: Channel) => () => void,
    ): Promise<Sent> {
      if (streams.size >= MAX_STREAMS) {
        const message = `There are ${MAX_STREAMS} event streams open already. Close one, then try again.`;
        throw new ApiError("service_unavailable", { message });
      }
      const stream = createStream(response, real, mayGoOn);
      streams.add(stream);
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      stream.start(requestId, subscribe);
      await closed;
      streams.delete(stream);
      stream.onClose();
      return SENT;
    },
    closeAll(): void {
      for (const stream of streams) stream.end(REST_WHEN_STOPPING_MS);
    },
  };
}
