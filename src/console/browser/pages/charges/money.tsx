import { Empty } from "../../parts/empty.js";
import { Section } from "../../parts/page.js";
import { TableFrame } from "../../parts/table-frame.js";
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
  return (
    <Section title={value.journals}>
      <TableFrame label={value.journals}>
        <table>
          <caption class="visually-hidden">{value.journals}</caption>
          <thead>
            <tr>
              <th scope="col">{terms.value.at}</th>
              <th scope="col">{value.movement}</th>
              <th scope="col">{value.bucket}</th>
              <th scope="col" class="number">
                {value.entry}
              </th>
              <th scope="col" class="number">
                {value.balance}
              </th>
            </tr>
          </thead>
          <tbody>
            {journals.flatMap((journal, row) =>
              (entries[row] ?? []).map(({ bucket, amount, balance, currency }, index) => (
                <tr key={`${journal.id} ${bucket}`}>
                  <td>{index === 0 ? <Time at={journal.at} /> : null}</td>
                  <td>{index === 0 ? String(journal.data.kind).replaceAll("_", " ") : null}</td>
                  <td>
                    <a href={withBook(`/console/wallets/${currency}?bucket=${bucket}`)}>{bucket}</a>
                  </td>
                  <td class="number">
                    <Money amount={amount} currency={currency} signed={true} />
                  </td>
                  <td class="number">
                    <Money amount={balance} currency={currency} />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </TableFrame>
    </Section>
  );
}
