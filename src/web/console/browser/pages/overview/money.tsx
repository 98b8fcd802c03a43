import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { fill } from "../../../../../base/kernel/message.js";
import { formatMoney } from "../../../../../base/kernel/money.js";
import { type Bar, Bars, TALLEST } from "../../parts/bars.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Toggles } from "../../parts/toggles.js";
import { Money, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { language, terms, texts } from "../../state/language.js";
import { hasOutlier, heights } from "../../words/bar-heights.js";
import { dayText } from "../../words/dates.js";
import { type Day, daysOf, type Metrics, mainCurrency } from "./figures.js";
import type { Readings } from "./readings.js";

/** Money on the first page: balances, and the volume of the last days. */

const words = texts("overview");

function Figure({ name, children, hint }: { name: string; children: ComponentChildren; hint?: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="headline-number">{children}</dd>
      {hint === undefined ? null : <dd class="hint">{hint}</dd>}
    </div>
  );
}

function Today({ of }: { of: Metrics }) {
  const currency = mainCurrency(of);
  const { created = 0, volume = 0 } = daysOf(of, currency).at(-1) ?? {};
  return (
    <Figure name={words.value.figures} hint={fill(words.value.charges_today, { count: created })}>
      <Money amount={volume} currency={currency} />
    </Figure>
  );
}

/** The main figures. */
export function Headline({ of: { balance, metrics } }: { of: Readings }) {
  if (balance.data === null) return null;
  const { available, pending, retained = 0, currency, next_release_at: at, ...more } = balance.data;
  const { next_release_amount: next, balances = [] } = more;
  const others = balances.filter((one) => one.currency !== currency);
  const release = at !== null && next !== null && (
    <>
      {words.value.next_release}: <Money amount={next} currency={currency} /> <Time at={at} />
    </>
  );
  const figure = (name: string, amount: number, hint?: ComponentChildren) => (
    <Figure name={name} hint={hint}>
      <Money amount={amount} currency={currency} />
    </Figure>
  );
  return (
    <dl class="flow headline">
      {figure(words.value.available, available, others.map((one) => formatMoney(one.total, one.currency)).join(", "))}
      {figure(words.value.retained, retained)}
      {figure(words.value.pending, pending, release || undefined)}
      {metrics.data && <Today of={metrics.data} />}
    </dl>
  );
}

/** `22 Nov` of `2026-11-22`. */
const dayAndMonth = (date: string) => dayText(date, language.value).replace(/ \d{4}$/, "");

interface Charted {
  readonly days: readonly Day[];
  readonly values: readonly number[];
  readonly currency: string;
  /** True if the bars are numbers of charges, and not sums of money. */
  readonly isCount: boolean;
}

function barsOf({ days, values, currency, isCount }: Charted): readonly Bar[] {
  const tall = heights(values, TALLEST);
  const highest = values.indexOf(Math.max(...values));
  /** The value of the highest bar and of today's, without its cents: the two may stand side by side. */
  const shown = (value: number, index: number) =>
    value > 0 && (index === highest || index === values.length - 1)
      ? { value: isCount ? String(value) : formatMoney(value, currency).replace(/,\d\d$/, "") }
      : {};
  return days.map(({ date, created, paid, volume }, index) => ({
    key: date,
    height: tall[index] ?? 0,
    ...shown(values[index] ?? 0, index),
    label: dayAndMonth(date),
    text: `${dayAndMonth(date)}: ${formatMoney(volume, currency)}, ${fill(words.value.charges_made, { created, paid })}`,
    href: withBook(`/console/charges?from=${date}&to=${date}`),
  }));
}

function DayChart({ metrics }: { metrics: Metrics }) {
  const isCount = useSignal(false);
  const currency = mainCurrency(metrics);
  const days = daysOf(metrics, currency);
  const values = days.map(({ created, volume }) => (isCount.value ? created : volume));
  return (
    <>
      <Toggles
        label={words.value.shows}
        of={[
          { name: "volume", words: words.value.volume_today, isOn: !isCount.value },
          { name: "count", words: words.value.count_today, isOn: isCount.value },
        ]}
        onPress={(name) => {
          isCount.value = name === "count";
        }}
      />
      <Bars label={words.value.last_days} of={barsOf({ days, values, currency, isCount: isCount.value })} />
      {hasOutlier(values) ? <p class="hint">{words.value.outlier}</p> : null}
      <details>
        <summary>{terms.value.as_a_table}</summary>
        <Table
          label={words.value.last_days}
          rows={days}
          keyOf={({ date }) => date}
          columns={[
            { head: words.value.day, cell: ({ date }) => dayAndMonth(date) },
            {
              head: words.value.volume_today,
              cell: ({ volume }) => <Money amount={volume} currency={currency} />,
              isNumber: true,
            },
            { head: words.value.count_today, cell: ({ created }) => created, isNumber: true },
            { head: words.value.paid_today, cell: ({ paid }) => paid, isNumber: true },
          ]}
        />
      </details>
    </>
  );
}

export function Days({ of: { metrics } }: { of: Readings }) {
  if (metrics.data === null) return null;
  return (
    <Section title={words.value.last_days}>
      <DayChart metrics={metrics.data} />
    </Section>
  );
}
