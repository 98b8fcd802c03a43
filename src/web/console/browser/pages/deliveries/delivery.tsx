import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import { parseDuration } from "../../../../../base/kernel/duration.js";
import { fill } from "../../../../../base/kernel/message.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { AnswerMark } from "../../parts/attempt-error.js";
import { useWhy } from "../../parts/cause.js";
import { SubjectLink } from "../../parts/event-subject.js";
import { Dotted } from "../../parts/items.js";
import { Code } from "../../parts/json.js";
import { useAddressWith } from "../../parts/list-address.js";
import { Section, Tabs } from "../../parts/page.js";
import { type Snippet, Snippets } from "../../parts/snippets.js";
import { type Mark, Strip } from "../../parts/strip.js";
import { HttpStatus, Status, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { language, terms, texts } from "../../state/language.js";
import { waitAfter } from "../../words/delivery-facts.js";
import { silenceOf } from "../../words/service-texts.js";
import { duration, shortTime } from "../../words/time.js";
import { BesideGood, useLastGood } from "./beside.js";
import { type Attempt, type Delivery, hasArrived, headerLines } from "./facts.js";
import { SignaturePart } from "./signature.js";
import { Verdict } from "./verdict.js";

const words = texts("deliveries");
const kinds = texts("chaos_kinds");

interface WaitProps {
  readonly attempt: Attempt;
  readonly delivery: Delivery;
  /** The first wait of the retry schedule; null while it is not known. */
  readonly baseMs: number | null;
}

/** The reason for the length of the wait before the next attempt. */
function WaitText({ attempt, delivery, baseMs }: WaitProps) {
  const isLast = delivery.status === "FAILED" && attempt === delivery.attempts_log.at(-1);
  if (hasArrived(attempt) || delivery.status === "CANCELLED" || isLast || baseMs === null) return null;
  const { ms, retryAfter } = waitAfter(attempt, baseMs);
  if (retryAfter !== null) return <span class="hint">{fill(words.value.wait_retry_after, { asked: retryAfter })}</span>;
  const formula = `${duration(baseMs)} × 2^(${attempt.number} − 1), ≤ 6 h`;
  return <span class="hint">{fill(words.value.wait, { formula, wait: duration(ms) })}</span>;
}

/** All attempts side by side. Each is a link with an address; the shown one is marked, also in words. */
function Attempts({ of, shown, children }: { of: readonly Attempt[]; shown: Attempt; children: ComponentChildren }) {
  const address = useAddressWith();
  const marks = of.map((attempt): Mark => {
    const { at, response } = attempt;
    const number = String(attempt.number);
    return {
      key: number,
      text: number,
      tone: hasArrived(attempt) ? "good" : "bad",
      more: `${response?.status ?? silenceOf(attempt, language.value)}, ${shortTime(Date.parse(at), language.value)}`,
      isChosen: attempt === shown,
      href: address({ attempt: number }),
    };
  });
  return (
    <div class="flow attempts">
      <Strip label={terms.value.attempts} of={marks} />
      <p class="flow facts">
        <strong>{fill(words.value.attempt, { number: shown.number })}</strong> <Time at={shown.at} />{" "}
        <AnswerMark status={shown.response?.status ?? null} of={shown} />
        <span class="hint">{fill(words.value.took, { ms: shown.duration_ms })}</span>{" "}
        {shown.chaos.map((kind) => (
          <Status key={kind} status={kind} tone="warn">
            {fill(words.value.planned, { fault: kinds.value[kind] })}
          </Status>
        ))}
        {children}
      </p>
    </div>
  );
}

/** A JSON body on many lines and as it was sent; any other body as it was sent. */
function bodyForms(body: string): readonly Snippet[] {
  const raw = { name: words.value.raw, text: body };
  try {
    return [{ name: words.value.formatted, text: JSON.stringify(JSON.parse(body), null, 2) }, raw];
  } catch {
    return [raw];
  }
}

/** The request of an attempt as it was sent, with the answer beside it. */
function Exchange({ of: { request, response } }: { of: Attempt }) {
  const bytes = fill(words.value.bytes, { count: new TextEncoder().encode(request.body).length });
  return (
    <div class="two-sides">
      <Section title={words.value.request} end={<span class="hint">{bytes}</span>}>
        <Snippets label={terms.value.body} of={bodyForms(request.body)} />
        <Code label={terms.value.headers} text={`POST ${request.url}\n${headerLines(request.headers)}`} />
      </Section>
      {response === null ? null : (
        <Section title={terms.value.answer} end={<HttpStatus status={response.status} />}>
          {response.body === "" ? (
            <p class="hint">{words.value.empty_body}</p>
          ) : (
            <Snippets label={terms.value.answer} of={bodyForms(response.body)} />
          )}
          <Code label={terms.value.headers} text={`${response.status}\n${headerLines(response.headers)}`} />
        </Section>
      )}
    </div>
  );
}

/** The target of a delivery, its subject, and the time of its arrival. */
export function DeliveryLine({ of }: { of: Delivery }) {
  const { subject, payload, endpointId, url, createdAt, deliveredAt } = of;
  const target = endpointId && <a href={withBook(`/console/endpoints/${endpointId}`)}>{url}</a>;
  return (
    <>
      {"→\u00a0"}
      <Dotted
        of={[
          target ?? `${url} (${words.value.private_target})`,
          <SubjectLink of={{ subject, payload }} />,
          <>
            {words.value.created} <Time at={createdAt} />
          </>,
          deliveredAt && (
            <>
              {words.value.delivered} <Time at={deliveredAt} />
            </>
          ),
        ]}
      />
    </>
  );
}

/** The attempt that the address names, by default the last one. `isRead` is true if all its page shows is read. */
export function useShown(id: string, delivery: Delivery | null) {
  const why = useWhy(id, delivery, delivery !== null).value;
  const good = useLastGood(delivery);
  // The line of a try has the schedule of the settings: it would grow when they are read.
  const settings = useCall("sandbox.settings", {}).state.value;
  return { isRead: isSettled(why) && isSettled(settings) && good.isRead };
}

export function DeliveryDetails({ of }: { of: Delivery }) {
  const { query } = useLocation();
  const flags = useCall("sandbox.settings", {}).state.value.data?.flags ?? [];
  const base = flags.find(({ flag }) => flag.replace(/^-+/, "") === "retry-base")?.value;
  const tries = of.attempts_log;
  const shown = tries.find(({ number }) => String(number) === query.attempt) ?? tries.at(-1);
  return (
    <>
      <Verdict of={of} attempt={shown} />
      {shown === undefined ? null : (
        <>
          <Attempts of={tries} shown={shown}>
            <WaitText attempt={shown} delivery={of} baseMs={typeof base === "string" ? parseDuration(base) : null} />
          </Attempts>
          <Tabs
            of={{
              exchange: () => <Exchange of={shown} />,
              signature: () => <SignaturePart delivery={of} attempt={shown} />,
            }}
            names={{ ...words.value, signature: terms.value.signature }}
          />
          {hasArrived(shown) ? null : <BesideGood delivery={of} attempt={shown} />}
        </>
      )}
    </>
  );
}
