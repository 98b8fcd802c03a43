import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../client/types.js";
import { BUCKETS } from "../../../../features/wallets/entries.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Empty } from "../../parts/empty.js";
import { ListFrame } from "../../parts/list.js";
import { Section } from "../../parts/page.js";
import { shared } from "../../parts/words.js";
import { texts } from "../../state/language.js";
import { JournalTable } from "./journal-table.js";
import { type BucketBalance, type Journal, rowsForCsv, runningBack, runningForward } from "./running.js";

/** The journals of a currency: they follow what happens, and can be saved as CSV. */

const words = texts("wallets");

function touches({ entries }: Journal, bucket: string | undefined): boolean {
  return bucket === undefined || entries.some((entry) => entry.bucket === bucket);
}

interface JournalsProps {
  readonly currency: string;
  readonly balances: readonly BucketBalance[];
  /** The newest journals, whatever the list shows. */
  readonly latest: OperationAnswer<"sandbox.ledger.list">;
}

export function Journals({ currency, balances, latest }: JournalsProps) {
  const { query } = useLocation();
  const { reference, bucket } = query;
  const wanted = { currency, ...(reference === undefined ? {} : { reference }) };
  const list = useList(
    "sandbox.ledger.list",
    { query: wanted },
    { rows: ({ data }) => data, key: ({ id }) => id, more: byCursor, on: ["journal"] },
  );
  const { rows, hasMore } = list.state.value;
  const shown = rows.filter((journal) => touches(journal, bucket));
  const head = reference === undefined ? words.value.after : words.value.after_own;
  const isFiltered = reference !== undefined || bucket !== undefined;
  const ofOne = hasMore ? () => null : runningForward(rows);
  const running = reference === undefined ? runningBack(balances, latest.data, !latest.has_more, rows) : ofOne;
  const none = isFiltered ? (
    <p>{shared.value.no_match}</p>
  ) : (
    <Empty text={words.value.empty_money} command="qa-pay trigger charge.paid" />
  );
  return (
    <Section title={words.value.journal}>
      <ListFrame
        list={list}
        filters={[
          { name: "reference", label: words.value.reference },
          { name: "bucket", label: words.value.bucket, kind: "choice", choices: BUCKETS },
        ]}
        empty={none}
        csv={`journals-${currency}`}
        csvRows={(all) => rowsForCsv(all.filter((journal) => touches(journal, bucket)))}
      >
        {shown.length === 0 ? (
          none
        ) : (
          <JournalTable label={words.value.journal} journals={shown} running={running} head={head} />
        )}
      </ListFrame>
    </Section>
  );
}
