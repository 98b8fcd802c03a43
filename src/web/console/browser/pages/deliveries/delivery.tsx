import { useLocation } from "preact-iso/router";
import { parseDuration } from "../../../../../base/kernel/duration.js";
import { isSuccess } from "../../../../../base/kernel/http-status.js";
import { fill } from "../../../../../base/kernel/message.js";
import { parseSignature } from "../../../../../base/kernel/webhook-signature.js";
import { useCall } from "../../api/use-call.js";
import { AnswerMark, AttemptError } from "../../parts/attempt-error.js";
import { Dotted } from "../../parts/items.js";
import { Code } from "../../parts/json.js";
import { useAddressWith } from "../../parts/list-address.js";
import { Section, Tabs } from "../../parts/page.js";
import { type Snippet, Snippets } from "../../parts/snippets.js";
import { type Mark, Strip } from "../../parts/strip.js";
import { Countdown, HttpStatus, ObjectLink, Status, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { language, terms, texts } from "../../state/language.js";
import { waitAfter } from "../../words/delivery-facts.js";
import { duration, shortTime } from "../../words/time.js";
import {
  type Attempt,
  CheckWithSecret,
  CodePart,
  type Delivery,
  headerOf,
  SignaturePart,
  WhyRefused,
} from "./signature.js";

const signatureWords = texts("signature");
const words = texts("deliveries");

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

const hasArrived = ({ response }: Attempt) => isSuccess(response?.status ?? null);

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
  if (retryAfter !== null) return <p class="hint">{fill(words.value.wait_retry_after, { asked: retryAfter })}</p>;
  const formula = `${duration(baseMs)} × 2^(${attempt.number} − 1), ≤ 6 h`;
  return <p class="hint">{fill(words.value.wait, { formula, wait: duration(ms) })}</p>;
}

/** All attempts side by side. Each is a link with an address; the shown one is marked, also in words. */
function Attempts({ of, shown }: { of: readonly Attempt[]; shown: Attempt }) {
  const address = useAddressWith();
  const marks = of.map((attempt): Mark => {
    const { at, response } = attempt;
    const number = String(attempt.number);
    return {
      key: number,
      text: number,
      tone: hasArrived(attempt) ? "good" : "bad",
      more: `${response?.status ?? terms.value.no_answer}, ${shortTime(Date.parse(at), language.value)}`,
      isChosen: attempt === shown,
      href: address({ attempt: number }),
    };
  });
  return (
    <>
      <Strip label={terms.value.attempts} of={marks} />
      <p class="facts">
        <strong>{fill(words.value.attempt, { number: shown.number })}</strong> <Time at={shown.at} />{" "}
        <AnswerMark status={shown.response?.status ?? null} of={shown} />
        <span class="hint">{fill(words.value.took, { ms: shown.duration_ms })}</span>{" "}
        {shown.chaos.map((kind) => (
          <Status key={kind} status={kind} tone="warn">
            {words.value.chaos}: {words.value[`chaos_${kind}`]}
          </Status>
        ))}
      </p>
    </>
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

/** The target of a delivery, its subject, and the time of its arrival or next attempt. */
export function DeliveryLine({ of }: { of: Delivery }) {
  const { subject, endpointId, url, createdAt, deliveredAt, nextRetryAt } = of;
  const target = endpointId && <a href={withBook(`/console/endpoints/${endpointId}`)}>{url}</a>;
  return (
    <>
      {"→\u00a0"}
      <Dotted
        of={[
          target ?? `${url} (${words.value.private_target})`,
          <>
            {terms.value.about} <ObjectLink id={subject} />
          </>,
          <>
            {words.value.created} <Time at={createdAt} />
          </>,
          deliveredAt && (
            <>
              {words.value.delivered} <Time at={deliveredAt} />
            </>
          ),
          nextRetryAt && (
            <>
              {words.value.next} <Time at={nextRetryAt} /> (<Countdown to={nextRetryAt} />)
            </>
          ),
        ]}
      />
    </>
  );
}

/** The maximum of characters of a body beside the failure; the whole body follows below. */
const REASON_LENGTH = 200;

/**
 * The failure of the attempt, with the receiver's reason from its body and a likely cause. It is shown first, because
 * people look for it. The head of the page describes the failure of the latest attempt.
 */
function Failure({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) {
  const signature = parseSignature(headerOf(attempt));
  const isLatest = attempt === delivery.attempts_log.at(-1);
  if (isLatest && attempt.response === null) return null;
  const body = attempt.response?.body.trim() ?? "";
  const reason = body.length > REASON_LENGTH ? `${body.slice(0, REASON_LENGTH)}…` : body;
  return (
    <section class="section failure">
      {isLatest && reason === "" ? null : (
        <h2 class="problem">
          {isLatest ? terms.value.answer : <AttemptError of={attempt} />}
          {reason === "" ? null : (
            <>
              : <code>{reason}</code>
            </>
          )}
        </h2>
      )}
      {attempt.response === null || signature === null ? null : (
        <>
          <WhyRefused attempt={attempt} family={signature.family} />
          <CheckWithSecret key={attempt.number} attempt={attempt} endpointId={delivery.endpointId} />
        </>
      )}
    </section>
  );
}

/** The attempt that the address names, by default the last one: its failure, all others, and its parts. */
export function DeliveryDetails({ of }: { of: Delivery }) {
  const { query } = useLocation();
  const flags = useCall("sandbox.settings", {}).state.value.data?.flags ?? [];
  const base = flags.find(({ flag }) => flag.replace(/^-+/, "") === "retry-base")?.value;
  const tries = of.attempts_log;
  const shown = tries.find(({ number }) => String(number) === query.attempt) ?? tries.at(-1);
  if (shown === undefined) return <p class="hint">{words.value.no_attempt}</p>;
  const hasFailed = !hasArrived(shown);
  return (
    <>
      {hasFailed ? <Failure delivery={of} attempt={shown} /> : null}
      <Attempts of={tries} shown={shown} />
      <WaitText attempt={shown} delivery={of} baseMs={typeof base === "string" ? parseDuration(base) : null} />
      <Tabs
        of={{
          exchange: () => <Exchange of={shown} />,
          signature: () => <SignaturePart delivery={of} attempt={shown} isRefused={hasFailed} />,
          code: () => <CodePart delivery={of} attempt={shown} />,
        }}
        names={{ ...words.value, signature: terms.value.signature, code: signatureWords.value.code }}
      />
    </>
  );
}
