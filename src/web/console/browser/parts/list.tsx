import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { csvOf } from "../../../../base/kernel/csv.js";
import { fill } from "../../../../base/kernel/message.js";
import { asFailure } from "../api/call.js";
import { FOLLOW_MODES, type LiveList } from "../api/use-list.js";
import { notify } from "../state/notice.js";
import { download } from "../words/download.js";
import { type FilterSpec, Filters } from "./filters.js";
import { Icon } from "./icon.js";
import { MenuButton } from "./menu.js";
import { Skeleton } from "./skeleton.js";
import { Problem } from "./why.js";
import { shared } from "./words.js";

/** Saves the whole filtered list, with every field of its rows. */
function SaveCsv<Row>({
  list,
  csv,
  csvRows = (rows) => rows as never,
}: Pick<FrameProps<Row>, "list" | "csv" | "csvRows">) {
  const isRunning = useSignal(false);
  const save = async () => {
    isRunning.value = true;
    try {
      const rows = csvRows(await list.readAll());
      download(`${csv}.csv`, "text/csv", csvOf(rows));
      notify(fill(shared.value.csv_saved, { count: rows.length }));
    } catch (thrown) {
      notify(asFailure(thrown).message);
    } finally {
      isRunning.value = false;
    }
  };
  return (
    <button
      type="button"
      class="small quiet csv"
      aria-label={shared.value.csv}
      title={shared.value.csv}
      disabled={isRunning.value}
      onClick={() => void save()}
    >
      <Icon name="download" /> <span class="wide-only">CSV</span>
    </button>
  );
}

function FollowBar<Row>({ list, children }: { list: LiveList<Row>; children: ComponentChildren }) {
  const { mode, state, setMode, showFresh } = list;
  const count = state.value.fresh.length;
  return (
    <span class="flow follow">
      {children}
      {count === 0 ? null : (
        <button type="button" class="small main" onClick={showFresh}>
          {fill(shared.value.new_rows, { count })}
        </button>
      )}
      <MenuButton
        class="small quiet"
        side="end"
        title={shared.value.follow}
        items={FOLLOW_MODES.map((name) => ({
          key: name,
          label: shared.value.follow_modes[name],
          isChosen: name === mode,
          run: () => setMode(name),
        }))}
      >
        <Icon name={mode === "paused" ? "player-pause" : "refresh"} />
        <span class="wide-only">{shared.value.follow_names[mode]}</span>
      </MenuButton>
    </span>
  );
}

interface FrameProps<Row> {
  readonly list: LiveList<Row>;
  /** The filters of the list, beside its mode of following changes. */
  readonly filters: readonly FilterSpec[];
  /** True if a filter or a state narrows the list. */
  readonly isFiltered: boolean;
  /** What the list adds up to. */
  readonly sum?: ComponentChildren;
  /** Shown instead of a list without any row, which needs no filters. */
  readonly empty: ComponentChildren;
  /** The name of the file with its rows. */
  readonly csv: string;
  /** The rows of the file, if they differ from those of the list. */
  readonly csvRows?: (rows: readonly Row[]) => readonly Readonly<Record<string, unknown>>[];
  /** The rows, in any form. */
  readonly children: ComponentChildren;
}

/** The frame of a list's rows: filters, new rows, an error, what stands in place of rows, and the next page. */
export function ListFrame<Row>({ list, filters, isFiltered, sum, empty, children, ...file }: FrameProps<Row>) {
  const { rows, isLoading, hasMore, error, retry } = list.state.value;
  const hasRows = rows.length > 0;
  const isAwaited = !hasRows && (error === null ? isLoading : error.isOfConnection);
  const none = isFiltered ? <p class="hint none-fits">{shared.value.no_match}</p> : empty;
  return (
    <div class="stack list" aria-busy={list.isChanging}>
      {hasRows || isFiltered || isAwaited ? (
        <div class="flow toolbar">
          {filters.length === 0 ? null : <Filters fields={filters} />}
          {sum}
          <FollowBar list={list}>{hasRows ? <SaveCsv list={list} {...file} /> : null}</FollowBar>
        </div>
      ) : null}
      {error === null ? null : <Problem of={error} retry={retry} />}
      {hasRows ? children : null}
      {isAwaited ? <Skeleton /> : null}
      {!hasRows && !isLoading && error === null ? none : null}
      {hasMore ? (
        <button type="button" class="more" onClick={list.showMore} disabled={isLoading}>
          {isLoading ? shared.value.loading : shared.value.more}
        </button>
      ) : null}
    </div>
  );
}
