import type { ComponentChildren } from "preact";
import { fill } from "../../../../kernel/message.js";
import { Action, Actions } from "../../parts/action.js";
import { Section, Show } from "../../parts/page.js";
import { Countdown, Money, Status, type Tone } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { isFrozen } from "../../state/clock.js";
import { texts } from "../../state/language.js";
import { byDeadline } from "./figures.js";
import type { Readings } from "./readings.js";

/** What somebody should look at. Each line leads to its page, or does what it asks for. */

const words = texts("overview");

const MOST_ERRORS = 4;

function Line({ tone, mark, children, to }: { tone: Tone; mark: string; children: ComponentChildren; to: string }) {
  return (
    <>
      <Status status={mark} tone={tone} />
      <span class="about">{children}</span>
      <a class="button small" href={withBook(to)}>
        {words.value.see}
      </a>
    </>
  );
}

/** Deliveries that wait. With a frozen clock they wait until somebody moves it. */
function Waiting({ count }: { count: number }) {
  return (
    <>
      <Line tone="wait" mark={String(count)} to="/console/deliveries?status=PENDING">
        {fill(words.value.waiting, { count })} {isFrozen.value ? words.value.frozen : null}
      </Line>
      {isFrozen.value ? (
        <Action id="sandbox.clock.advance" label={words.value.run_next} kind="small" input={{ body: { to: "next" } }} />
      ) : null}
    </>
  );
}

/** The open cases in one line: how many, how much, and how long the most urgent one can wait. */
function Cases({ of }: { of: readonly { id: string; amount: number; response_deadline: string | null }[] }) {
  const [first] = byDeadline(of);
  if (first === undefined) return null;
  const to = of.length === 1 ? `/console/med/${first.id}` : "/console/med?status=open";
  return (
    <Line tone="warn" mark={String(of.length)} to={to}>
      {fill(words.value.cases, { count: of.length })} <Money amount={of.reduce((sum, { amount }) => sum + amount, 0)} />{" "}
      {first.response_deadline === null ? (
        words.value.no_deadline
      ) : (
        <>
          {words.value.answer_by} <Countdown to={first.response_deadline} />
        </>
      )}
    </Line>
  );
}

function linesOf({ deliveries, open, held, errors }: Readings): readonly ComponentChildren[] {
  const { FAILED: failed = 0, PENDING: waiting = 0 } = deliveries.state.value.data ?? {};
  const reviews = held.state.value.data?.total ?? 0;
  const cases = open.state.value.data?.data ?? [];
  const { value } = words;
  const failures = (errors.state.value.data?.data ?? []).slice(0, MOST_ERRORS);
  return [
    failed > 0 && (
      <Line tone="bad" mark={String(failed)} to="/console/deliveries?status=FAILED">
        {fill(value.failed, { count: failed })}
      </Line>
    ),
    cases.length > 0 && <Cases of={cases} />,
    reviews > 0 && (
      <Line tone="warn" mark={String(reviews)} to="/console/charges?status=PROCESSING">
        {fill(value.reviews, { count: reviews })}
      </Line>
    ),
    ...failures.map(({ method, route, status, code, count, last_number }) => (
      <Line key={last_number} tone="bad" mark={String(status || "—")} to={`/console/requests/${last_number}`}>
        {fill(value.times, { count })} {code} <code>{`${method} ${route}`}</code>
      </Line>
    )),
    waiting > 0 && <Waiting count={waiting} />,
  ].filter((line) => line !== false);
}

/** Nothing needs anybody only when all was read. */
function AllFine({ of: { deliveries, open, held, errors } }: { of: Readings }) {
  const unread = [deliveries, open, held, errors].map(({ state }) => state.value).find(({ data }) => data === null);
  if (unread !== undefined) return <Show<unknown> of={unread}>{() => null}</Show>;
  return <p class="hint">{words.value.all_fine}</p>;
}

export function Attention({ of }: { of: Readings }) {
  const lines = linesOf(of);
  return (
    <Section title={words.value.attention}>
      {lines.length === 0 ? (
        <AllFine of={of} />
      ) : (
        <Actions>
          <ul class="plain lines">
            {lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        </Actions>
      )}
    </Section>
  );
}
