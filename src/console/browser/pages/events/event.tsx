import type { OperationAnswer } from "../../../../client/types.js";
import { familyOf, subjectId } from "../../../../features/webhooks/catalogue.js";
import { useCall } from "../../api/use-call.js";
import { AttemptMarks } from "../../parts/attempt-marks.js";
import { Json } from "../../parts/json.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { IdText, ObjectLink, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { counterpart } from "../../words/event-families.js";

const words = texts("events");

type Event = OperationAnswer<"sandbox.events.get">;

/** The envelope of the event, and of the one that tells the same in the other format. */
function Formats({ event }: { event: Event }) {
  const { state } = useCall("sandbox.events", { query: { subject: event.subject, limit: 100 } });
  const other = counterpart(event, state.value.data?.data ?? []);
  return (
    <div class="two-sides">
      <Section title={event.type}>
        <Json label={`${words.value.payload}, ${words.value[familyOf(event.type)]}`} value={event.payload} />
      </Section>
      <Section title={words.value.other}>
        {other === null ? (
          <p class="hint">{words.value.no_other}</p>
        ) : (
          <>
            <p>
              <a href={withBook(`/console/events/${other.id}`)}>{other.type}</a>
            </p>
            <Json label={`${words.value.payload}, ${words.value[familyOf(other.type)]}`} value={other.payload} />
          </>
        )}
      </Section>
    </div>
  );
}

/** A delivery of the same type about the same object may belong to another event: the envelope tells them apart. */
function Deliveries({ event }: { event: Event }) {
  const query = { subject: event.subject, event_type: event.type, limit: 100 };
  const { state } = useCall("sandbox.deliveries.list", { query }, { on: ["attempt", "sending"] });
  const envelope = JSON.stringify(event.payload);
  const own = (state.value.data?.data ?? []).filter(({ payload }) => JSON.stringify(payload) === envelope);
  return (
    <Section title={terms.value.its_deliveries}>
      {own.length === 0 ? <p class="hint">{words.value.no_deliveries}</p> : null}
      <ul class="plain rows">
        {own.map(({ id, status, attempts, url }) => (
          <li key={id}>
            <Status status={status} /> <AttemptMarks status={status} attempts={attempts} />{" "}
            <a href={withBook(`/console/deliveries/${id}`)}>
              <IdText id={id} />
            </a>{" "}
            <span class="path">{url}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function EventPage({ id }: { id: string }) {
  const { state } = useCall("sandbox.events.get", { params: { id } });
  const event = state.value.data;
  return (
    <Page
      title={event?.type ?? id}
      command={{ id: "sandbox.events.get", input: { params: { id } } }}
      id={id}
      above={{ href: "/console/events", title: menuWords.value.events }}
    >
      <Show of={state.value}>
        {(data) => (
          <>
            <Facts
              of={[
                [terms.value.about, <ObjectLink key="about" id={subjectId(data.type, data.subject)} />],
                [terms.value.at, <Time key="at" at={data.created_at} />],
                [words.value.family, words.value[familyOf(data.type)]],
              ]}
            />
            <Deliveries event={data} />
            <Formats event={data} />
          </>
        )}
      </Show>
    </Page>
  );
}
