import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A table by its columns. Its name is only for screen readers, as the heading above it says the same. */

export interface Column<Row> {
  readonly head: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Marks the column that names its row; by default the first one. */
  readonly isHead?: boolean;
  /** Numbers are aligned right. */
  readonly isNumber?: boolean;
  /** Left out on a narrow page. */
  readonly isExtra?: boolean;
  /** On a phone, where a row is a card: this cell is in its second line, also if a narrow table hides it. */
  readonly isSecond?: boolean;
  /** A sign before a value in a card, if the value does not explain itself. */
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
  /** The caption of the table, and the name of its frame. */
  readonly label: string;
  readonly kind?: "breaks" | "cards";
  readonly children: ComponentChildren;
}

/**
 * The frame of a table, which scrolls sideways on a narrow page. While it can scroll, the keyboard can focus it by
 * name: else only a pointer would reach its last columns.
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
    <section ref={frame} class={kind === undefined ? "sheet table-frame" : `sheet table-frame ${kind}`} {...stop}>
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
