import type { ServerResponse } from "node:http";
import { ApiError } from "../kernel/errors.js";
import type { RealTime, TimerHandle } from "../kernel/runtime.js";
import type { Channel } from "../sandbox/live-logs.js";
import { type Exchange, SENT, type Sent } from "./exchange.js";

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 100;
/** When more bytes than this wait for one reader, its stream ends. */
const MAX_WAITING = 1_048_576;
/** When more bytes than this wait, they are handed to the system before the end of the turn of the event loop. */
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

/** Streams of server-sent events (WHATWG HTML, section 9.2). A stream is one answer that stays open. */
export interface Streams {
  /**
   * Opens a stream and resolves when it has ended. Before each event `mayGoOn` says whether the caller is still
   * authenticated; otherwise the stream ends. A reader that is too slow gets a last event `overflow`
   * (docs/decisions/035-bounds.md). Throws `service_unavailable` when there are too many streams.
   */
  open(
    exchange: Pick<Exchange, "response" | "requestId">,
    mayGoOn: () => boolean,
    subscribe: (channel: Channel) => () => void,
  ): Promise<Sent>;
  closeAll(): void;
}

class Stream {
  readonly #response: ServerResponse;
  readonly #real: RealTime;
  readonly #mayGoOn: () => boolean;
  #unsubscribe: () => void = () => undefined;
  #timer: TimerHandle | null = null;

  constructor(response: ServerResponse, real: RealTime, mayGoOn: () => boolean) {
    this.#response = response;
    this.#real = real;
    this.#mayGoOn = mayGoOn;
  }

  start(requestId: string, subscribe: (channel: Channel) => () => void): void {
    const type = { "content-type": "text/event-stream", "cache-control": "no-store" };
    this.#response.writeHead(200, { ...type, "x-request-id": requestId });
    this.#unsubscribe = subscribe(this.#channel());
    this.#beat();
  }

  #channel(): Channel {
    const response = this.#response;
    const sendText: Channel["sendText"] = (event, id, text) =>
      this.#push(`event: ${event}\nid: ${id}\ndata: ${text}\n\n`);
    return {
      sendText,
      send: (event, id, data) => sendText(event, id, JSON.stringify(data)),
      remember: (id) => this.#push(`id: ${id}\n\n`),
      isFull: () => response.writableLength > FULL,
      onRoom: (callback) => void response.once("drain", callback),
    };
  }

  /** Ends the stream. A reader that has not taken the waiting bytes after `restMs` is cut off. */
  end(restMs: number, last?: string): void {
    this.#unsubscribe();
    this.#timer?.cancel();
    this.#response.end(last);
    this.#timer = this.#real.after(restMs, () => this.#response.destroy());
  }

  /** Cleans up when the connection is closed. */
  gone(): void {
    this.#unsubscribe();
    this.#timer?.cancel();
    // Marks the response as ended: nothing is written to it any more.
    this.#response.end();
  }

  #beat(): void {
    this.#push(": still here\n\n");
    if (!this.#response.writableEnded) this.#timer = this.#real.after(HEARTBEAT_MS, () => this.#beat());
  }

  #push(text: string): void {
    const response = this.#response;
    if (response.writableEnded) return;
    if (!this.#mayGoOn()) this.end(REST_MS);
    else if (response.writableLength > MAX_WAITING) {
      this.end(REST_MS, `event: overflow\ndata: ${JSON.stringify(OVERFLOW)}\n\n`);
    } else {
      response.write(Buffer.from(text));
      // One turn may write more than may wait, although the reader is fast enough.
      if (response.writableLength > SENT_TOGETHER) response.socket?.uncork();
    }
  }
}

export function createStreams(real: RealTime): Streams {
  const streams = new Set<Stream>();
  return {
    async open({ response, requestId }, mayGoOn, subscribe) {
      if (streams.size >= MAX_STREAMS) {
        const message = `There are ${MAX_STREAMS} event streams open already. Close one, then try again.`;
        throw new ApiError("service_unavailable", { message });
      }
      const stream = new Stream(response, real, mayGoOn);
      streams.add(stream);
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      stream.start(requestId, subscribe);
      await closed;
      streams.delete(stream);
      stream.gone();
      return SENT;
    },
    closeAll() {
      for (const stream of streams) stream.end(REST_WHEN_STOPPING_MS);
    },
  };
}
