import { Fragment } from "preact";
import { codeName } from "../../parts/codes.js";
import { TableFrame } from "../../parts/table-frame.js";
import { Money, ObjectLink, Time } from "../../parts/values.js";
import { terms, texts } from "../../state/language.js";
import type { Entry, Journal, Running } from "./running.js";

/** Journals with their entries as credits and debits. */

const words = texts("wallets");

interface TableProps {
  readonly journals: readonly Journal[];
  readonly running: Running;
  /** The heading of the column with the balances. */
  readonly head: string;
}

function EntryCells({ journal, entry, running }: { journal: string; entry: Entry; running: Running }) {
  const { currency, bucket, amount } = entry;
  const balance = running(journal, currency, bucket);
  const money = <Money amount={Math.abs(amount)} currency={currency} />;
  return (
    <>
      <td>
        <span title={bucket}>{codeName(bucket)}</span>
      </td>
      <td class="number">{amount > 0 ? money : null}</td>
      <td class="number">{amount < 0 ? money : null}</td>
      <td class="number">{balance === null ? "—" : <Money amount={balance} currency={currency} />}</td>
    </>
  );
}

function JournalRows({ journal, running }: { journal: Journal; running: Running }) {
  const { id, at, kind, reference, entries } = journal;
  const [first, ...rest] = entries;
  const rows = Math.max(entries.length, 1);
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" rowSpan={rows}>
          {id}
        </th>
        <td rowSpan={rows}>
          <Time at={at} />
        </td>
        <td rowSpan={rows}>
          <code>{kind}</code>
          <br />
          <ObjectLink id={reference} />
        </td>
        {first === undefined ? null : <EntryCells journal={id} entry={first} running={running} />}
      </tr>
      {rest.map((entry) => (
        <tr key={entry.bucket}>
          <EntryCells journal={id} entry={entry} running={running} />
        </tr>
      ))}
    </tbody>
  );
}

export function JournalTable({ journals, running, head }: TableProps) {
  const { value } = words;
  return (
    <TableFrame label={value.journal} kind="ledger">
      <table>
        <caption class="visually-hidden">{value.journal}</caption>
        <thead>
          <tr>
            {[value.id, terms.value.at, value.kind, value.bucket].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
            {[value.credit, value.debit, head].map((name) => (
              <th scope="col" key={name} class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {journals.map((journal) => (
          <Fragment key={journal.id}>
            <JournalRows journal={journal} running={running} />
          </Fragment>
        ))}
      </table>
    </TableFrame>
  );
}
