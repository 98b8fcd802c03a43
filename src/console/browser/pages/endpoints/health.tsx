import { fill } from "../../../../kernel/message.js";
import { AttemptError } from "../../parts/attempt-error.js";
import { Bars, TALLEST } from "../../parts/bars.js";
import { Facts, Section } from "../../parts/page.js";
import { TableFrame } from "../../parts/table-frame.js";
import { HttpStatus, Status, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { logHeight } from "../../words/bar-heights.js";
import { type EndedAttempt, failureReasons, isArrived, percentile } from "../../words/endpoint-health.js";

const words = texts("endpoints");

/** A bar for each attempt: its height is the duration on a fixed scale, its colour and shape tell whether it arrived. */
function AttemptBars({ of }: { of: readonly EndedAttempt[] }) {
  const failed = of.filter((one) => !isArrived(one)).length;
  const bars = of.map((one) => ({
    key: `${one.delivery} ${one.number}`,
    height: logHeight(one.ms, TALLEST),
    text: `${one.status ?? words.value.failed} · ${one.ms} ms`,
    isBad: !isArrived(one),
  }));
  return (
    <>
      <Bars of={bars} label={fill(words.value.bars, { count: of.length, failed })} />
      <p class="hint">{words.value.scale}</p>
    </>
  );
}

function Figures({ of }: { of: readonly EndedAttempt[] }) {
  const failed = of.filter((one) => !isArrived(one)).length;
  return (
    <Facts
      of={[
        [words.value.p50, `${percentile(of, 0.5)} ms`],
        [words.value.p95, `${percentile(of, 0.95)} ms`],
        [words.value.failed, `${failed} / ${of.length}`],
      ]}
    />
  );
}

function Reasons({ of }: { of: readonly EndedAttempt[] }) {
  const reasons = failureReasons(of);
  if (reasons.length === 0) return null;
  return (
    <>
      <h3>{words.value.errors}</h3>
      <ul>
        {reasons.map(({ reason, count }) => (
          <li key={reason.error}>
            {count} × <AttemptError of={reason} />
          </li>
        ))}
      </ul>
    </>
  );
}

function AsTable({ of }: { of: readonly EndedAttempt[] }) {
  return (
    <details>
      <summary>{terms.value.as_a_table}</summary>
      <TableFrame label={words.value.answers}>
        <table>
          <caption class="visually-hidden">{words.value.answers}</caption>
          <thead>
            <tr>
              <th scope="col">{terms.value.its_deliveries}</th>
              <th scope="col">{terms.value.answer}</th>
              <th scope="col" class="number">
                {terms.value.duration_real}
              </th>
            </tr>
          </thead>
          <tbody>
            {[...of].reverse().map((one) => (
              <tr key={`${one.delivery} ${one.number}`}>
                <th scope="row">
                  <a href={withBook(`/console/deliveries/${one.delivery}?attempt=${one.number}`)}>
                    <Time at={one.at} /> #{one.number}
                  </a>
                </th>
                <td>
                  {one.status === null ? (
                    <Status status="" tone="bad">
                      <AttemptError of={one} />
                    </Status>
                  ) : (
                    <HttpStatus status={one.status} />
                  )}
                </td>
                <td class="number">{one.ms} ms</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </details>
  );
}

/** The last answers of an endpoint: as bars, in figures, and as a table. */
export function Answers({ of: attempts }: { of: readonly EndedAttempt[] }) {
  return (
    <Section title={words.value.answers}>
      {attempts.length === 0 ? (
        <p class="hint">{words.value.no_answers}</p>
      ) : (
        <>
          <AttemptBars of={attempts} />
          <Figures of={attempts} />
          <Reasons of={attempts} />
          <AsTable of={attempts} />
        </>
      )}
    </Section>
  );
}
