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
      <Table
        label={words.value.answers}
        rows={[...of].reverse()}
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
  );
}

/** The last answers of an endpoint: as bars, in figures, and as a table. */
export function Answers({ of: attempts, end }: { of: readonly EndedAttempt[]; end: ComponentChildren }) {
  return (
    <Section title={words.value.answers} end={end}>
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
