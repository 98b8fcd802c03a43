import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer, OperationId } from "../../../../api/client/types.js";
import { book, bookHeader } from "../state/book.js";
import { callAny } from "./call.js";
import type { AnyInput, ViewInput } from "./input.js";
import { type KeptList, ListReader, type ListState, type RowsOf } from "./list-reader.js";
import { onMessages } from "./live.js";

/** A list that follows changes: new rows wait behind a button, appear at once, or do not appear. */

export const FOLLOW_MODES = ["live", "tail", "paused"] as const;
export type FollowMode = (typeof FOLLOW_MODES)[number];

export interface ListOptions<Id extends OperationId, Row> extends RowsOf<OperationAnswer<Id>, Row> {
  /** The kinds of messages that can change the list. */
  readonly on: readonly string[];
}

export interface LiveList<Row> {
  readonly state: ReadonlySignal<ListState<Row>>;
  /** True while the rows are those of the filters before. */
  readonly isChanging: boolean;
  readonly mode: FollowMode;
  readonly key: (row: Row) => string;
  setMode(mode: FollowMode): void;
  showFresh(): void;
  showMore(): void;
  /** Every row of the list, shown or not. */
  readAll(): Promise<readonly Row[]>;
}

const PAUSE_MS = 250;

/** The cursor of the lists of the control interface. */
export function byCursor(answer: { readonly next_cursor?: string | null }): Readonly<Record<string, unknown>> | null {
  return answer.next_cursor === null || answer.next_cursor === undefined ? null : { after: answer.next_cursor };
}

function useFollowMode(): [FollowMode, (mode: FollowMode) => void] {
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

/** Calls back shortly after a batch of messages about the list, or at once when everything must be read again. */
function whenChanged(on: readonly string[], again: () => void, changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const stop = onMessages((messages) => {
    if (messages.some(({ kind }) => kind === "resync")) again();
    else if (timer === null && messages.some(({ kind }) => on.includes(kind))) {
      timer = setTimeout(() => {
        timer = null;
        changed();
      }, PAUSE_MS);
    }
  });
  return () => {
    stop();
    if (timer !== null) clearTimeout(timer);
  };
}

/** From this scroll distance on, new rows at the top would push away the rows being read. */
const AWAY_PX = 200;

/** Calls back when the reader scrolls away from the beginning, in the window or in a part of it. */
function whenScrolledAway(callback: () => void): () => void {
  const onScroll = ({ target }: Event) => {
    const top = target instanceof Element ? target.scrollTop : window.scrollY;
    if (top > AWAY_PX) callback();
  };
  document.addEventListener("scroll", onScroll, { capture: true, passive: true });
  return () => document.removeEventListener("scroll", onScroll, { capture: true });
}

/** The state in which a reader left the list of an operation. */
interface Left extends KeptList<unknown> {
  /** The name of the list within its operation. */
  readonly of: string;
  readonly scrollY: number;
  /** The path of the page that the reader opened then: one of the list's objects, or another page. */
  readonly opened: string;
}

/** The address that the reader reached through the window's history; empty after a link. */
let gone = "";
addEventListener("popstate", () => {
  gone = location.href;
});

/** The last list of each operation. */
const left = new Map<OperationId, Left>();

/** The length of the last list of each operation, with the rows that were not read; null where nothing says it. */
const totals = new Map<OperationId, number | null>();

export function noteTotal(id: OperationId, total: number | null): void {
  totals.set(id, total);
}

/** The rows of the last list of an operation in this book, and how many it has; null when none was read. */
export function leftRows(id: OperationId): { readonly rows: readonly unknown[]; readonly all: string } | null {
  const known = left.get(id);
  if (known?.of.startsWith(`${bookHeader(book.peek())} `) !== true) return null;
  const { length } = known.rows;
  if (known.next === null) return { rows: known.rows, all: `${length}` };
  return { rows: known.rows, all: `${totals.get(id) ?? `${length}+`}` };
}

/** Going back from a neighbour of the opened row leads to the row of the neighbour. */
export function openNeighbour(id: OperationId, path: string): void {
  const known = left.get(id);
  if (known !== undefined) left.set(id, { ...known, opened: path });
}

/** Restores a left list: the scroll position, and the focus on the opened row. */
function comeBack({ scrollY, opened }: Left): void {
  const row = [...document.querySelectorAll<HTMLAnchorElement>("main a.row")].find(
    ({ pathname }) => pathname === opened,
  );
  row?.focus({ preventScroll: true });
  window.scrollTo(0, scrollY);
}

/**
 * The state of a left list, if the list stands beside its opened object now or the reader has gone back to it; null
 * when it begins anew.
 */
function placeOf(id: OperationId, name: string): (Left & { readonly isBack: boolean }) | null {
  const known = left.get(id);
  const isBack = gone === location.href;
  gone = "";
  const isSame = known?.of === name && (isBack || known.opened === location.pathname);
  return isSame ? { ...known, isBack } : null;
}

/** Begins to read a list, or shows it as it was left when the reader returns. */
function useReading<Id extends OperationId, Row>(
  id: Id,
  name: string,
  reader: ListReader<OperationAnswer<Id>, Row>,
  isTail: () => boolean,
): void {
  const known = useRef<ReturnType<typeof placeOf>>(null);
  // Before painting: the list that is being removed has just saved its state.
  useLayoutEffect(() => {
    const found = placeOf(id, name);
    known.current = found;
    if (found !== null) reader.restore(found as KeptList<Row>);
    // After the rows exist, before painting: the reader may press a key as soon as they can be seen.
    if (found?.isBack === true) queueMicrotask(() => comeBack(found));
    const isBeside = found !== null && found.opened === location.pathname;
    return () => {
      const kept = reader.keep();
      const place = isBeside ? found : { scrollY, opened: location.pathname };
      if (kept !== null) left.set(id, { ...kept, of: name, scrollY: place.scrollY, opened: place.opened });
    };
  }, [reader]);
  useEffect(() => {
    const found = known.current;
    if (found === null) void reader.begin();
    else void reader.follow(isTail);
    return () => reader.stop();
  }, [reader]);
}

/** The rows that were shown stay until those of other filters are read, so that nothing moves in between. */
function useShown<Answer, Row>(reader: ListReader<Answer, Row>, of: string): ReadonlySignal<ListState<Row>> {
  const shown = useRef({ reader, of });
  const { isLoading, rows, error } = reader.state.value;
  const isFirst = isLoading && rows.length === 0 && error === null;
  if (!isFirst || shown.current.of !== of) shown.current = { reader, of };
  return shown.current.reader.state;
}

/** Reads a list by its operation, page by page, and follows it. */
export function useList<Id extends OperationId, Row>(
  id: Id,
  input: ViewInput<Id>,
  { on, ...of }: ListOptions<Id, Row>,
): LiveList<Row> {
  const [mode, setMode] = useFollowMode();
  const wanted = JSON.stringify(input);
  const name = `${bookHeader(book.value)} ${wanted}`;
  const reader = useMemo(() => {
    const given: AnyInput = JSON.parse(wanted);
    const read = (query: AnyInput["query"]) => callAny(id, { ...given, query: { ...given.query, ...query } });
    return new ListReader(read, of);
  }, [id, name]);

  const shown = useShown(reader, bookHeader(book.value));
  const now = useRef(mode);
  useReading(id, name, reader, () => now.current === "tail");

  // The mode may change while an update waits or is being read: the mode at the time of showing counts.
  useEffect(() => {
    const wasPaused = now.current === "paused";
    now.current = mode;
    if (mode === "tail") reader.showFresh();
    if (wasPaused && mode !== "paused") void reader.follow(() => now.current === "tail");
  }, [reader, mode]);

  useEffect(
    () =>
      whenChanged(
        on,
        () => void reader.begin(),
        () => {
          if (now.current !== "paused") void reader.follow(() => now.current === "tail");
        },
      ),
    [reader],
  );

  useEffect(() => (mode === "tail" ? whenScrolledAway(() => setMode("live")) : undefined), [mode]);

  return {
    state: shown,
    isChanging: shown !== reader.state,
    mode,
    key: of.key,
    setMode,
    showFresh: () => reader.showFresh(),
    showMore: () => void reader.showMore(),
    readAll: () => reader.readAll(),
  };
}
