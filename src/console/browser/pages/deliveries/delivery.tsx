import { useLocation } from "preact-iso/router";
import { parseDuration } from "../../../../kernel/duration.js";
import { parseSignature } from "../../../../kernel/webhook-signature.js";
import { useCall } from "../../api/use-call.js";
import { AttemptError } from "../../parts/attempt-error.js";
import { Tabs } from "../../parts/page.js";
import { Countdown, ObjectLink, Time } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { Attempts, Exchange, hasArrived, WaitText } from "./attempt.js";
import { CheckWithSecret, CodePart, headerOf, SignaturePart, WhyRefused } from "./signature.js";

import type { Attempt, Delivery } from "./types.js";

const signatureWords = texts("signature");

const words = texts("deliveries");

/** The first wait of the retry schedule. */
function useRetryBase(): number | null {
  const flags = useCall("sandbox.settings", {}).state.value.data?.flags ?? [];
  const value = flags.find(({ flag }) => flag.replace(/^-+/, "") === "retry-base")?.value;
  return typeof value === "string" ? parseDuration(value) : null;
}

/** Where it goes, what it is about, and when it arrived or is tried again. */
export function DeliveryLine({ of }: { of: Delivery }) {
  const { subject, endpointId, url, createdAt, deliveredAt, nextRetryAt } = of;
  return (
    <>
      {"→\u00a0"}
      {endpointId === null ? (
        `${url} (${words.value.private_target})`
      ) : (
        <a href={withBook(`/console/endpoints/${endpointId}`)}>{url}</a>
      )}{" "}
      · {terms.value.about} <ObjectLink id={subject} /> · {words.value.created} <Time at={createdAt} />
      {deliveredAt === null ? null : (
        <>
          {" "}
          · {words.value.delivered} <Time at={deliveredAt} />
        </>
      )}
      {nextRetryAt === null ? null : (
        <>
          {" "}
          · {words.value.next} <Time at={nextRetryAt} /> (<Countdown to={nextRetryAt} />)
        </>
      )}
    </>
  );
}

interface ShownProps {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
}

/** So much of a body stands beside what went wrong; the whole body follows below. */
const REASON_LENGTH = 200;

/**
 * What went wrong with the attempt, with the reason that the receiver gave in its body, and why it would. It stands first, because it
 * is what people come for. Of the latest attempt, the head of the page says what went wrong.
 */
function Failure({ delivery, attempt }: ShownProps) {
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
  const baseMs = useRetryBase();
  const tries = of.attempts_log;
  const shown = tries.find(({ number }) => String(number) === query.attempt) ?? tries.at(-1);
  if (shown === undefined) return <p class="hint">{words.value.no_attempt}</p>;
  const tabs = [
    { name: "exchange", label: words.value.exchange },
    { name: "signature", label: terms.value.signature },
    { name: "code", label: signatureWords.value.code },
  ];
  return (
    <>
      {hasArrived(shown) ? null : <Failure delivery={of} attempt={shown} />}
      <Attempts of={tries} shown={shown} />
      <WaitText attempt={shown} delivery={of} baseMs={baseMs} />
      <Tabs tabs={tabs}>
        {(tab) => {
          if (tab === "signature")
            return <SignaturePart delivery={of} attempt={shown} isRefused={!hasArrived(shown)} />;
          return tab === "code" ? <CodePart delivery={of} attempt={shown} /> : <Exchange of={shown} />;
        }}
      </Tabs>
    </>
  );
}
