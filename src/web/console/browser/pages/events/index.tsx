import type { OperationAnswer } from "../../../../../api/client/types.js";
import { familyOf, subjectId } from "../../../../../service/features/webhooks/catalogue.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { EventSubject } from "../../parts/event-subject.js";
import { Json } from "../../parts/json.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { IdText, ObjectLink } from "../../parts/values.js";
import { columnsOf } from "../../resource/known-fields.js";
import { resource } from "../../resource/resource.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { counterpart } from "../../words/event-families.js";
import { Attempts, type Row as DeliveryRow, LastAnswer } from "../deliveries/index.js";

const words = texts("events");

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
  const link = other && <a href={withBook(`/console/events/${other.id}`)}>{other.type}</a>;
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
    <Section title={terms.value.its_deliveries}>
      {own.length === 0 ? (
        <p class="hint">{words.value.no_deliveries}</p>
      ) : (
        <Table
          label={terms.value.its_deliveries}
          kind="cards"
          rows={own}
          keyOf={({ id }) => id}
          columns={columnsOf<DeliveryRow>([
            "status",
            { label: "url", wraps: true, isSecond: true, show: ({ url }) => url },
            { label: "attempts", isExtra: true, show: (row) => <Attempts of={row} /> },
            { label: "last_answer", isExtra: true, show: (row) => <LastAnswer of={row} /> },
            {
              label: "delivery",
              isHead: true,
              class: "row-id",
              show: ({ id }) => (
                <a class="row" href={withBook(`/console/deliveries/${id}`)}>
                  <IdText id={id} />
                </a>
              ),
            },
          ])}
        />
      )}
    </Section>
  );
}

export const Events = resource("events", {
  list: {
    id: "sandbox.events",
    on: ["event"],
    filters: ["type", "subject"],
    columns: [
      "type",
      {
        label: "subject",
        isSecond: true,
        show: (row) => <EventSubject of={{ ...row, subject: subjectId(row.type, row.subject) }} />,
      },
      { field: "created_at", isSecond: true },
    ],
    empty: "qa-pay charges create --amount 1990",
  },
  object: {
    get: "sandbox.events.get",
    isRead: (_id, event) => [useOthers(event), useDeliveries(event)].every((one) => event === null || isSettled(one)),
    title: ({ type }) => type,
    facts: [
      { label: "subject", show: ({ type, subject }) => <ObjectLink id={subjectId(type, subject)} /> },
      "created_at",
      { label: "family", show: ({ type }) => words.value[familyOf(type)] },
    ],
    view: (event) => (
      <>
        <Deliveries event={event} />
        <Formats event={event} />
      </>
    ),
  },
});
