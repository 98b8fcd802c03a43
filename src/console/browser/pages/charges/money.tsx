import { Empty } from "../../parts/empty.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Money, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import type { TimelineAnswer } from "../../timeline/model.js";
import { type JournalEntry, runningBalances } from "../../words/running-balance.js";

const words = texts("charges_page");

/** The movements of money of a charge, oldest first, with what they left in each bucket. */
export function MoneyTab({ timeline }: { timeline: TimelineAnswer }) {
  const { value } = words;
  const journals = timeline.items.filter(({ kind }) => kind === "journal");
  if (journals.length === 0) return <Empty text={value.no_money} command={`qa-pay sandbox pay ${timeline.subject}`} />;
  const entries = runningBalances(journals.map(({ data }) => data.entries as readonly JournalEntry[]));
  const rows = journals.flatMap((journal, row) =>
    (entries[row] ?? []).map((entry, index) => ({ journal, entry, isFirst: index === 0 })),
  );
  return (
    <Section title={value.journals}>
      <Table
        label={value.journals}
        rows={rows}
        keyOf={({ journal, entry }) => `${journal.id} ${entry.bucket}`}
        columns={[
          { head: terms.value.at, cell: ({ journal, isFirst }) => (isFirst ? <Time at={journal.at} /> : null) },
          {
            head: value.movement,
            cell: ({ journal, isFirst }) => (isFirst ? String(journal.data.kind).replaceAll("_", " ") : null),
          },
          {
            head: value.bucket,
            cell: ({ entry: { bucket, currency } }) => (
              <a href={withBook(`/console/wallets/${currency}?bucket=${bucket}`)}>{bucket}</a>
            ),
            isHead: true,
          },
          {
            head: value.entry,
            cell: ({ entry: { amount, currency } }) => <Money amount={amount} currency={currency} signed={true} />,
            isNumber: true,
          },
          {
            head: value.balance,
            cell: ({ entry: { balance, currency } }) => <Money amount={balance} currency={currency} />,
            isNumber: true,
          },
        ]}
      />
    </Section>
  );
}
