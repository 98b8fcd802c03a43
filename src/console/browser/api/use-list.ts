import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer, OperationId } from "../../../client/types.js";
import { book } from "../state/book.js";
import { CallFailed, callAny } from "./call.js";
import type { AnyInput, ViewInput } from "./input.js";
import { type Message, onMessages } from "./live.js";

/** A list that follows what happens: new rows wait behind a button, come at once, or not at all. */

export const FOLLOW_MODES = ["live", "tail", "paused"] as const;
export type FollowMode = (typeof FOLLOW_MODES)[number];

export interface ListState<Row> {
  readonly rows: readonly Row[];
  /** Rows that came since, not shown yet. */
  readonly fresh: readonly Row[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: CallFailed | null;
}

export interface ListOptions<Id extends OperationId, Row> {
  readonly rows: (answer: OperationAnswer<Id>) => readonly Row[];
  readonly key: (row: Row) => string;
  /** The query of the next page, after an answer and the number of rows so far; null after the last page. */
  readonly more: (answer: OperationAnswer<Id>, shown: number) => Readonly<Record<string, unknown>> | null;
  /** The kinds of messages that can change the list. */
  readonly on: readonly string[];
}

export interface LiveList<Row> {
  readonly state: ReadonlySignal<ListState<Row>>;
  readonly mode: FollowMode;
  readonly key: (row: Row) => string;
  setMode(mode: FollowMode): void;
  showFresh(): void;
  showMore(): void;
}

/** A page holds no more rows than this: it must stay quick for hours. */
export const MOST_ROWS = 500;
const PAUSE_MS = 250;

const EMPTY = { rows: [], fresh: [], hasMore: false, isLoading: true, error: null };

/** The cursor of the lists of the control interface. */
export function byCursor(answer: { readonly next_cursor?: string | null }): Readonly<Record<string, unknown>> | null {
  return answer.next_cursor === null || answer.next_cursor === undefined ? null : { after: answer.next_cursor };
}

/** Puts the first page, read again, into what is shown: known rows are renewed in their places, new ones are set apart. */
export function renewed<Row>(
  shown: readonly Row[],
  first: readonly Row[],
  key: (row: Row) => string,
): { rows: readonly Row[]; fresh: readonly Row[] } {
  const byKey = new Map(first.map((row) => [key(row), row]));
  const known = new Set(shown.map(key));
  return {
    rows: shown.map((row) => byKey.get(key(row)) ?? row),
    fresh: first.filter((row) => !known.has(key(row))),
  };
}

function withoutDoubles<Row>(rows: readonly Row[], key: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()];
}

export function useFollowMode(): [FollowMode, (mode: FollowMode) => void] {
  const { url, query, route } = useLocation();
  const mode = FOLLOW_MODES.find((known) => known === query.follow) ?? "live";
  const setMode = (chosen: FollowMode) => {
    const next = new URL(url, location.origin);
    if (chosen === "live") next.searchParams.delete("follow");
    else next.searchParams.set("follow", chosen);
    route(next.pathname + next.search, true);
  };
  return [mode, setMode];
}

/** Reads a list by its operation, page by page, and follows it. */
export function useList<Id extends OperationId, Row>(
  id: Id,
  input: ViewInput<Id>,
  { rows, key, more, on }: ListOptions<Id, Row>,
): LiveList<Row> {
  const [mode, setMode] = useFollowMode();
  const state = useSignal<ListState<Row>>(EMPTY);
  const next = useSignal<Readonly<Record<string, unknown>> | null>(null);
  const wanted = JSON.stringify(input);
  const place = book.value;
  const given = JSON.parse(wanted) as AnyInput;

  const read = async (query: Readonly<Record<string, unknown>>) =>
    (await callAny(id, { ...given, query: { ...given.query, ...query } })) as OperationAnswer<Id>;
  const failed = (thrown: unknown) => {
    const error = thrown instanceof CallFailed ? thrown : new CallFailed(0, "unexpected", String(thrown), null);
    state.value = { ...state.peek(), error, isLoading: false };
  };
  const begin = async (isCurrent: () => boolean) => {
    try {
      const answer = await read({});
      if (!isCurrent()) return;
      const found = rows(answer);
      next.value = more(answer, found.length);
      state.value = { rows: found, fresh: [], hasMore: next.value !== null, isLoading: false, error: null };
    } catch (thrown) {
      if (isCurrent()) failed(thrown);
    }
  };
  const follow = async (isCurrent: () => boolean) => {
    try {
      const first = rows(await read({}));
      if (!isCurrent()) return;
      const before = state.peek();
      const found = renewed(before.rows, first, key);
      const isShown = mode === "tail" || before.rows.length === 0;
      const all = isShown ? [...found.fresh, ...found.rows].slice(0, MOST_ROWS) : found.rows;
      state.value = { ...before, rows: all, fresh: isShown ? [] : found.fresh, error: null, isLoading: false };
    } catch (thrown) {
      if (isCurrent()) failed(thrown);
    }
  };

  useEffect(() => {
    let isOver = false;
    state.value = EMPTY;
    void begin(() => !isOver);
    return () => {
      isOver = true;
    };
  }, [id, wanted, place]);

  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const isWanted = ({ kind }: Message) => on.includes(kind) && mode !== "paused";
    const stop = onMessages((messages) => {
      if (messages.some(({ kind }) => kind === "resync")) void begin(() => !isOver);
      else if (timer === null && messages.some(isWanted)) {
        timer = setTimeout(() => {
          timer = null;
          void follow(() => !isOver);
        }, PAUSE_MS);
      }
    });
    return () => {
      isOver = true;
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [id, wanted, place, mode]);

  const showFresh = () => {
    const { rows: shown, fresh, ...rest } = state.peek();
    state.value = { ...rest, rows: [...fresh, ...shown].slice(0, MOST_ROWS), fresh: [] };
  };
  const showMore = async () => {
    if (next.value === null) return;
    state.value = { ...state.peek(), isLoading: true };
    try {
      const answer = await read(next.value);
      const found = rows(answer);
      const all = withoutDoubles([...state.peek().rows, ...found], key);
      next.value = found.length === 0 ? null : more(answer, all.length);
      const isFull = all.length >= MOST_ROWS;
      state.value = {
        ...state.peek(),
        rows: all.slice(0, MOST_ROWS),
        hasMore: next.value !== null && !isFull,
        isLoading: false,
      };
    } catch (thrown) {
      failed(thrown);
    }
  };
  return {
    state,
    mode,
    key,
    setMode: (chosen) => {
      if (chosen === "tail") showFresh();
      setMode(chosen);
    },
    showFresh,
    showMore: () => void showMore(),
  };
}
