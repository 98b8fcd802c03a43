import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { csvOf } from "../../../kernel/csv.js";
import { fill } from "../../../kernel/message.js";
import { asFailure } from "../api/call.js";
import { FOLLOW_MODES, type LiveList } from "../api/use-list.js";
import { notify } from "../state/notice.js";
import { download } from "../words/download.js";
import type { FieldSpec } from "./field-values.js";
import { Filters } from "./filters.js";
import { Icon } from "./icon.js";
import { useListAddress } from "./list-address.js";
import { MenuButton } from "./menu.js";
import { Skeleton } from "./page.js";
import { type Column, Table } from "./table.js";
import { IdText } from "./values.js";
import { Problem } from "./why.js";
import { shared } from "./words.js";

/** A table of rows that follows what happens. Each row leads to the page of its object. */

interface ListProps<Row> {
  readonly caption: string;
  readonly list: LiveList<Row>;
  readonly columns: readonly Column<Row>[];
  /** The address of a row's page, without the book. */
  readonly href: (row: Row) => string;
  /** The id of a row, which is the link: it comes last. */
  readonly idOf: (row: Row) => string;
  /** The filters of the list, beside how it follows what happens. */
  readonly filters: readonly FieldSpec[];
  readonly empty: ComponentChildren;
  /** The name of the file with its rows. */
  readonly csv: string;
  /** The key or the id of the row whose page is open beside the list. */
  readonly open?: string | undefined;
}

/** Saves the whole list, as its filters narrow it, with every field of its rows. */
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
      class="small quiet"
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
    <span class="follow">
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

function Rows<Row>({ caption, list, columns, href, idOf, open }: ListProps<Row>) {
  const address = useListAddress();
  const isOpen = (row: Row) => open !== undefined && (open === list.key(row) || open === idOf(row));
  const idCell = (row: Row) => (
    <a class="row" href={address(href(row))} aria-current={isOpen(row) ? "true" : undefined}>
      <IdText id={idOf(row)} />
    </a>
  );
  return (
    <Table
      label={caption}
      kind="cards"
      rows={list.state.value.rows}
      keyOf={list.key}
      isOpen={isOpen}
      columns={[...columns, { head: shared.value.id, cell: idCell, isHead: true, class: "row-id" }]}
    />
  );
}

interface FrameProps<Row> extends Pick<ListProps<Row>, "list" | "filters" | "empty" | "csv"> {
  /** The rows of the file, where they are not those of the list. */
  readonly csvRows?: (rows: readonly Row[]) => readonly Readonly<Record<string, unknown>>[];
  /** The rows, however they are shown. */
  readonly children: ComponentChildren;
}

/** What every list has around its rows: filters, the rows that came since, an error, what to say without rows, and more. */
export function ListFrame<Row>({ list, filters, empty, children, ...file }: FrameProps<Row>) {
  const { rows, isLoading, hasMore, error, retry } = list.state.value;
  return (
    <div class="list">
      <div class="toolbar">
        {filters.length === 0 ? null : <Filters fields={filters} />}
        <FollowBar list={list}>{rows.length === 0 ? null : <SaveCsv list={list} {...file} />}</FollowBar>
      </div>
      {error === null ? null : <Problem of={error} retry={retry} />}
      {rows.length > 0 ? children : null}
      {rows.length === 0 && isLoading ? <Skeleton /> : null}
      {rows.length === 0 && !isLoading && error === null ? empty : null}
      {hasMore ? (
        <button type="button" class="more" onClick={list.showMore} disabled={isLoading}>
          {isLoading ? shared.value.loading : shared.value.more}
        </button>
      ) : null}
    </div>
  );
}

/** A list as a table. */
export function List<Row>(props: ListProps<Row>) {
  return (
    <ListFrame {...props}>
      <Rows {...props} />
    </ListFrame>
  );
}
