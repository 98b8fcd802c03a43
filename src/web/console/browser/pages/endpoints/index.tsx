import { fill } from "../../../../../base/kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { Dotted } from "../../parts/items.js";
import { Section, Skeleton } from "../../parts/page.js";
import { Status, Time } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { healthOf } from "../../words/endpoint-health.js";
import { ResendFailed } from "../deliveries/resend-failed.js";
import { ReceiverCheck } from "../receiver/check.js";
import { addEndpoint, type Endpoint, endpointActions } from "./actions.js";
import { Answers, useAnswers } from "./health.js";

const words = texts("endpoints");

/** The results of an endpoint's latest deliveries. All endpoints are read at once. */
function HealthText({ id }: Pick<Endpoint, "id">) {
  const { state } = useCall("sandbox.deliveries.list", { query: { limit: 100 } }, { on: ["attempt"] });
  const { arrived, ended, waiting } = healthOf(state.value.data?.data ?? [], id);
  const tone = arrived === 0 ? "bad" : "warn";
  if (ended + waiting === 0) return null;
  return (
    <span class="outcome-line">
      {ended === 0 ? null : (
        <Status status="health" tone={arrived === ended ? "good" : tone}>
          {fill(words.value.health_text, { arrived, ended })}
        </Status>
      )}
      {waiting === 0 ? null : <span class="hint nowrap">{fill(words.value.health_waiting, { count: waiting })}</span>}
    </span>
  );
}

function EndpointDetails({ of: { id, url, events } }: { of: Endpoint }) {
  const attempts = useAnswers(id, url).value;
  if (attempts === null) return <Skeleton />;
  return (
    <>
      <Answers of={attempts} end={<ResendFailed endpoint={id} />} />
      <Section title={words.value.check}>
        <ReceiverCheck key={id} endpoint={id} />
      </Section>
      <Section title={words.value.events}>
        <ul class="names">
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

export const Endpoints = resource("endpoints", {
  list: {
    id: "webhooks.endpoints.list",
    on: ["request"],
    columns: [
      "status",
      { label: "url", isSecond: true, wraps: true, show: ({ url }) => url },
      {
        label: "events",
        isExtra: true,
        class: "nowrap",
        show: ({ events }) => fill(words.value.events_count, { count: events.length }),
      },
      { label: "health", isSecond: true, show: ({ id }) => <HealthText id={id} /> },
    ],
    empty: "qa-pay webhooks endpoints create --url http://127.0.0.1:3000/webhooks --events charge.paid",
    actions: () => [addEndpoint()],
  },
  object: {
    get: "webhooks.endpoints.list",
    on: ["request"],
    // An endpoint has no route of its own: it is read from the list.
    pick: ({ data }: { readonly data: readonly Endpoint[] }, id: string) => data.find((one) => one.id === id) ?? null,
    title: ({ url }) => url,
    state: ({ status }) => <Status status={status} />,
    actions: endpointActions,
    line: ({ id, createdAt, updatedAt }) => (
      <Dotted
        of={[
          <a href={withBook(`/console/deliveries?endpoint=${id}`)}>{terms.value.its_deliveries}</a>,
          <>
            {terms.value.created_at} <Time at={createdAt} />
          </>,
          updatedAt === createdAt ? null : (
            <>
              {terms.value.updated_at} <Time at={updatedAt} />
            </>
          ),
        ]}
      />
    ),
    view: (endpoint) => <EndpointDetails of={endpoint} />,
  },
});
