import type { ComponentChildren } from "preact";
import type { LiveList } from "../api/use-list.js";
import { useListAddress } from "./list-address.js";
import { TableFrame } from "./table-frame.js";
import { IdText } from "./values.js";
import { Why } from "./why.js";
import { shared } from "./words.js";

/** A table of rows that follows what happens. Each row leads to the page of its object. */

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** Left out where the page is narrow. */
  readonly isExtra?: boolean;
}

interface ListProps<Row> {
  readonly caption: string;
  readonly list: LiveList<Row>;
  readonly columns: readonly Column<Row>[];
  /** The address of a row's page, without the book. Left out for rows that have no page. */
  readonly href?: (row: Row) => string;
  /** The id that stands in the first cell, as the link. The key of the row when left out. */
  readonly idOf?: (row: Row) => string;
  /** The heading of the column with the ids. */
  readonly idHead: string;
  readonly empty: ComponentChildren;
  /** The key of the row whose page is open beside the list. */
  readonly open?: string | undefined;
}

export function FollowBar<Row>({ list }: { list: LiveList<Row> }) {
  const { mode, state, setMode, showFresh } = list;
  const count = state.value.fresh.length;
  const button = (name: "paused" | "live" | "tail", label: string) => (
    <button type="button" class="small" aria-pressed={mode === name} onClick={() => setMode(name)}>
      {label}
    </button>
  );
  return (
    <fieldset class="follow" aria-label={shared.value.follow}>
      {button("live", shared.value.live)}
      {button("tail", shared.value.tail)}
      {button("paused", shared.value.pause)}
      {count === 0 ? null : (
        <button type="button" class="small main" onClick={showFresh}>
          {shared.value.new_rows(count)}
        </button>
      )}
    </fieldset>
  );
}

function cellClass<Row>({ isNumber, isExtra }: Column<Row>): string | undefined {
  const names = [isNumber === true ? "number" : "", isExtra === true ? "extra" : ""].filter((name) => name !== "");
  return names.length === 0 ? undefined : names.join(" ");
}

function Rows<Row>({ caption, list, columns, href, idOf, idHead, open }: ListProps<Row>) {
  const address = useListAddress();
  return (
    <TableFrame label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{idHead}</th>
            {columns.map((column) => (
              <th scope="col" key={column.head} class={cellClass(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.state.value.rows.map((row) => {
            const key = list.key(row);
            const id = idOf?.(row) ?? key;
            return (
              <tr key={key} class={open === key ? "open" : undefined}>
                <th scope="row">
                  {href === undefined ? (
                    <IdText id={id} />
                  ) : (
                    <a class="row" href={address(href(row))} aria-current={open === key ? "true" : undefined}>
                      <IdText id={id} />
                    </a>
                  )}
                </th>
                {columns.map((column) => (
                  <td key={column.head} class={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** A list with its follow modes, its rows or what to say without rows, and the button for more. */
export function List<Row>(props: ListProps<Row>) {
  const { rows, isLoading, hasMore, error } = props.list.state.value;
  return (
    <div class="list">
      <FollowBar list={props.list} />
      {error === null ? null : (
        <p class="outcome outcome-bad">
          <Why of={error} />
        </p>
      )}
      {rows.length > 0 ? <Rows {...props} /> : null}
      {rows.length === 0 && isLoading ? <p class="hint">{shared.value.loading}</p> : null}
      {rows.length === 0 && !isLoading && error === null ? props.empty : null}
      {hasMore ? (
        <button type="button" onClick={props.list.showMore} disabled={isLoading}>
          {isLoading ? shared.value.loading : shared.value.more}
        </button>
      ) : null}
    </div>
  );
}
