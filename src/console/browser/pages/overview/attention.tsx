import type { ComponentChildren } from "preact";
import { useCall } from "../../api/use-call.js";
import { Section } from "../../parts/page.js";
import { Countdown, HttpStatus, Money, ObjectLink, Status } from "../../parts/values.js";
import { OPEN_CASES } from "../../shell/badges.js";
import { withBook } from "../../state/book.js";
import { byDeadline } from "./figures.js";
import { words } from "./words.js";

/** What somebody should look at. Each line leads to its page. */

const MOST_CASES = 5;

function useLines(): { lines: readonly ComponentChildren[]; isKnown: boolean } {
  const deliveries = useCall("webhooks.stats", {}, { on: ["attempt", "event"] });
  const cases = useCall("med.list", OPEN_CASES, { on: ["case"] });
  const held = useCall("payments.list", { query: { status: "PROCESSING", limit: 1 } }, { on: ["transaction"] });
  const errors = useCall("sandbox.requests.errors", { query: {} }, { on: ["request"] });
  const { FAILED: failed = 0, PENDING: waiting = 0 } = deliveries.state.value.data ?? {};
  const reviews = held.state.value.data?.total ?? 0;
  const isKnown = [deliveries, cases, held, errors].every(({ state }) => state.value.data !== null);
  const mostUrgent = byDeadline(cases.state.value.data?.data ?? []).slice(0, MOST_CASES);
  const link = (path: string, text: string, tone: "bad" | "warn" | "wait") => (
    <a href={withBook(path)}>
      <Status status={text} tone={tone} />
    </a>
  );
  const lines = [
    ...(failed === 0 ? [] : [link("/console/deliveries?status=FAILED", words.value.failed(failed), "bad")]),
    ...(waiting === 0 ? [] : [link("/console/deliveries?status=PENDING", words.value.waiting(waiting), "wait")]),
    ...mostUrgent.map(({ id, amount, response_deadline: at }) => (
      <>
        <Status status="MED" tone="warn" /> <ObjectLink id={id} /> <Money amount={amount} />{" "}
        {at === null ? (
          words.value.no_deadline
        ) : (
          <>
            {words.value.answer_by} <Countdown to={at} />
          </>
        )}
      </>
    )),
    ...(reviews === 0 ? [] : [link("/console/charges?status=PROCESSING", words.value.reviews(reviews), "warn")]),
    ...(errors.state.value.data?.data ?? []).slice(0, 8).map(({ method, route, status, code, count, last_number }) => (
      <>
        <HttpStatus status={status} /> {words.value.times(count)}{" "}
        <code>
          {method} {route}
        </code>{" "}
        {code}, {words.value.last_one} <a href={withBook(`/console/requests/${last_number}`)}>{last_number}</a>
      </>
    )),
  ];
  return { lines, isKnown };
}

export function Attention() {
  const { lines, isKnown } = useLines();
  return (
    <Section title={words.value.attention}>
      {lines.length === 0 ? (
        <p class="hint">{isKnown ? words.value.all_fine : "…"}</p>
      ) : (
        <ul class="plain steps-done">
          {lines.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}
