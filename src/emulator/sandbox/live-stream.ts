import { parseObject } from "../../base/kernel/json.js";
import type { News } from "../../service/features/tx.js";
import type { Channel } from "./live-logs.js";

/**
 * One stream of everything that happens, for pages and programs that stay up to date by it
 * (docs/decisions/035-bounds.md). The latest messages are kept, so that a reader who comes back misses nothing. A
 * reader takes them from there at its own pace: unread messages take no extra memory for each reader.
 */

const MAX_MESSAGES = 4_000;
const MAX_BYTES = 4 * 1_048_576;
/** Bytes that a message takes besides its text, estimated generously. */
const MESSAGE_BYTES = 256;
const BYTES_PER_CHARACTER = 2;

export interface StreamMessage {
  /** `<boot>:<seq>`. */
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface BufferedMessage {
  readonly bookId: number | null;
  readonly kind: string;
  /** JSON. */
  readonly data: string;
}

const RESYNC = "resync";

/** The reasons why a reader must read anew: it missed messages, its last id is unknown here, or the contents were replaced. */
type Reason = "missed" | "unknown_id" | "replaced";

function sizeOf({ kind, data }: BufferedMessage): number {
  return MESSAGE_BYTES + BYTES_PER_CHARACTER * (kind.length + data.length);
}

/** The latest messages, with numbers that go on when older ones are dropped. `boot` begins their ids. */
function createRing(boot: string) {
  const messages: BufferedMessage[] = [];
  /** The number of the oldest message that is kept. */
  let first = 1;
  let bytes = 0;
  /** The number of the latest message. */
  const last = () => first + messages.length - 1;
  return {
    last,
    add(message: BufferedMessage): void {
      messages.push(message);
      bytes += sizeOf(message);
      while (messages.length > MAX_MESSAGES || (bytes > MAX_BYTES && messages.length > 1)) {
        const oldest = messages.shift();
        first += 1;
        if (oldest !== undefined) bytes -= sizeOf(oldest);
      }
    },
    clear(): void {
      first = last() + 1;
      messages.length = 0;
      bytes = 0;
    },
    /** The message with this number; undefined when it is not kept any more or not there yet. */
    at: (number: number): BufferedMessage | undefined => messages[number - first],
    /** True if all messages after this number are kept. */
    hasAllAfter: (number: number) => number >= first - 1 && number <= last(),
    idOf: (number: number) => `${boot}:${number}`,
    /** The number in an id of this start; null for any other text. */
    numberOf(id: string): number | null {
      const [start, number = "", ...rest] = id.split(":");
      return start === boot && rest.length === 0 && /^\d{1,15}$/.test(number) ? Number(number) : null;
    },
  };
}

/** Sends the messages of a book from the one after `lastId` on, while the channel has room. */
function createReader(
  ring: ReturnType<typeof createRing>,
  bookId: number,
  channel: Channel,
  lastId: string | undefined,
) {
  const last = lastId === undefined || lastId === "" ? ring.last() : ring.numberOf(lastId);
  /** The number of the latest message that was sent or passed over. */
  let cursor = last ?? ring.last();
  let isWaiting = false;
  let isOver = false;

  function resync(reason: Reason): void {
    cursor = ring.last();
    channel.sendText(RESYNC, ring.idOf(cursor), JSON.stringify({ reason }));
  }

  function step(): void {
    if (!ring.hasAllAfter(cursor)) {
      resync("missed");
      return;
    }
    cursor += 1;
    const message = ring.at(cursor);
    if (message === undefined || (message.bookId !== null && message.bookId !== bookId)) return;
    channel.sendText(message.kind, ring.idOf(cursor), message.data);
  }

  function pump(): void {
    if (isWaiting) return;
    while (!isOver && cursor !== ring.last()) {
      if (channel.isFull()) {
        isWaiting = true;
        channel.onRoom(() => {
          isWaiting = false;
          pump();
        });
        return;
      }
      step();
    }
  }

  if (last === null) resync("unknown_id");
  // A reader that has received no message yet can reconnect with this id.
  else channel.remember(ring.idOf(cursor));
  pump();
  return {
    pump,
    stop() {
      isOver = true;
    },
  };
}

export type LiveStream = ReturnType<typeof createLiveStream>;

/** `boot` is unique for each start of the server. `begin` is called once, when somebody reads for the first time. */
export function createLiveStream(boot: string, begin: (publish: (message: News) => void) => void) {
  const ring = createRing(boot);
  const readers = new Set<ReturnType<typeof createReader>>();
  let hasBegun = false;

  function publish({ bookId, kind, data }: News): void {
    if (!hasBegun) return;
    ring.add({ bookId, kind, data: JSON.stringify(data) });
    for (const reader of readers) reader.pump();
  }

  /** A server whose stream nobody reads does no work for it. */
  function beginOnce(): void {
    if (hasBegun) return;
    hasBegun = true;
    begin(publish);
  }

  return {
    /** Begins the ids of all messages. */
    boot,
    publish,
    /** Forgets all messages and requests that every reader read anew, because the contents have been replaced. */
    restart(): void {
      ring.clear();
      publish({ bookId: null, kind: RESYNC, data: { reason: "replaced" satisfies Reason } });
    },
    /** The latest messages of a book, the newest first. */
    latest(bookId: number, limit: number): StreamMessage[] {
      beginOnce();
      const found: StreamMessage[] = [];
      for (let number = ring.last(); found.length < limit; number--) {
        const message = ring.at(number);
        if (message === undefined) break;
        const { kind, data } = message;
        const isOwn = message.bookId === null || message.bookId === bookId;
        if (isOwn) found.push({ id: ring.idOf(number), event: kind, data: parseObject(data) });
      }
      return found;
    },
    /** Sends the messages of a book: without `lastId` from now on. Returns a function that stops it. */
    follow(bookId: number, lastId: string | undefined, channel: Channel): () => void {
      beginOnce();
      const reader = createReader(ring, bookId, channel, lastId);
      readers.add(reader);
      return () => {
        reader.stop();
        readers.delete(reader);
      };
    },
  };
}
