import { effect } from "@preact/signals";
import { book, bookHeader } from "../state/book.js";
import { connection } from "../state/connection.js";
import { API } from "./call.js";
import { eventsIn } from "./events.js";

/**
 * The one stream of everything that happens (docs/decisions/045-one-stream.md). A browser allows six connections to a server,
 * so that one tab reads the stream and shares it with the others. A hidden tab reads nothing, and reads its data again when it is shown.
 */

export interface Message {
  /** `transaction`, `event`, `attempt`, `clock` and so on; `resync` when everything must be read again. */
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (messages: readonly Message[]) => void;

const listeners = new Set<Listener>();
let waiting: Message[] = [];

/** Hands over the messages of one turn together: one change of the page for many messages. */
function hand(message: Message): void {
  waiting.push(message);
  if (waiting.length > 1) return;
  // A frame of animation would never come in a hidden tab.
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

/** What the tab that reads the stream tells the others. */
type Shared =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "state"; readonly state: "live" | "cut off" | "logged out" };

interface Share {
  send(shared: Shared): void;
}

function apply(shared: Shared): void {
  if (shared.kind === "message") {
    connection.live();
    hand(shared.message);
  } else if (shared.state === "live") connection.live();
  else if (shared.state === "cut off") connection.lost();
  else connection.loggedOut();
}

class Source {
  #lastId = "";
  #failures = 0;
  /** Whether a connection existed before: what happened since then may be lost, when its last id is not known any more. */
  #hadConnection = false;
  readonly #header: string;
  readonly #share: Share;

  constructor(header: string, share: Share) {
    this.#header = header;
    this.#share = share;
  }

  /** Reads the stream until the signal says that it is over, and comes back after each break. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#read(signal);
        if (!signal.aborted) this.#tell({ kind: "state", state: "cut off" });
      } catch {
        if (!signal.aborted) this.#tell({ kind: "state", state: "cut off" });
      }
      await after(Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS), signal);
      this.#failures += 1;
    }
  }

  #tell(shared: Shared): void {
    apply(shared);
    this.#share.send(shared);
  }

  async #read(signal: AbortSignal): Promise<void> {
    const headers: Record<string, string> = { accept: "text/event-stream", "x-qa-book": this.#header };
    if (this.#lastId !== "") headers["last-event-id"] = this.#lastId;
    const answer = await fetch(`${API}/_sandbox/stream`, { headers, signal, cache: "no-store" });
    if (answer.status === 401) {
      this.#tell({ kind: "state", state: "logged out" });
      await after(LONGEST_WAIT_MS, signal);
      return;
    }
    if (!answer.ok || answer.body === null) throw new Error(`the stream answered ${answer.status}`);
    this.#failures = 0;
    this.#tell({ kind: "state", state: "live" });
    if (this.#hadConnection && this.#lastId === "") this.#tell({ kind: "message", message: RESYNC });
    this.#hadConnection = true;
    for await (const { event, id, data } of eventsIn(answer.body)) {
      if (id !== "") this.#lastId = id;
      if (data !== null) this.#tell({ kind: "message", message: { kind: event, data: JSON.parse(data) } });
    }
  }
}

/** Follows the stream of one book. With Web Locks one tab reads it for all tabs; else this tab reads it for itself. */
function followBook(header: string, signal: AbortSignal): void {
  const name = `qa-pay-stream-${header}`;
  // Browsers have locks only on an address that they trust, such as 127.0.0.1.
  if (navigator.locks === undefined) {
    void new Source(header, { send: () => undefined }).follow(signal);
    return;
  }
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Shared>) => apply(data);
  signal.addEventListener("abort", () => channel.close(), { once: true });
  const share: Share = { send: (shared) => signal.aborted || channel.postMessage(shared) };
  const reading = navigator.locks.request(name, { signal }, () => {
    // Another tab has read it until now, and this one does not know up to where.
    hand(RESYNC);
    return new Source(header, share).follow(signal);
  });
  reading.catch(() => undefined);
  void announceWhenLive(signal);
}

/** A tab that waits for its turn hears of the stream by the first message. Until then its own calls tell whether it works. */
async function announceWhenLive(signal: AbortSignal): Promise<void> {
  await after(300, signal);
  if (!signal.aborted && connection.current.value.state === "connecting") connection.live();
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
      return;
    }
    followBook(bookHeader(book.value), over.signal);
    if (wasHidden) hand(RESYNC);
    wasHidden = false;
  };
  document.addEventListener("visibilitychange", restart);
  effect(() => {
    void book.value;
    restart();
  });
}
