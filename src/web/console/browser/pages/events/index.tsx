import type { OperationAnswer } from "../../../../../api/client/types.js";
import { familyOf, subjectId } from "../../../../../service/features/webhooks/catalogue.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { Empty } from "../../parts/empty.js";
import { SubjectLink } from "../../parts/event-subject.js";
import { Dotted } from "../../parts/items.js";
import { Json } from "../../parts/json.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { IdText, Time } from "../../parts/values.js";
import { columnsOf } from "../../resource/known-fields.js";
import { resource } from "../../resource/resource.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { counterpart } from "../../words/event-families.js";
import { type Row as DeliveryRow, EventOutcome, Outcome } from "../deliveries/cells.js";
import { WebhookViews } from "../webhooks/views.js";

const words = texts("events");
const emptyWords = texts("empty");

type Event = OperationAnswer<"sandbox.events.get">;

/** The events about the same object, including the same event in the other format. */
const useOthers = (event: Event | null) =>
  useCall(
    "sandbox.events",
    { query: { subject: event?.subject ?? "", limit: 100 } },
    { on: ["event"], when: event !== null },
  ).state.value;

const useDeliveries = (event: Event | null) => {
  const query = { subject: event?.subject ?? "", event_type: event?.type ?? "charge.paid", limit: 100 } as const;
  return useCall("sandbox.deliveries.list", { query }, { on: ["attempt", "sending"], when: event !== null }).state
    .value;
};

/** The envelope of the event, and of the same event in the other format. */
function Formats({ event }: { event: Event }) {
  const other = counterpart(event, useOthers(event).data?.data ?? []);
  const envelope = ({ type, payload }: Pick<Event, "type" | "payload">) => (
    <Json label={`${words.value.payload}, ${words.value[familyOf(type)]}`} value={payload} />
  );
  const link = other && <a href={withBook(`/console/webhooks/${other.id}`)}>{other.type}</a>;
  return (
    <div class="two-sides">
      <Section title={event.type}>{envelope(event)}</Section>
      <Section title={words.value.other} end={link}>
        {other === null ? <p class="hint">{words.value.no_other}</p> : envelope(other)}
      </Section>
    </div>
  );
}

/** A delivery of the same type about the same object may belong to another event: the envelope shows which one. */
function Deliveries({ event }: { event: Event }) {
  const envelope = JSON.stringify(event.payload);
  const own = (useDeliveries(event).data?.data ?? []).filter(({ payload }) => JSON.stringify(payload) === envelope);
  return (
    <Section title={terms.value.deliveries}>
      {own.length === 0 ? (
        <p class="hint">{words.value.no_deliveries}</p>
      ) : (
        <Table
          label={terms.value.deliveries}
          kind="cards"
          rows={own}
          keyOf={({ id }) => id}
          columns={[
            ...columnsOf<DeliveryRow>([
              { label: "last_answer", show: (row) => <Outcome of={row} /> },
              { label: "url", wraps: true, isSecond: true, show: ({ url }) => url },
              { field: "createdAt", isExtra: true },
            ]),
            {
              head: terms.value.delivery,
              isHead: true,
              class: "row-id",
              cell: ({ id }) => (
                <a class="row" href={withBook(`/console/webhooks/${id}`)}>
                  <IdText id={id} />
                </a>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

export const Events = resource("webhooks", {
  list: {
    id: "sandbox.events",
    on: ["event", "attempt"],
    file: "events",
    views: () => <WebhookViews open="event" />,
    filters: ["type", "subject"],
    columns: [
      { label: "event_type", class: "event-name", show: ({ type }) => <span title={type}>{type}</span> },
      { label: "deliveries", show: ({ deliveries }) => <EventOutcome of={deliveries} /> },
      {
        label: "subject",
        isSecond: true,
        show: (row) => <SubjectLink of={{ ...row, subject: subjectId(row.type, row.subject) }} />,
      },
      { field: "created_at", isSecond: true },
    ],
    empty: () => <Empty text={emptyWords.value.events} command="qa-pay charges create --amount 1990" />,
  },
  object: {
    get: "sandbox.events.get",
    listView: "event",
    isRead: (_id, event) => [useOthers(event), useDeliveries(event)].every((one) => event === null || isSettled(one)),
    title: ({ type }) => type,
    line: ({ type, subject, payload, created_at }) => (
      <Dotted
        of={[
          <SubjectLink of={{ subject: subjectId(type, subject), payload }} />,
          <Time at={created_at} />,
          words.value[familyOf(type)],
        ]}
      />
    ),
    view: (event) => (
      <>
        <Deliveries event={event} />
        <Formats event={event} />
      </>
    ),
  },
});
