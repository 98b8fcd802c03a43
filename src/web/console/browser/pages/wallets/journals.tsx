import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { BUCKETS } from "../../../../../service/features/wallets/entries.js";
import { byCursor, useList } from "../../api/use-list.js";
import { codeName } from "../../parts/codes.js";
import { Empty } from "../../parts/empty.js";
import { ListFrame } from "../../parts/list.js";
import { Table } from "../../parts/table.js";
import { Money, ObjectLink, Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { type BucketBalance, type Journal, type Running, rowsForCsv, runningBack, runningForward } from "./running.js";

/** The journals of a currency: they follow changes, and can be saved as CSV. */

const words = texts("wallets");

interface TableProps {
  readonly label: string;
  readonly journals: readonly Journal[];
  readonly running: Running;
  /** The heading of the column with the balances. */
  readonly head: string;
}

/** Journals with a row for each entry and the balance after it. A journal's first row has time and cause. */
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
        { head: terms.value.at, cell: first(({ at }) => <Time at={at} />), isSecond: true },
        {
          head: words.value.kind,
          cell: first(({ kind, reference }) => (
            <>
              <span class="cut short-line" title={kind}>
                {codeName(kind)}
              </span>
              {reference === undefined ? null : (
                <span class="under no-card">
                  <ObjectLink id={reference} />
                </span>
              )}
            </>
          )),
          class: "grows target",
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
          class: "nowrap",
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
          // Words would leave no room for the reason of the journal.
          cardLabel: "→",
          isNumber: true,
          isSecond: true,
        },
      ]}
    />
  );
}

function touches({ entries }: Journal, bucket: string | undefined): boolean {
  return bucket === undefined || entries.some((entry) => entry.bucket === bucket);
}

interface JournalsProps {
  readonly currency: string;
  readonly balances: readonly BucketBalance[];
  /** The newest journals, also when the list shows others. */
  readonly latest: OperationAnswer<"sandbox.ledger.list">;
  readonly list: ReturnType<typeof useJournals>;
}

/** The journals of a currency, with the filter of the address. */
export const useJournals = (query: { readonly currency: string; readonly reference?: string }) =>
  useList(
    "sandbox.ledger.list",
    { query },
    { rows: ({ data }) => data, key: ({ id }) => id, more: byCursor, on: ["journal"] },
  );

export function Journals({ currency, balances, latest, list }: JournalsProps) {
  const { reference, bucket } = useLocation().query;
  const { rows, hasMore } = list.state.value;
  const shown = rows.filter((journal) => touches(journal, bucket));
  const head = reference === undefined ? words.value.after : words.value.after_own;
  const isFiltered = reference !== undefined || bucket !== undefined;
  const ofOne = hasMore ? () => null : runningForward(rows);
  const running = reference === undefined ? runningBack(balances, latest.data, !latest.has_more, rows) : ofOne;
  const none = <p class="hint none-fits">{shared.value.no_match}</p>;
  return (
    <ListFrame
      list={list}
      filters={[
        { name: "reference", label: words.value.reference },
        { name: "bucket", label: words.value.bucket, kind: "choice", choices: BUCKETS },
      ]}
      isFiltered={isFiltered}
      empty={<Empty text={words.value.empty_money} command="qa-pay trigger charge.paid" />}
      csv={`journals-${currency}`}
      csvRows={(all) => rowsForCsv(all.filter((journal) => touches(journal, bucket)))}
    >
      {shown.length === 0 ? (
        none
      ) : (
        <JournalTable label={words.value.journal} journals={shown} running={running} head={head} />
      )}
    </ListFrame>
  );
}
