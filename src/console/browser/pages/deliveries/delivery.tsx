import { useLocation } from "preact-iso/router";
import { parseDuration } from "../../../../kernel/duration.js";
import { parseSignature } from "../../../../kernel/webhook-signature.js";
import { useCall } from "../../api/use-call.js";
import { AttemptError } from "../../parts/attempt-error.js";
import { Dotted } from "../../parts/items.js";
import { Tabs } from "../../parts/page.js";
import { Countdown, ObjectLink, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { type Attempt, Attempts, type Delivery, Exchange, hasArrived, WaitText } from "./attempt.js";
import { CheckWithSecret, CodePart, headerOf, SignaturePart, WhyRefused } from "./signature.js";

const signatureWords = texts("signature");
const words = texts("deliveries");

/** Where it goes, what it is about, and when it arrived or is tried again. */
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

/** So much of a body stands beside what went wrong; the whole body follows below. */
const REASON_LENGTH = 200;

/**
 * What went wrong with the attempt, with the reason that the receiver gave in its body, and why it would. It stands first, because it
 * is what people come for. Of the latest attempt, the head of the page says what went wrong.
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

/** The attempt that the address names, else the last one: what went wrong with it, all others, and its parts. */
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
