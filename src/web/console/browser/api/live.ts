import { effect } from "@preact/signals";
import { serverBlocks } from "../../../../api/client/event-stream.js";
import { book, bookHeader } from "../state/book.js";
import { connection } from "../state/connection.js";
import { PATIENCE_MS, reading } from "../state/reading.js";
import { sessionHeader } from "../state/session.js";
import { API } from "./call.js";

/**
 * The one stream of all changes (docs/decisions/035-bounds.md). A browser allows six connections to a server, so one
 * tab reads the stream and shares it with the others. A hidden tab reads nothing, and reads its data again when shown.
 */

export interface Message {
  /** `transaction`, `event`, `attempt`, `clock` and so on; `resync` when everything must be read again. */
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (messages: readonly Message[]) => void;

const listeners = new Set<Listener>();
let waiting: Message[] = [];

/** Delivers the messages of one turn together: one change of the page for many messages. */
function hand(message: Message): void {
  waiting.push(message);
  if (waiting.length > 1) return;
  // A hidden tab never gets an animation frame.
  queueMicrotask(() => {
    const batch = waiting;
    waiting = [];
    for (const listener of listeners) listener(batch);
  });
}

/** Calls the listener with each batch of messages. Returns a function that ends it. */
export function onMessages(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const RESYNC: Message = { kind: "resync", data: {} };

/** Has everything read again that the page shows. */
export const readAgain = (): void => hand(RESYNC);

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4_000;

const after = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, milliseconds);
    const end = () => {
      clearTimeout(timer);
      done();
    };
    signal.addEventListener("abort", end, { once: true });
  });

/** The pieces of a body. Not every browser can loop over the body itself. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** The messages between tabs, each with the id of the last stream message that the sender knows. */
type Shared =
  | { readonly kind: "message"; readonly id: string; readonly message: Message }
  | { readonly kind: "state"; readonly id: string; readonly state: "live" | "cut off" | "logged out" }
  /** A new tab sends this to learn if the stream is open. */
  | { readonly kind: "hello" };

/** True if a message follows another one. Ids are `boot:number`; another boot means a new server. */
function isAfter(id: string, known: string): boolean {
  const [boot, number] = id.split(":");
  const [knownBoot, knownNumber] = known.split(":");
  return boot !== knownBoot || Number(number) > Number(knownNumber);
}

/**
 * Follows the stream of one book. With Web Locks one tab reads it for all tabs, else this tab reads it for itself. The
 * next reading tab continues after the last message that it knows, so nothing is read again.
 */
class Follower {
  readonly #header: string;
  readonly #signal: AbortSignal;
  #channel: BroadcastChannel | null = null;
  #lastId = "";
  #failures = 0;
  /** True if this tab reads the stream itself, and the stream has begun. */
  #isReading = false;
  /** True if this tab has received every change since it was to begin reading. */
  #hasBegun = false;
  /** True if this tab was late: it had to begin reading before that. */
  #isLate = false;

  constructor(header: string, signal: AbortSignal) {
    this.#header = header;
    this.#signal = signal;
  }

  start(): void {
    // Browsers have locks only at trusted addresses, such as 127.0.0.1.
    if (navigator.locks === undefined) void this.#follow();
    else {
      const name = `qa-pay-stream-${this.#header}`;
      const signal = this.#signal;
      const channel = new BroadcastChannel(name);
      this.#channel = channel;
      channel.onmessage = ({ data }: MessageEvent<Shared>) => this.#hear(data);
      signal.addEventListener("abort", () => channel.close(), { once: true });
      navigator.locks.request(name, { signal }, () => this.#follow()).catch(() => undefined);
      this.#send({ kind: "hello" });
    }
    void this.#waitForStream();
  }

  /** Without an answer of the reading tab, this tab's own calls show if the server is there. */
  async #waitForStream(): Promise<void> {
    await after(PATIENCE_MS, this.#signal);
    if (this.#signal.aborted || this.#hasBegun) return;
    if (connection.current.value.state === "connecting") connection.live();
    this.#readAnyway();
  }

  #readAnyway(): void {
    if (this.#hasBegun) return;
    this.#isLate = true;
    reading.begin();
  }

  #begin(): void {
    connection.live();
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    if (this.#isLate) hand(RESYNC);
    reading.begin();
  }

  #hear(shared: Shared): void {
    if (shared.kind === "hello") {
      if (this.#isReading) this.#send({ kind: "state", id: this.#lastId, state: "live" });
      return;
    }
    if (shared.kind === "state" && shared.state !== "live") {
      if (shared.state === "cut off") connection.lost();
      else connection.loggedOut();
      this.#readAnyway();
      return;
    }
    const isNews = isAfter(shared.id, this.#lastId);
    if (isNews) this.#lastId = shared.id;
    this.#begin();
    if (isNews && shared.kind === "message") hand(shared.message);
  }

  #send(shared: Shared): void {
    if (!this.#signal.aborted) this.#channel?.postMessage(shared);
  }

  #tell(shared: Shared): void {
    if (this.#signal.aborted) return;
    this.#hear(shared);
    this.#send(shared);
  }

  /** Reads the stream until the signal aborts, and reconnects after each break. */
  async #follow(): Promise<void> {
    while (!this.#signal.aborted) {
      const state = await this.#read().catch(() => "cut off" as const);
      this.#isReading = false;
      this.#tell({ kind: "state", id: this.#lastId, state });
      await after(Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS), this.#signal);
      this.#failures += 1;
    }
  }

  /** Reads the stream to its end. Returns the reason of the end. */
  async #read(): Promise<"cut off" | "logged out"> {
    const headers: Record<string, string> = {
      ...sessionHeader(),
      accept: "text/event-stream",
      "x-qa-book": this.#header,
    };
    if (this.#lastId !== "") headers["last-event-id"] = this.#lastId;
    const answer = await fetch(`${API}/_sandbox/stream`, { headers, signal: this.#signal, cache: "no-store" });
    if (answer.status === 401) return "logged out";
    if (!answer.ok || answer.body === null) return "cut off";
    this.#failures = 0;
    for await (const { event, id, data } of serverBlocks(piecesOf(answer.body))) {
      if (id === "") continue;
      // The stream begins with an id. From then on it reports every change.
      if (!this.#isReading) this.#tell({ kind: "state", id: data === null ? id : this.#lastId, state: "live" });
      this.#isReading = true;
      if (data !== null) this.#tell({ kind: "message", id, message: { kind: event, data: JSON.parse(data) } });
    }
    return "cut off";
  }
}

let connect: (() => void) | null = null;

/** Connects at once, and has everything read again. */
export function tryAgain(): void {
  connect?.();
  readAgain();
}

/** Follows the stream of the chosen book while the page is visible. Called once. */
export function startLive(): void {
  let over = new AbortController();
  let wasHidden = false;
  const restart = () => {
    over.abort();
    over = new AbortController();
    if (document.hidden) {
      wasHidden = true;
      connection.hidden();
      reading.begin();
      return;
    }
    reading.hold();
    new Follower(bookHeader(book.value), over.signal).start();
    if (wasHidden) hand(RESYNC);
    wasHidden = false;
  };
  connect = restart;
  document.addEventListener("visibilitychange", restart);
  // What could not be read meanwhile is read when the connection is back.
  let wasWorking = true;
  effect(() => {
    const isWorking = connection.isWorking;
    if (isWorking && !wasWorking) readAgain();
    wasWorking = isWorking;
  });
  effect(() => {
    void book.value;
    restart();
  });
}
