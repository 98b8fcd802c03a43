import { formatMoney } from "../../../../kernel/money.js";
import { useCall } from "../../api/use-call.js";
import { Facts, Section, Show } from "../../parts/page.js";
import { TableFrame } from "../../parts/table-frame.js";
import { Money, Time } from "../../parts/values.js";
import { daysOf, heights, type Metrics, mainCurrency } from "./figures.js";
import { words } from "./words.js";

/** Money on the first page: balances, and the volume of the last days. */

export function Balances() {
  const { state } = useCall("wallets.balance", { query: {} }, { on: ["journal"] });
  return (
    <Section title={words.value.balances}>
      <Show of={state.value}>
        {({
          available,
          pending,
          retained = 0,
          currency,
          next_release_at: at,
          next_release_amount: amount,
          balances = [],
        }) => (
          <>
            <Facts
              of={[
                [words.value.available, <Money amount={available} currency={currency} />],
                [words.value.pending, <Money amount={pending} currency={currency} />],
                [words.value.retained, <Money amount={retained} currency={currency} />],
                [
                  words.value.next_release,
                  at === null || amount === null ? null : (
                    <>
                      <Money amount={amount} currency={currency} /> <Time at={at} />
                    </>
                  ),
                ],
              ]}
            />
            {balances.length < 2 ? null : (
              <p class="hint">
                {words.value.other_currencies}:{" "}
                {balances
                  .filter((one) => one.currency !== currency)
                  .map((one) => formatMoney(one.total, one.currency))
                  .join(", ")}
              </p>
            )}
          </>
        )}
      </Show>
    </Section>
  );
}

const WIDTH = 40;
const GAP = 12;
const HEIGHT = 80;

/** The same numbers as the table below, so that a screen reader leaves it out. */
function Bars({ label, values }: { label: string; values: readonly number[] }) {
  const tall = heights(values, HEIGHT);
  const width = values.length * (WIDTH + GAP);
  return (
    <div>
      <p class="hint" aria-hidden="true">
        {label}
      </p>
      <svg class="figures" viewBox={`0 0 ${width} ${HEIGHT + 2}`} preserveAspectRatio="none" aria-hidden="true">
        {tall.map((height, index) => (
          <rect
            key={`${index} ${height}`}
            class={index === tall.length - 1 ? "today" : undefined}
            x={index * (WIDTH + GAP) + GAP / 2}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
          />
        ))}
        <line x1={0} y1={HEIGHT + 1} x2={width} y2={HEIGHT + 1} />
      </svg>
    </div>
  );
}

function DayTable({ metrics, currency }: { metrics: Metrics; currency: string }) {
  const days = daysOf(metrics, currency);
  const today = days.at(-1);
  return (
    <>
      <p class="headline">
        <span>
          {words.value.volume_today} <Money amount={today?.volume ?? 0} currency={currency} />
        </span>
        <span>
          {words.value.count_today} {today?.created ?? 0}
        </span>
      </p>
      <div class="charts">
        <Bars label={words.value.volume_today} values={days.map(({ volume }) => volume)} />
        <Bars label={words.value.count_today} values={days.map(({ created }) => created)} />
      </div>
      <TableFrame label={words.value.last_days}>
        <table>
          <caption class="visually-hidden">{words.value.last_days}</caption>
          <thead>
            <tr>
              <th scope="col">{words.value.day}</th>
              <th scope="col" class="number">
                {words.value.volume_today}
              </th>
              <th scope="col" class="number">
                {words.value.count_today}
              </th>
              <th scope="col" class="number">
                {words.value.paid_today}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, created, paid, volume }) => (
              <tr key={date}>
                <th scope="row">{date}</th>
                <td class="number">
                  <Money amount={volume} currency={currency} />
                </td>
                <td class="number">{created}</td>
                <td class="number">{paid}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </>
  );
}

export function Figures() {
  const { state } = useCall("payments.metrics", { query: { days: 7 } }, { on: ["transaction", "clock"] });
  return (
    <Section title={words.value.figures}>
      <Show of={state.value}>{(metrics) => <DayTable metrics={metrics} currency={mainCurrency(metrics)} />}</Show>
    </Section>
  );
}
