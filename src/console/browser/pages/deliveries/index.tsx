import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { AnswerMark } from "../../parts/attempt-error.js";
import { EventSubject } from "../../parts/event-subject.js";
import { Countdown, Status } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { texts } from "../../state/language.js";
import { deliveryActions } from "./actions.js";
import { DeliveryDetails, DeliveryLine } from "./delivery.js";
import { FirstReceiver } from "./first-receiver.js";
import { ResendFailed } from "./resend-failed.js";

const words = texts("deliveries");

export type Row = OperationAnswer<"sandbox.deliveries.list">["data"][number];

export function LastAnswer({ of }: { of: Row }) {
  const { attempts, lastStatusCode, lastError: error, lastErrorCode, lastErrorParams } = of;
  if (attempts === 0) return null;
  return (
    <AnswerMark status={lastStatusCode} of={{ error, error_code: lastErrorCode, error_params: lastErrorParams }} />
  );
}

/** The address of the receiver stands below the event: with a column of its own the list is wider than most windows. */
const Event = ({ of: { eventType, url } }: { of: Row }) => (
  <>
    {eventType}
    <div class="hint short-line" title={url}>
      {url}
    </div>
  </>
);

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

/** Read again with the same messages in every part of the page, so that they share one reading. */
const useEndpoints = () => useCall("webhooks.endpoints.list", {}, { on: ["request"] }).state.value.data?.data;

function NoDeliveries() {
  return <FirstReceiver hasEndpoint={useEndpoints()?.length !== 0} />;
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
      // Beside an object, the list ends in the middle of a long name of an event. The status must be seen there.
      "status",
      { label: "event_type", isSecond: true, show: (row) => <Event of={row} /> },
      {
        label: "subject",
        isExtra: true,
        isSecond: true,
        show: (row) => <EventSubject of={{ ...row, type: row.eventType }} />,
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
