import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import type { Message } from "../../api/live.js";
import { useCall } from "../../api/use-call.js";
import { AnswerMark } from "../../parts/attempt-error.js";
import { codeName } from "../../parts/codes.js";
import { Empty } from "../../parts/empty.js";
import { EventSubject } from "../../parts/event-subject.js";
import { Code } from "../../parts/json.js";
import type { Move } from "../../parts/moves.js";
import { Countdown, IdText, Status } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { resource } from "../../resource/resource.js";
import { withBook } from "../../state/book.js";
import { now } from "../../state/clock.js";
import { texts } from "../../state/language.js";
import { RECEIVER_SCRIPT } from "../../words/receiver-script.js";
import { DeliveryDetails, DeliveryLine } from "./delivery.js";
import { ResendFailed } from "./resend-failed.js";
import type { Delivery } from "./signature.js";

const words = texts("deliveries");
const emptyWords = texts("empty");

const TARGET = "http://127.0.0.1:3000/webhooks";

export type Row = OperationAnswer<"sandbox.deliveries.list">["data"][number];

export function LastAnswer({ of }: { of: Row }) {
  const { attempts, lastStatusCode, lastError: error, lastErrorCode, lastErrorParams } = of;
  if (attempts === 0) return null;
  return (
    <AnswerMark status={lastStatusCode} of={{ error, error_code: lastErrorCode, error_params: lastErrorParams }} />
  );
}

export function Attempts({ of: { attempts, maxAttempts, nextRetryAt } }: { of: Row }) {
  return (
    <>
      <span class="nowrap">{fill(words.value.attempts_of, { made: attempts, most: maxAttempts })}</span>
      {nextRetryAt === null ? null : (
        <div class="hint nowrap">
          {words.value.next_in} <Countdown to={nextRetryAt} />
        </div>
      )}
    </>
  );
}

/** Every part of the page follows the same messages, so that they share one reading. */
const useEndpoints = () => useCall("webhooks.endpoints.list", {}, { on: ["request"] }).state.value.data?.data;

/** Shown instead of an empty list. Without an endpoint it is a whole receiver, ready to copy. */
function NoDeliveries() {
  if (useEndpoints()?.length !== 0) {
    return <Empty text={emptyWords.value.deliveries} command="qa-pay charges create --amount 1990" />;
  }
  return (
    <Empty text={words.value.no_endpoint}>
      <Code label={words.value.receiver} text={RECEIVER_SCRIPT} />
      <Code label={words.value.start_service} text={`qa-pay serve --forward-to ${TARGET}`} />
      <Code label={words.value.start_receiver} text='QA_PAY_WEBHOOK_SECRET="…" node receiver.mjs' />
      <p>
        {words.value.or_add} <a href={withBook("/console/endpoints")}>{words.value.add}</a>
      </p>
    </Empty>
  );
}

/** The new delivery of an event that was sent again, with its answer when it arrives. */
function Resent({ id }: { id: string }) {
  const on = ({ kind, data }: Message) => kind === "attempt" && data.id === id;
  const { data } = useCall("sandbox.deliveries.get", { params: { id } }, { on }).state.value;
  const last = data?.attempts_log.at(-1);
  return (
    <>
      {words.value.resent}{" "}
      <a href={withBook(`/console/deliveries/${id}`)}>
        <IdText id={id} />
      </a>{" "}
      {last === undefined ? null : <AnswerMark status={last.response?.status ?? null} of={last} />}
    </>
  );
}

/** The reason why the clock cannot go to the next attempt; null when it can. */
function noJump({ status, nextRetryAt }: Delivery): string | null {
  if (nextRetryAt === null) return fill(words.value.no_next, { status: codeName(status) });
  return now.value !== null && Date.parse(nextRetryAt) < now.value ? words.value.waits_for_endpoint : null;
}

function deliveryActions(delivery: Delivery): readonly Move[] {
  const params = { id: delivery.id };
  const done = ({ id }: { readonly id: string }) => <Resent id={id} />;
  return [
    act("sandbox.deliveries.resend", { label: words.value.resend, kind: "main", params, body: {}, done }),
    act("sandbox.deliveries.resend", {
      label: words.value.resend_elsewhere,
      text: words.value.elsewhere_text,
      params,
      ask: [{ name: "url", required: true, value: TARGET }],
      done,
    }),
    act("sandbox.clock.advance", {
      label: words.value.jump,
      disabled: noJump(delivery),
      body: { to: delivery.nextRetryAt ?? undefined },
      done: ({ ran_count }) => fill(words.value.jumped, { count: ran_count }),
    }),
  ];
}

export const Deliveries = resource("deliveries", {
  list: {
    id: "sandbox.deliveries.list",
    on: ["event", "sending", "attempt"],
    tabs: "plain",
    filters: () => [
      { field: "event_type", at: "type", label: "event_type" },
      { field: "endpoint", choices: (useEndpoints() ?? []).map(({ id, url }) => ({ value: id, words: url })) },
    ],
    columns: [
      // Beside an object, the list is cut in the middle of long event names. The status must stay visible.
      "status",
      {
        label: "event_type",
        isSecond: true,
        // The receiver's address is below the event: a column of its own would make the list wider than most windows.
        show: ({ eventType, url }) => (
          <>
            {eventType}
            <div class="hint short-line" title={url}>
              {url}
            </div>
          </>
        ),
      },
      {
        label: "subject",
        isExtra: true,
        isSecond: true,
        show: (row) => <EventSubject of={row} />,
      },
      { label: "attempts", isExtra: true, show: (row) => <Attempts of={row} /> },
      { label: "last_answer", isExtra: true, show: (row) => <LastAnswer of={row} /> },
      { field: "createdAt", isSecond: true },
    ],
    empty: () => <NoDeliveries />,
    above: ({ endpoint }) =>
      endpoint === undefined ? null : { content: <ResendFailed endpoint={endpoint} />, isRead: true },
  },
  object: {
    get: "sandbox.deliveries.get",
    on: ({ kind, data }, id) => (kind === "attempt" || kind === "sending") && data.id === id,
    title: ({ eventType }) => eventType,
    state: ({ status, attempts, maxAttempts }) => (
      <>
        <Status status={status} />{" "}
        <span class="hint">{fill(words.value.attempts_made, { made: attempts, most: maxAttempts })}</span>
      </>
    ),
    hasCause: true,
    line: (delivery) => <DeliveryLine of={delivery} />,
    actions: deliveryActions,
    view: (delivery) => <DeliveryDetails of={delivery} />,
  },
});
