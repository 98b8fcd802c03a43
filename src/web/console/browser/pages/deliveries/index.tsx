import { fill } from "../../../../../base/kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { Empty } from "../../parts/empty.js";
import { SubjectLink } from "../../parts/event-subject.js";
import { Code } from "../../parts/json.js";
import { Status } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { withBook } from "../../state/book.js";
import { texts } from "../../state/language.js";
import { RECEIVER_SCRIPT } from "../../words/receiver-script.js";
import { RECEIVER_URL } from "../../words/usual-receiver.js";
import { WebhookViews } from "../webhooks/views.js";
import { Outcome, Target } from "./cells.js";
import { DeliveryDetails, DeliveryLine, useShown } from "./delivery.js";
import { ResendFailed } from "./resend-failed.js";

const words = texts("deliveries");
const emptyWords = texts("empty");

/** Every part of the page follows the same messages, so that they share one reading. */
const useEndpoints = () => useCall("webhooks.endpoints.list", {}, { on: ["request"] }).state.value.data?.data;

/** Shown instead of an empty list. Without an endpoint it is a whole receiver, ready to copy. */
function NoDeliveries() {
  if (useEndpoints()?.length !== 0) {
    return <Empty text={emptyWords.value.deliveries} command="qa-pay charges create --amount 1990" />;
  }
  return (
    <Empty text={words.value.no_endpoint}>
      <p>
        <a class="button" href={withBook("/console/endpoints")}>
          {words.value.add}
        </a>
      </p>
      <Code label={words.value.receiver} text={RECEIVER_SCRIPT} />
      <Code label={words.value.start_service} text={`qa-pay serve --forward-to ${RECEIVER_URL}`} />
      <Code label={words.value.start_receiver} text='QA_PAY_WEBHOOK_SECRET="…" node receiver.mjs' />
    </Empty>
  );
}

export const Deliveries = resource("webhooks", {
  list: {
    id: "sandbox.deliveries.list",
    on: ["event", "sending", "attempt"],
    file: "deliveries",
    views: () => <WebhookViews open="delivery" />,
    tabs: () => useCall("webhooks.stats", {}, { on: ["attempt", "event"] }).state.value.data,
    hidesId: true,
    filters: () => [
      { field: "event_type", at: "type", label: "event_type" },
      { field: "endpoint", choices: (useEndpoints() ?? []).map(({ id, url }) => ({ value: id, words: url })) },
    ],
    columns: [
      { label: "event_type", class: "event-name", show: ({ eventType }) => <span title={eventType}>{eventType}</span> },
      { label: "last_answer", show: (row) => <Outcome of={row} /> },
      { label: "subject", isExtra: true, isSecond: true, show: (row) => <SubjectLink of={row} /> },
      { label: "endpoint", isSecond: true, class: "target", show: ({ url }) => <Target url={url} /> },
      { field: "createdAt", class: "no-card" },
    ],
    empty: () => <NoDeliveries />,
    above: ({ endpoint }) =>
      endpoint === undefined ? null : { content: <ResendFailed endpoint={endpoint} />, isRead: true },
  },
  object: {
    get: "sandbox.deliveries.get",
    on: ({ kind, data }, id) => (kind === "attempt" || kind === "sending") && data.id === id,
    isRead: (id, delivery) => useShown(id, delivery).isRead,
    title: ({ eventType }) => eventType,
    state: ({ status, attempts, maxAttempts }) => (
      <>
        <Status status={status} />{" "}
        <span class="hint">{fill(words.value.attempts_made, { made: attempts, most: maxAttempts })}</span>
      </>
    ),
    line: (delivery) => <DeliveryLine of={delivery} />,
    view: (delivery) => <DeliveryDetails of={delivery} />,
  },
});
