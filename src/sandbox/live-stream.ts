import type { Channel } from "./live-logs.js";

/**
 * One stream of everything that happens, for pages and programs that stay up to date by it
 * (docs/decisions/045-one-stream.md). The latest messages are kept, so that a reader who comes back misses nothing. A
 * reader takes them from there at its own pace: unread messages take no extra memory for each reader.
 */

const MAX_MESSAGES = 4_000;
const MAX_BYTES = 4 * 1_048_576;
/** Bytes that a message takes besides its text, estimated generously. */
const MESSAGE_BYTES = 256;
const BYTES_PER_CHARACTER = 2;

/** One message. It is small: ids and what has changed. */
export interface Happened {
  /** Null for what all accounts share, such as the clock. */
  readonly bookId: number | null;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StreamMessage {
  /** `<boot>:<seq>`. */
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LiveStream {
  /** Begins the ids of all messages. */
  readonly boot: string;
  publish(message: Happened): void;
  /** Forgets all messages and tells every reader to read anew what it shows: the contents have been replaced. */
  restart(): void;
  /** The latest messages of a book, the newest first. */
  latest(bookId: number, limit: number): StreamMessage[];
  /**
   * Sends the messages of a book, from the one after `lastId` on; without `lastId` from now on. Returns a function that
   * stops it.
   */
  follow(bookId: number, lastId: string | undefined, channel: Channel): () => void;
}

interface Kept {
  readonly bookId: number | null;
  readonly kind: string;
  /** JSON. */
  readonly data: string;
}

const RESYNC = "resync";

/** Why a reader must read anew: it missed messages, its last id is unknown here, or the contents were replaced. */
type Reason = "missed" | "unknown_id" | "replaced";

class Ring {
  readonly boot: string;
  readonly #messages: Kept[] = [];
  /** The number of the oldest message that is kept. */
  #first = 1;
  #bytes = 0;

  constructor(boot: string) {
    this.boot = boot;
  }

  /** The number of the latest message. */
  get last(): number {
    return this.#first + this.#messages.length - 1;
  }

  add(message: Kept): void {
    this.#messages.push(message);
    this.#bytes += sizeOf(message);
    while (this.#messages.length > MAX_MESSAGES || (this.#bytes > MAX_BYTES && this.#messages.length > 1)) {
      const oldest = this.#messages.shift();
      this.#first += 1;
      if (oldest !== undefined) this.#bytes -= sizeOf(oldest);
    }
  }

  clear(): void {
    this.#first = this.last + 1;
    this.#messages.length = 0;
    this.#bytes = 0;
  }

  /** The message with this number; undefined when it is not kept any more or not there yet. */
  at(number: number): Kept | undefined {
    return this.#messages[number - this.#first];
  }

  /** Whether all messages after this number are kept. */
  hasAllAfter(number: number): boolean {
    return number >= this.#first - 1 && number <= this.last;
  }

  idOf(number: number): string {
    return `${this.boot}:${number}`;
  }

  /** The number in an id of this start; null for any other text. */
  numberOf(id: string): number | null {
    const [boot, number = "", ...rest] = id.split(":");
    return boot === this.boot && rest.length === 0 && /^\d{1,15}$/.test(number) ? Number(number) : null;
  }
}

function sizeOf({ kind, data }: Kept): number {
  return MESSAGE_BYTES + BYTES_PER_CHARACTER * (kind.length + data.length);
}

class Reader {
  readonly #ring: Ring;
  readonly #bookId: number;
  readonly #channel: Channel;
  /** The number of the latest message that was sent or passed over. */
  #cursor: number;
  #isWaiting = false;
  #isOver = false;

  constructor(ring: Ring, bookId: number, channel: Channel, lastId: string | undefined) {
    this.#ring = ring;
    this.#bookId = bookId;
    this.#channel = channel;
    const asked = lastId === undefined || lastId === "" ? ring.last : ring.numberOf(lastId);
    this.#cursor = asked ?? ring.last;
    if (asked === null) this.#resync("unknown_id");
    // With this id, a reader that has received no message yet can come back.
    else channel.remember(ring.idOf(this.#cursor));
    this.pump();
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Sends the waiting messages while the channel has room. */
  pump(): void {
    if (this.#isWaiting) return;
    while (!this.#isOver && this.#cursor !== this.#ring.last) {
      if (this.#channel.isFull()) {
        this.#isWaiting = true;
        this.#channel.onRoom(() => {
          this.#isWaiting = false;
          this.pump();
        });
        return;
      }
      this.#step();
    }
  }

  #step(): void {
    if (!this.#ring.hasAllAfter(this.#cursor)) {
      this.#resync("missed");
      return;
    }
    this.#cursor += 1;
    const message = this.#ring.at(this.#cursor);
    if (message === undefined || (message.bookId !== null && message.bookId !== this.#bookId)) return;
    this.#channel.sendText(message.kind, this.#ring.idOf(this.#cursor), message.data);
  }

  #resync(reason: Reason): void {
    this.#cursor = this.#ring.last;
    this.#channel.sendText(RESYNC, this.#ring.idOf(this.#cursor), JSON.stringify({ reason }));
  }
}

/** `boot` is unique for each start of the server. `begin` is called once, when somebody reads for the first time. */
export function createLiveStream(boot: string, begin: (publish: LiveStream["publish"]) => void): LiveStream {
  const ring = new Ring(boot);
  const readers = new Set<Reader>();
  let hasBegun = false;

  function publish({ bookId, kind, data }: Happened): void {
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
    boot,
    publish,
    restart() {
      ring.clear();
      publish({ bookId: null, kind: RESYNC, data: { reason: "replaced" satisfies Reason } });
    },
    latest(bookId, limit) {
      beginOnce();
      const found: StreamMessage[] = [];
      for (let number = ring.last; found.length < limit; number--) {
        const message = ring.at(number);
        if (message === undefined) break;
        const { kind, data } = message;
        const isOwn = message.bookId === null || message.bookId === bookId;
        if (isOwn) found.push({ id: ring.idOf(number), event: kind, data: JSON.parse(data) });
      }
      return found;
    },
    follow(bookId, lastId, channel) {
      beginOnce();
      const reader = new Reader(ring, bookId, channel, lastId);
      readers.add(reader);
      return () => {
        reader.stop();
        readers.delete(reader);
      };
    },
  };
}
