import type { OperationAnswer } from "../../../../client/types.js";
import { isSuccess } from "../../../../kernel/http-status.js";
import { fill } from "../../../../kernel/message.js";
import { AnswerMark } from "../../parts/attempt-error.js";
import { Code } from "../../parts/json.js";
import { useAddressWith } from "../../parts/list-address.js";
import { Section } from "../../parts/page.js";
import { type Snippet, Snippets } from "../../parts/snippets.js";
import { type Mark, Strip } from "../../parts/strip.js";
import { HttpStatus, Status, Time } from "../../parts/values.js";
import { language, terms, texts } from "../../state/language.js";
import { waitAfter } from "../../words/delivery-facts.js";
import { duration, shortTime } from "../../words/time.js";

const words = texts("deliveries");

export type Delivery = OperationAnswer<"sandbox.deliveries.get">;
export type Attempt = Delivery["attempts_log"][number];

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

export const hasArrived = ({ response }: Attempt) => isSuccess(response?.status ?? null);

interface WaitProps {
  readonly attempt: Attempt;
  readonly delivery: Delivery;
  /** The first wait of the retry schedule; null while it is not known. */
  readonly baseMs: number | null;
}

/** How the wait for the next attempt came about. */
export function WaitText({ attempt, delivery, baseMs }: WaitProps) {
  const isLast = delivery.status === "FAILED" && attempt === delivery.attempts_log.at(-1);
  if (hasArrived(attempt) || delivery.status === "CANCELLED" || isLast || baseMs === null) return null;
  const { ms, retryAfter } = waitAfter(attempt, baseMs);
  if (retryAfter !== null) return <p class="hint">{fill(words.value.wait_retry_after, { asked: retryAfter })}</p>;
  const formula = `${duration(baseMs)} × 2^(${attempt.number} − 1), ≤ 6 h`;
  return <p class="hint">{fill(words.value.wait, { formula, wait: duration(ms) })}</p>;
}

/** All attempts side by side. Each is a link, so that it has an address; the shown one is marked and told in words. */
export function Attempts({ of, shown }: { of: readonly Attempt[]; shown: Attempt }) {
  const address = useAddressWith();
  const marks = of.map((attempt): Mark => {
    const { at, response } = attempt;
    const number = String(attempt.number);
    return {
      ...{ key: number, text: number, tone: hasArrived(attempt) ? "good" : "bad" },
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

/** A body that is JSON, on many lines and as it was sent; any other body as it was sent. */
function bodyForms(body: string): readonly Snippet[] {
  const raw = { name: words.value.raw, text: body };
  try {
    return [{ name: words.value.formatted, text: JSON.stringify(JSON.parse(body), null, 2) }, raw];
  } catch {
    return [raw];
  }
}

/** The request of an attempt as it was sent, and beside it the answer. */
export function Exchange({ of: { request, response } }: { of: Attempt }) {
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
