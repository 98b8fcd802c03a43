import { Empty } from "../../parts/empty.js";
import { Section } from "../../parts/page.js";
import { texts } from "../../state/language.js";
import type { TimelineAnswer } from "../../timeline/model.js";
import { JournalTable } from "../wallets/journal-table.js";
import { type Journal, runningForward } from "../wallets/running.js";

const words = texts("charges_page");

/** The movements of money of a charge, oldest first, with what they left in each bucket. */
export function MoneyTab({ timeline }: { timeline: TimelineAnswer }) {
  const { value } = words;
  const journals = timeline.items
    .filter(({ kind }) => kind === "journal")
    .map(({ at, data }) => ({ ...(data as unknown as Omit<Journal, "at">), at }));
  if (journals.length === 0) return <Empty text={value.no_money} command={`qa-pay sandbox pay ${timeline.subject}`} />;
  return (
    <Section title={value.journals}>
      <JournalTable
        label={value.journals}
        journals={journals}
        running={runningForward(journals.toReversed())}
        head={value.balance}
      />
    </Section>
  );
}
