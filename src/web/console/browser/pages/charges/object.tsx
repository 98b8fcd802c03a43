import { useSignal } from "@preact/signals";
import { differences } from "../../../../../base/kernel/differences.js";
import { Empty } from "../../parts/empty.js";
import { Field } from "../../parts/fields.js";
import { Json } from "../../parts/json.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { language, texts } from "../../state/language.js";
import type { Item, TimelineAnswer } from "../../timeline/model.js";
import { shortTime } from "../../words/time.js";
import { JournalTable } from "../wallets/journals.js";
import { type Journal, runningForward } from "../wallets/running.js";
import type { Subject } from "./subject.js";

const words = texts("charges_page");

const jsonOf = (value: unknown) => <code>{value === undefined ? words.value.absent : JSON.stringify(value)}</code>;

function Differences({ before, after }: { before: Item; after: Item }) {
  const { value } = words;
  const found = differences(before.data.object, after.data.object);
  if (found.length === 0) return <p class="hint">{value.no_difference}</p>;
  return (
    <Table
      label={value.diff}
      rows={found}
      keyOf={({ path }) => path}
      columns={[
        { head: value.member, cell: ({ path }) => <code>{path}</code>, wraps: true },
        { head: value.was, cell: ({ before: was }) => jsonOf(was), wraps: true },
        { head: value.is, cell: ({ after: is }) => jsonOf(is), wraps: true },
      ]}
    />
  );
}

/** The last two events with the same form of data: charges and payments have different forms. */
function usualPair(events: readonly Item[]): readonly [Item | undefined, Item | undefined] {
  const family = ({ text }: Item) => text.split(".")[0];
  const last = events.findLast((one) => events.filter((other) => family(other) === family(one)).length > 1);
  const alike = events.filter((one) => last !== undefined && family(one) === family(last));
  return [alike.at(0), alike.at(-1)];
}

function Comparison({ timeline }: { timeline: TimelineAnswer }) {
  const events = timeline.items.filter(({ kind }) => kind === "event");
  const chosen = useSignal<Readonly<Record<string, string>>>({});
  const [first, last] = usualPair(events);
  if (first === undefined || last === undefined) return <p class="hint">{words.value.no_events}</p>;
  const idOf = { before: chosen.value.before ?? first.id, after: chosen.value.after ?? last.id };
  const named = (id: string, usual: Item) => events.find((event) => event.id === id) ?? usual;
  const choices = events.map(({ id, text, at }) => ({
    value: id,
    words: `${text} · ${shortTime(Date.parse(at), language.value)}`,
  }));
  const choose = (name: "before" | "after") => (
    <Field
      spec={{ name, label: words.value[name], kind: "choice", required: true, choices }}
      text={idOf[name]}
      problem={null}
      onText={(text) => {
        chosen.value = { ...chosen.value, [name]: text };
      }}
    />
  );
  return (
    <>
      <div class="flow">
        {choose("before")}
        {choose("after")}
      </div>
      <Differences before={named(idOf.before, first)} after={named(idOf.after, last)} />
    </>
  );
}

/** A charge in both wire formats, and the changes between its events. */
export function ObjectTab({ subject: { charge, payment, timeline } }: { subject: Subject }) {
  return (
    <>
      <div class="formats">
        {charge === null ? null : <Json label={words.value.as_charge} value={charge} />}
        <Json label={words.value.as_payment} value={payment} />
      </div>
      <Section title={words.value.diff}>
        <Comparison timeline={timeline} />
      </Section>
    </>
  );
}

/** The movements of money of a charge, oldest first, with the balance of each bucket after them. */
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
