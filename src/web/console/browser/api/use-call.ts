import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { OperationAnswer, OperationId } from "../../../../api/client/types.js";
import { book, bookHeader } from "../state/book.js";
import { asFailure, type CallFailed, callAny } from "./call.js";
import type { ViewInput } from "./input.js";
import { type Message, onMessages } from "./live.js";

/** The state of data that a page shows. The old data stays while it is read again. */
export interface Loaded<Data> {
  readonly data: Data | null;
  readonly error: CallFailed | null;
  readonly isLoading: boolean;
  /** Reads it once more, after an error. */
  readonly retry: () => void;
}

/** True if it was read, or cannot be read. Without a connection it is read later. */
export const isSettled = ({ data, error }: Loaded<unknown>) => data !== null || error?.isOfConnection === false;

export interface Resource<Data> {
  readonly state: Signal<Loaded<Data>>;
  reload(): void;
}

/** The messages after which the data must be read again: their kinds, or a test of each. `resync` always counts. */
type On = readonly string[] | ((message: Message) => boolean);

interface Options {
  readonly on?: On;
  /** False to wait: the input is not known yet. */
  readonly when?: boolean;
  /** Many messages in a row lead to one more reading, at most this often. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 150;

function isWanted(on: On, message: Message): boolean {
  return message.kind === "resync" || (typeof on === "function" ? on(message) : on.includes(message.kind));
}

const NOTHING: On = [];

/** True if data that follows the messages of `known` is as new as data that follows those of `on`. */
function covers(known: On, on: On): boolean {
  if (typeof known === "function" || typeof on === "function") return known === on;
  return known !== NOTHING && on.every((kind) => known.includes(kind));
}

/** The answer of one call, shared by all parts of the page that show it, and followed while one of them does. */
class Shared {
  readonly state: Signal<Loaded<unknown>> = signal({
    data: null,
    error: null,
    isLoading: true,
    retry: () => this.reload(),
  });
  readonly #read: () => Promise<unknown>;
  readonly #users = new Map<symbol, { readonly on: On; readonly pauseMs: number }>();
  /** The reading whose answer counts. */
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stop: (() => void) | null = null;
  /** True if no part shows it any more. */
  isOver = false;

  constructor(read: () => Promise<unknown>) {
    this.#read = read;
  }

  /** Reads for one more part of the page, unless another part has data as new. Returns a function that ends it. */
  join(on: On, pauseMs: number): () => void {
    const users = [...this.#users.values()];
    const isNew = this.state.peek().isLoading || users.some((known) => covers(known.on, on));
    const isRead = users.length > 0 && isNew;
    if (users.length === 0) this.#stop = onMessages((messages) => this.#hear(messages));
    this.isOver = false;
    const user = Symbol();
    this.#users.set(user, { on, pauseMs });
    if (!isRead) this.reload();
    return () => {
      this.#users.delete(user);
      if (this.#users.size === 0) this.#end();
    };
  }

  reload(): void {
    this.#turn += 1;
    const turn = this.#turn;
    this.state.value = { ...this.state.peek(), isLoading: true };
    this.#read().then(
      (data) => {
        if (turn === this.#turn) this.state.value = { ...this.state.peek(), data, error: null, isLoading: false };
      },
      (thrown) => {
        if (turn === this.#turn)
          this.state.value = { ...this.state.peek(), error: asFailure(thrown), isLoading: false };
      },
    );
  }

  #hear(messages: readonly Message[]): void {
    if (this.#timer !== null) return;
    const wanting = [...this.#users.values()].filter(({ on }) => messages.some((message) => isWanted(on, message)));
    if (wanting.length === 0) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.reload();
      },
      Math.min(...wanting.map(({ pauseMs }) => pauseMs)),
    );
  }

  #end(): void {
    this.isOver = true;
    this.#stop?.();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#turn += 1;
  }
}

const shared = new Map<string, Shared>();

/** Shares one reading among parts of the page with the same call and book. An unused reading is forgotten. */
function sharedBy(what: string, read: () => Promise<unknown>): Shared {
  for (const [name, one] of shared) if (one.isOver) shared.delete(name);
  const one = shared.get(what) ?? new Shared(read);
  shared.set(what, one);
  return one;
}

/** Reads data now, for each new input and book, and after the messages that concern it. */
export function useCall<Id extends OperationId>(
  id: Id,
  input: ViewInput<Id>,
  { on = NOTHING, when = true, pauseMs = PAUSE_MS }: Options = {},
): Resource<OperationAnswer<Id>> {
  const wanted = JSON.stringify(input);
  const place = bookHeader(book.value);
  const one = useMemo(() => {
    const read = () => callAny(id, JSON.parse(wanted));
    return when ? sharedBy(`${place} ${id} ${wanted}`, read) : new Shared(read);
  }, [id, wanted, when, place]);
  useEffect(() => (when ? one.join(on, pauseMs) : undefined), [one]);
  return { state: one.state as Signal<Loaded<OperationAnswer<Id>>>, reload: () => one.reload() };
}
