import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { fill } from "../../../../../base/kernel/message.js";
import { call } from "../../api/call.js";
import { onMessages } from "../../api/live.js";
import { AnswerMark, AttemptError } from "../../parts/attempt-error.js";
import { Bars, TALLEST } from "../../parts/bars.js";
import { Facts, Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/values.js";
import { book, withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { logHeight } from "../../words/bar-heights.js";
import {
  type EndedAttempt,
  failureReasons,
  isArrived,
  latestAttempts,
  percentile,
} from "../../words/endpoint-health.js";

const words = texts("endpoints");

/** The latest attempts of an endpoint, read once; then each delivery with a new attempt in the stream. */

const MOST = 50;
/** Each delivery is read by a call of its own. */
const DELIVERIES_READ = 25;

/** Another endpoint may have the same URL: its deliveries are left out. */
async function attemptsOfDelivery(id: string, endpoint: string): Promise<EndedAttempt[]> {
  const { attempts_log, endpointId } = await call("sandbox.deliveries.get", { params: { id } });
  if (endpointId !== endpoint) return [];
  return attempts_log.map(({ number, at, duration_ms: ms, response, error, error_code, error_params }) => ({
    delivery: id,
    number,
    at,
    ms,
    status: response?.status ?? null,
    error,
    error_code,
    error_params,
  }));
}

async function attemptsOfEndpoint(endpoint: string): Promise<EndedAttempt[]> {
  const { data } = await call("sandbox.deliveries.list", { query: { endpoint, limit: DELIVERIES_READ } });
  const begun = data.filter(({ attempts }) => attempts > 0);
  return (await Promise.all(begun.map(({ id }) => attemptsOfDelivery(id, endpoint)))).flat();
}

/** Returns the latest attempts of an endpoint; null until they are read. */
export function useAnswers(endpoint: string, url: string | undefined): Signal<readonly EndedAttempt[] | null> {
  const known = useSignal<readonly EndedAttempt[] | null>(null);
  const place = book.value;
  useEffect(() => {
    let isOver = false;
    const add = (more: readonly EndedAttempt[]) => {
      if (!isOver) known.value = latestAttempts(known.peek() ?? [], more, MOST);
    };
    const begin = () => void attemptsOfEndpoint(endpoint).then(add, () => add([]));
    known.value = null;
    begin();
    const stop = onMessages((messages) => {
      if (messages.some(({ kind }) => kind === "resync")) begin();
      const told = messages.filter(({ kind, data }) => kind === "attempt" && data.url === url);
      // Deliveries that cannot be read any more, such as after a reset, are left out.
      for (const id of new Set(told.map(({ data }) => String(data.id))))
        attemptsOfDelivery(id, endpoint).then(add, () => add([]));
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [endpoint, url, place]);
  return known;
}

/**
 * The last answers of an endpoint: as bars, in figures, and as a table. The height of a bar is the duration on a fixed
 * scale; its colour and shape show if the attempt arrived.
 */
export function Answers({ of, end }: { of: readonly EndedAttempt[]; end: ComponentChildren }) {
  const reasons = failureReasons(of);
  const failed = of.filter((one) => !isArrived(one)).length;
  const bars = of.map((one) => ({
    key: `${one.delivery} ${one.number}`,
    height: logHeight(one.ms, TALLEST),
    text: `${one.status ?? words.value.failed} · ${one.ms} ms`,
    isBad: !isArrived(one),
  }));
  return (
    <Section title={words.value.answers} end={end}>
      {of.length === 0 ? (
        <p class="hint">{words.value.no_answers}</p>
      ) : (
        <>
          <Bars of={bars} label={fill(words.value.bars, { count: of.length, failed })} />
          <p class="hint">{words.value.scale}</p>
          <Facts
            of={[
              [words.value.p50, `${percentile(of, 0.5)} ms`],
              [words.value.p95, `${percentile(of, 0.95)} ms`],
              [words.value.failed, `${failed} / ${of.length}`],
            ]}
          />
          {reasons.length === 0 ? null : <h3>{words.value.errors}</h3>}
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
              label={words.value.answers}
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
