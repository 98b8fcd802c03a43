import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A table by its columns. Its name is told to screen readers alone, as the heading above it says the same. */

export interface Column<Row> {
  readonly head: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Names its row: the first column does, when none says so. */
  readonly isHead?: boolean;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** Left out where the page is narrow. */
  readonly isExtra?: boolean;
  /** Where a row is a card, on a phone: this cell stands in its second line, also when the column is left out of a narrow table. */
  readonly isSecond?: boolean;
  /** Stands before the value where a row is a card, for a value that does not say what it is. */
  readonly cardLabel?: string;
  /** Long values break anywhere. */
  readonly wraps?: boolean;
  /** A class for the styles of this column alone. */
  readonly class?: string;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly kind?: "breaks" | "cards";
  readonly isOpen?: (row: Row) => boolean;
}

function cellClass<Row>({ isNumber, isExtra, isSecond, wraps, class: own }: Column<Row>): string | undefined {
  const given = { number: isNumber, extra: isExtra, second: isSecond, wraps };
  const names = Object.entries(given).flatMap(([name, is]) => (is === true ? [name] : []));
  if (own !== undefined) names.push(own);
  return names.length === 0 ? undefined : names.join(" ");
}

interface TableFrameProps {
  /** The caption of the table: it names the frame too. */
  readonly label: string;
  readonly kind?: "breaks" | "cards";
  readonly children: ComponentChildren;
}

/**
 * The frame of a table, which scrolls sideways where the page is narrow. While it has something to scroll, it is a stop of
 * the keyboard with a name: else only a pointer would reach its last columns.
 */
function TableFrame({ label, kind, children }: TableFrameProps) {
  const frame = useRef<HTMLElement>(null);
  const scrolls = useSignal(false);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      scrolls.value = current.scrollWidth > current.clientWidth;
    });
    for (const one of [current, ...current.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  const stop = scrolls.value ? { tabIndex: 0, "aria-label": label } : {};
  return (
    <section ref={frame} class={kind === undefined ? "table-frame" : `table-frame ${kind}`} {...stop}>
      {children}
    </section>
  );
}

export function Table<Row>({ label, columns, rows, keyOf, kind, isOpen }: TableProps<Row>) {
  const head = columns.find(({ isHead }) => isHead === true) ?? columns[0];
  return (
    <TableFrame label={label} {...(kind === undefined ? {} : { kind })}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th scope="col" key={index} class={cellClass(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={isOpen?.(row) === true ? "open" : undefined}>
              {columns.map((column, index) => {
                const Cell = column === head ? "th" : "td";
                return (
                  <Cell
                    key={index}
                    scope={column === head ? "row" : undefined}
                    class={cellClass(column)}
                    data-label={column.cardLabel}
                  >
                    {column.cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
