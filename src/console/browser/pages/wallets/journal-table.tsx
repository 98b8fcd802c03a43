import type { ComponentChildren } from "preact";
import { codeName } from "../../parts/codes.js";
import { Table } from "../../parts/table.js";
import { Money, ObjectLink, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import type { Journal, Running } from "./running.js";

const words = texts("wallets");

interface TableProps {
  readonly label: string;
  readonly journals: readonly Journal[];
  readonly running: Running;
  /** The heading of the column with the balances. */
  readonly head: string;
}

/** Journals with a row for each entry, and what it left in its bucket. The first row of each journal says when and why. */
export function JournalTable({ label, journals, running, head }: TableProps) {
  const rows = journals.flatMap((journal) => journal.entries.map((entry, index) => ({ journal, entry, index })));
  type Row = (typeof rows)[number];
  const first = (show: (journal: Journal) => ComponentChildren) => (row: Row) =>
    row.index === 0 ? show(row.journal) : null;
  return (
    <Table
      label={label}
      kind="cards"
      rows={rows}
      keyOf={({ journal, entry }) => `${journal.id} ${entry.bucket}`}
      columns={[
        { head: words.value.id, cell: ({ journal }) => journal.id, isSecond: true },
        { head: terms.value.at, cell: first(({ at }) => <Time at={at} />), isSecond: true },
        {
          head: words.value.kind,
          cell: first(({ kind, reference }) => (
            <>
              <span title={kind}>{codeName(kind)}</span> {reference === undefined ? null : <ObjectLink id={reference} />}
            </>
          )),
          isSecond: true,
        },
        {
          head: words.value.bucket,
          cell: ({ entry: { bucket, currency } }) => (
            <a href={withBook(`/console/wallets/${currency}?bucket=${bucket}`)} title={bucket}>
              {codeName(bucket)}
            </a>
          ),
          isHead: true,
        },
        {
          head: words.value.entry,
          cell: ({ entry: { amount, currency } }) => <Money amount={amount} currency={currency} signed={true} />,
          isNumber: true,
        },
        {
          head,
          cell: ({ journal, entry: { currency, bucket } }) => {
            const balance = running(journal.id, currency, bucket);
            return balance === null ? "—" : <Money amount={balance} currency={currency} />;
          },
          cardLabel: head,
          isNumber: true,
          isSecond: true,
        },
      ]}
    />
  );
}
