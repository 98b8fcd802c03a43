import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { fill } from "../../../../../base/kernel/message.js";
import { call } from "../../api/call.js";
import { onMessages } from "../../api/live.js";
import { AnswerMark, AttemptError } from "../../parts/attempt-error.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/values.js";
import { book, withBook } from "../../state/book.js";
import { language, terms, texts } from "../../state/language.js";
import {
  chartTop,
  type EndedAttempt,
  failureReasons,
  isArrived,
  latestAttempts,
  percentile,
} from "../../words/endpoint-health.js";
import { silenceOf } from "../../words/service-texts.js";
import { duration } from "../../words/time.js";

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

/** The height of the chart in pixels, and the room for a mark at its edges. */
const HEIGHT = 120;
const EDGE = 8;

/** Each attempt as a mark: a dot that arrived, or a cross that did not. Its height is the duration. */
function Dots({ of }: { of: readonly EndedAttempt[] }) {
  const top = chartTop(of);
  const failed = of.filter((one) => !isArrived(one)).length;
  const lines = [top, top / 2, 0];
  const heightOf = (ms: number) => HEIGHT - EDGE - Math.min(1, ms / top) * (HEIGHT - 2 * EDGE);
  return (
    <div class="dots">
      <span class="hint" aria-hidden="true">
        {lines.map((ms) => (
          <span key={ms}>{duration(ms)}</span>
        ))}
      </span>
      <svg
        height={HEIGHT}
        role="img"
        aria-label={fill(words.value.dots, { count: of.length, failed, top: duration(top) })}
      >
        {lines.map((ms) => (
          <line key={ms} x2="100%" y1={heightOf(ms)} y2={heightOf(ms)} />
        ))}
        {of.map((one, index) => {
          const [x, y] = [`${((index + 0.5) * 100) / of.length}%`, heightOf(one.ms)];
          const text = `${one.status ?? silenceOf(one, language.value)} · ${one.ms} ms`;
          return isArrived(one) ? (
            <circle key={`${one.delivery} ${one.number}`} cx={x} cy={y} r="4">
              <title>{text}</title>
            </circle>
          ) : (
            <svg key={`${one.delivery} ${one.number}`} class="cross" x={x} y={y} overflow="visible">
              <title>{text}</title>
              <path d="M-4-4L4 4M4-4L-4 4" />
            </svg>
          );
        })}
      </svg>
    </div>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly children?: ComponentChildren;
}

function Figure({ name, value, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="bucket-amount">{value}</dd>
      <dd class="hint">{children}</dd>
    </div>
  );
}

/** How many of the attempts failed and why, and how soon the others were answered. */
function Figures({ of }: { of: readonly EndedAttempt[] }) {
  const failed = of.filter((one) => !isArrived(one)).length;
  const answered = of.filter(({ status }) => status !== null);
  const ms = (share: number) => {
    const most = percentile(answered, share);
    return most === null ? "—" : duration(most);
  };
  const { failed: name, failed_of, half, most } = words.value;
  return (
    <dl class="buckets">
      <Figure name={name} value={fill(failed_of, { failed, count: of.length })}>
        {failureReasons(of).map(({ reason, count }) => (
          <div key={reason.error}>
            {count} × <AttemptError of={reason} />
          </div>
        ))}
      </Figure>
      <Figure name={half} value={ms(0.5)} />
      <Figure name={most} value={ms(0.95)} />
    </dl>
  );
}

/** The last answers of an endpoint: in figures, as a chart, and as a table. */
export function Answers({ of, end }: { of: readonly EndedAttempt[]; end: ComponentChildren }) {
  return (
    <Section title={words.value.answers} end={end}>
      {of.length === 0 ? (
        <p class="hint">{words.value.no_answers}</p>
      ) : (
        <>
          <Figures of={of} />
          <Dots of={of} />
          <details>
            <summary>{terms.value.as_a_table}</summary>
            <Table
              label={words.value.answers}
              rows={of.toReversed()}
              keyOf={(one) => `${one.delivery} ${one.number}`}
              columns={[
                {
                  head: terms.value.delivery,
                  cell: (one) => (
                    <a href={withBook(`/console/webhooks/${one.delivery}?attempt=${one.number}`)}>
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
