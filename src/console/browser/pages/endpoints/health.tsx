import type { ComponentChildren } from "preact";
import { fill } from "../../../../kernel/message.js";
import { AnswerMark, AttemptError } from "../../parts/attempt-error.js";
import { Bars, TALLEST } from "../../parts/bars.js";
import { Facts, Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { logHeight } from "../../words/bar-heights.js";
import { type EndedAttempt, failureReasons, isArrived, percentile } from "../../words/endpoint-health.js";

const words = texts("endpoints");

/**
 * The last answers of an endpoint: as bars, in figures, and as a table. The height of a bar is the duration on a fixed scale, its
 * colour and shape tell whether the attempt arrived.
 */
export function Answers({ of, end }: { of: readonly EndedAttempt[]; end: ComponentChildren }) {
  const { value } = words;
  const reasons = failureReasons(of);
  const failed = of.filter((one) => !isArrived(one)).length;
  const bars = of.map((one) => ({
    key: `${one.delivery} ${one.number}`,
    height: logHeight(one.ms, TALLEST),
    text: `${one.status ?? value.failed} · ${one.ms} ms`,
    isBad: !isArrived(one),
  }));
  return (
    <Section title={value.answers} end={end}>
      {of.length === 0 ? (
        <p class="hint">{value.no_answers}</p>
      ) : (
        <>
          <Bars of={bars} label={fill(value.bars, { count: of.length, failed })} />
          <p class="hint">{value.scale}</p>
          <Facts
            of={[
              [value.p50, `${percentile(of, 0.5)} ms`],
              [value.p95, `${percentile(of, 0.95)} ms`],
              [value.failed, `${failed} / ${of.length}`],
            ]}
          />
          {reasons.length === 0 ? null : <h3>{value.errors}</h3>}
          {reasons.length === 0 ? null : (
            <ul>
              {reasons.map(({ reason, count }) => (
                <li key={reason.error}>
                  {count} × <AttemptError of={reason} />
                </li>
              ))}
            </ul>
          )}
          <details>
            <summary>{terms.value.as_a_table}</summary>
            <Table
              label={value.answers}
              rows={of.toReversed()}
              keyOf={(one) => `${one.delivery} ${one.number}`}
              columns={[
                {
                  head: terms.value.its_deliveries,
                  cell: (one) => (
                    <a href={withBook(`/console/deliveries/${one.delivery}?attempt=${one.number}`)}>
                      <Time at={one.at} /> #{one.number}
                    </a>
                  ),
                },
                { head: terms.value.answer, cell: (one) => <AnswerMark status={one.status} of={one} /> },
                { head: terms.value.duration_real, cell: (one) => `${one.ms} ms`, isNumber: true },
              ]}
            />
          </details>
        </>
      )}
    </Section>
  );
}
