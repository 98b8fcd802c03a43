import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OperationAnswer, OperationId } from "../../../client/types.js";
import { book } from "../state/book.js";
import { CallFailed, callAny } from "./call.js";
import type { AnyInput, ViewInput } from "./input.js";
import { type Message, onMessages } from "./live.js";

/** The state of data that a page shows. While it is read again, the old data stays. */
export interface Loaded<Data> {
  readonly data: Data | null;
  readonly error: CallFailed | null;
  readonly isLoading: boolean;
}

export interface Resource<Data> {
  readonly state: Signal<Loaded<Data>>;
  reload(): void;
}

interface Options {
  /** The messages after which the data must be read again: their kinds, or a question about each. `resync` always counts. */
  readonly on?: readonly string[] | ((message: Message) => boolean);
  /** False to wait: the input is not known yet. */
  readonly when?: boolean;
}

/** Many messages in a row lead to one more reading, at most this often. */
const PAUSE_MS = 150;

function isWanted(on: Options["on"], message: Message): boolean {
  if (message.kind === "resync") return true;
  if (on === undefined) return false;
  return typeof on === "function" ? on(message) : on.includes(message.kind);
}

const asFailure = (thrown: unknown) =>
  thrown instanceof CallFailed ? thrown : new CallFailed(0, "unexpected", String(thrown), null);

/** Reads data now, for each new input and book, and after the messages that concern it. */
export function useCall<Id extends OperationId>(
  id: Id,
  input: ViewInput<Id>,
  { on, when = true }: Options = {},
): Resource<OperationAnswer<Id>> {
  const state = useSignal<Loaded<OperationAnswer<Id>>>({ data: null, error: null, isLoading: true });
  const again = useSignal(0);
  const wanted = JSON.stringify(input);
  const place = book.value;
  const turn = again.value;

  useEffect(() => {
    if (!when) return undefined;
    let isOver = false;
    state.value = { ...state.peek(), isLoading: true };
    callAny(id, JSON.parse(wanted) as AnyInput).then(
      (data) => {
        if (!isOver) state.value = { data: data as OperationAnswer<Id>, error: null, isLoading: false };
      },
      (thrown) => {
        if (!isOver) state.value = { ...state.peek(), error: asFailure(thrown), isLoading: false };
      },
    );
    return () => {
      isOver = true;
    };
  }, [id, wanted, when, place, turn]);

  useEffect(() => {
    state.value = { data: null, error: null, isLoading: true };
  }, [id, wanted, place]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = onMessages((messages) => {
      if (timer !== null || !messages.some((message) => isWanted(on, message))) return;
      timer = setTimeout(() => {
        timer = null;
        again.value += 1;
      }, PAUSE_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [id, wanted, place]);

  return {
    state,
    reload: () => {
      again.value += 1;
    },
  };
}
