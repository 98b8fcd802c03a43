import { useSignal } from "@preact/signals";
import { useCall } from "../../api/use-call.js";
import { Empty } from "../../parts/empty.js";
import { Page, Section, Show } from "../../parts/page.js";
import { TableFrame } from "../../parts/table-frame.js";
import { IdText, Money, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { learnClock } from "../../state/clock.js";
import { type Advanced, CHANGES_DUE } from "../clock/due.js";
import { DueList, Ran } from "../clock/jump.js";
import { Attention } from "./attention.js";
import { Balances, Figures } from "./money.js";
import { GettingStarted } from "./started.js";
import { words } from "./words.js";

/** The first page: money, what needs somebody, what came last and what comes next. */

const LAST = 10;
const NEXT = 5;

function LastCharges() {
  const { state } = useCall("payments.list", { query: { limit: LAST } }, { on: ["transaction"] });
  return (
    <Section title={words.value.charges}>
      <Show of={state.value}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text={words.value.no_charges} command="qa-pay charges create --amount 1990" />
          ) : (
            <TableFrame label={words.value.charges}>
              <table>
                <caption class="visually-hidden">{words.value.charges}</caption>
                <thead>
                  <tr>
                    <th scope="col">id</th>
                    <th scope="col" class="number">
                      {words.value.amount}
                    </th>
                    <th scope="col">{words.value.status}</th>
                    <th scope="col" class="extra">
                      {words.value.created}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(({ id, amount, currency, status, createdAt: at }) => (
                    <tr key={id}>
                      <th scope="row">
                        <a class="row" href={withBook(`/console/charges/${id.replace(/^tx_/, "ch_")}`)}>
                          <IdText id={id.replace(/^tx_/, "ch_")} />
                        </a>
                      </th>
                      <td class="number">
                        <Money amount={amount} currency={currency} />
                      </td>
                      <td>
                        <Status status={status} />
                      </td>
                      <td class="extra">
                        <Time at={at} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
          )
        }
      </Show>
    </Section>
  );
}

function NextDue() {
  const { state } = useCall("sandbox.clock.due", { query: { limit: NEXT } }, { on: CHANGES_DUE });
  const ran = useSignal<Advanced | null>(null);
  const onRan = (answer: Advanced) => {
    learnClock(answer);
    ran.value = answer;
  };
  return (
    <Section title={words.value.due}>
      <Show of={state.value}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">{words.value.nothing_due}</p>
          ) : (
            <DueList entries={data} caption={words.value.due} onRan={onRan} />
          )
        }
      </Show>
      {ran.value === null ? null : <Ran answer={ran.value} />}
    </Section>
  );
}

export function Overview() {
  return (
    <Page title={menuWords.value.overview} command={{ id: "payments.metrics", input: { query: { days: 7 } } }}>
      <div class="overview">
        <GettingStarted />
        <div class="overview-part">
          <Balances />
          <Attention />
        </div>
        <Figures />
        <div class="wide overview-part">
          <LastCharges />
          <NextDue />
        </div>
      </div>
    </Page>
  );
}
