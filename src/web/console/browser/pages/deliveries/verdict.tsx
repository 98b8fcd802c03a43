import { fill } from "../../../../../base/kernel/message.js";
import { parseSignature } from "../../../../../base/kernel/webhook-signature.js";
import type { Message } from "../../api/live.js";
import { useCall } from "../../api/use-call.js";
import { ActionRow } from "../../parts/action.js";
import { AttemptError } from "../../parts/attempt-error.js";
import { codeName } from "../../parts/codes.js";
import { Icon } from "../../parts/icon.js";
import { MoreActions } from "../../parts/more-actions.js";
import { Countdown, IdText, Status } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { withBook } from "../../state/book.js";
import { now } from "../../state/clock.js";
import { language, texts } from "../../state/language.js";
import { hostOf } from "../../words/delivery-facts.js";
import { isNobody, whyPieces } from "../../words/service-texts.js";
import { RECEIVER_URL } from "../../words/usual-receiver.js";
import { Bench } from "./bench.js";
import { type Attempt, type Delivery, hasArrived, headerOf, isDisbelieved } from "./facts.js";

/** How a delivery stands, why, and what to do: in one box with the buttons and their outcome. */

const words = texts("deliveries");

interface ResentProps {
  readonly id: string;
  /** True if the delivery that was sent again had not arrived either. */
  readonly isAgain: boolean;
}

/** What became of the new delivery, with its first answer when that arrives. */
function ResentText({ of, isAgain }: Pick<ResentProps, "isAgain"> & { of: Delivery | null }) {
  const last = of?.attempts_log.at(-1);
  if (of === null || last === undefined) return <span class="sending">{words.value.sending}</span>;
  if (hasArrived(last)) {
    return (
      <Status status="good" tone="good">
        {fill(words.value.resent_good, { status: last.response?.status, ms: last.duration_ms })}
      </Status>
    );
  }
  const { refused_again, refused_now, failed_again, failed_now } = words.value;
  const [refused, failed] = isAgain ? [refused_again, failed_again] : [refused_now, failed_now];
  return (
    <Status status="bad" tone="bad">
      <span>
        {isNobody(last) ? (
          fill(refused, { host: hostOf(of.url) })
        ) : (
          <>
            {failed} <AttemptError of={last} />
          </>
        )}
      </span>
    </Status>
  );
}

function Resent({ id, isAgain }: ResentProps) {
  const on = ({ kind, data }: Message) => kind === "attempt" && data.id === id;
  const { data } = useCall("sandbox.deliveries.get", { params: { id } }, { on }).state.value;
  return (
    <span class="flow resent">
      <ResentText of={data} isAgain={isAgain} />{" "}
      <a href={withBook(`/console/webhooks/${id}`)} aria-label={fill(words.value.new_delivery, { id })}>
        <IdText id={id} />
      </a>
    </span>
  );
}

/** The reason why the clock cannot go to the next attempt; null when it can. */
function noJump({ status, nextRetryAt }: Delivery): string | null {
  if (nextRetryAt === null) return fill(words.value.no_next, { status: codeName(status) });
  return now.value !== null && Date.parse(nextRetryAt) < now.value ? words.value.waits_for_endpoint : null;
}

function Buttons({ of }: { of: Delivery }) {
  const params = { id: of.id };
  const sent = {
    params,
    running: <span class="sending">{words.value.sending}</span>,
    done: ({ id }: { readonly id: string }) => <Resent id={id} isAgain={of.status !== "DELIVERED"} />,
  };
  const jump = (label: string, kind?: "small") =>
    act("sandbox.clock.advance", {
      label,
      ...(kind === undefined ? {} : { kind }),
      disabled: noJump(of),
      body: { to: of.nextRetryAt ?? undefined },
      done: ({ ran_count }) => fill(words.value.jumped, { count: ran_count }),
    });
  return (
    <ActionRow label={words.value.actions}>
      {act("sandbox.deliveries.resend", {
        ...sent,
        label: words.value.resend,
        ...(of.status === "DELIVERED" ? {} : { kind: "main" }),
        body: {},
      })}
      {noJump(of) === null ? jump(words.value.run_now) : null}
      <MoreActions
        label=""
        of={[
          act("sandbox.deliveries.resend", {
            ...sent,
            label: words.value.resend_elsewhere,
            text: words.value.elsewhere_text,
            ask: [{ name: "url", required: true, value: RECEIVER_URL }],
          }),
          jump(words.value.jump),
        ]}
      />
    </ActionRow>
  );
}

/** The maximum of characters of a body beside the failure; the whole body follows below. */
const REASON_LENGTH = 200;

/** The words of the receiver, from the body of its answer. */
function Said({ of: { response } }: { of: Attempt }) {
  const body = response?.body.trim() ?? "";
  if (body === "") return null;
  return (
    <p class="problem">
      {words.value.it_said} <code>{body.length > REASON_LENGTH ? `${body.slice(0, REASON_LENGTH)}…` : body}</code>
    </p>
  );
}

/** The cause of the state of a delivery, without the next try, which has a line of its own. */
function Cause({ id }: { id: string }) {
  const why = useCall("sandbox.why", { params: { id } }).state.value.data;
  if (why === null) return null;
  const sentences = why.sentences.filter(({ code }) => code !== "next_attempt");
  return (
    <p>
      {whyPieces({ ...why, sentences }, language.value).map(({ text, isEnglish }, index) =>
        isEnglish ? (
          <span key={index} lang="en">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </p>
  );
}

/** The number of the next try, and the time until then. */
function NextTry({ of: { attempts, maxAttempts, nextRetryAt } }: { of: Delivery }) {
  if (nextRetryAt === null) return null;
  return (
    <p class="hint">
      {fill(words.value.next_try, { number: attempts + 1, most: maxAttempts })} <Countdown to={nextRetryAt} />
    </p>
  );
}

/** The picture of a delivery whose shown try did not fail. */
const QUIET = { DELIVERED: "check", FAILED: "x", CANCELLED: "x", PENDING: "clock", PROCESSING: "clock" } as const;

/** The box of a delivery: with a failure amber while attempts are left, then red; and with the bench where the receiver did not believe the signature. */
export function Verdict({ of, attempt }: { of: Delivery; attempt: Attempt | undefined }) {
  const isLatest = attempt === of.attempts_log.at(-1);
  const hasFailed = attempt !== undefined && !hasArrived(attempt);
  const signature = attempt === undefined ? null : parseSignature(headerOf(attempt));
  const trouble = of.nextRetryAt === null ? "t-trouble" : "t-trouble t-trouble-warn";
  return (
    <section class={hasFailed ? `sheet verdict ${trouble}` : "sheet verdict"} aria-label={words.value.verdict}>
      <Icon name={hasFailed ? "alert-triangle" : QUIET[of.status]} />
      <div class="stack">
        {isLatest ? (
          <Cause id={of.id} />
        ) : (
          <p>{attempt !== undefined && hasFailed ? <AttemptError of={attempt} /> : words.value.arrived}</p>
        )}
        {attempt !== undefined && hasFailed ? <Said of={attempt} /> : null}
        <NextTry of={of} />
      </div>
      <Buttons of={of} />
      {attempt !== undefined && signature !== null && isDisbelieved(attempt) ? (
        <Bench key={attempt.number} delivery={of} attempt={attempt} signature={signature} />
      ) : null}
    </section>
  );
}
