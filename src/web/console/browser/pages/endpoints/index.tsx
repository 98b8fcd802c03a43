import { useLocation } from "preact-iso/router";
import { fill } from "../../../../../base/kernel/message.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { Dotted } from "../../parts/items.js";
import { Section } from "../../parts/page.js";
import { Skeleton } from "../../parts/skeleton.js";
import { Status, Time } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { withBook } from "../../state/book.js";
import { language, terms, texts } from "../../state/language.js";
import { healthOf } from "../../words/endpoint-health.js";
import { percent } from "../../words/numbers.js";
import { silenceOf } from "../../words/service-texts.js";
import { RECEIVER_URL } from "../../words/usual-receiver.js";
import { Target } from "../deliveries/cells.js";
import { ResendFailed } from "../deliveries/resend-failed.js";
import { ReceiverCheck } from "../receiver/check.js";
import { BenchPage, CheckPage } from "../receiver/index.js";
import { addEndpoint, type Endpoint, endpointActions } from "./actions.js";
import { Answers, useAnswers } from "./health.js";
import { EndpointViews } from "./views.js";

const words = texts("endpoints");

/** The latest deliveries of an endpoint, which its row and its page share. */
const useLatest = (id: string) =>
  useCall("sandbox.deliveries.list", { query: { endpoint: id, limit: 100 } }, { on: ["attempt"] }).state.value;

/** How the latest deliveries of an endpoint went: red where none of them arrives. A paused endpoint says that first. */
function HealthText({ id, status }: Pick<Endpoint, "id" | "status">) {
  const { data } = useLatest(id);
  if (data === null) return <span class="flow outcome-line" />;
  const { arrived, failing, retried, last } = healthOf(data.data);
  const share = arrived === 0 ? "" : percent(retried / arrived, language.value);
  const tone = arrived === 0 ? "bad" : "warn";
  return (
    <span class="flow outcome-line">
      {status === "ACTIVE" ? null : <Status status={status} />}
      {arrived + failing === 0 ? <span class="hint">{words.value.nothing_sent}</span> : null}
      {arrived > 0 && failing === 0 ? (
        <Status status="health" tone="good">
          {fill(retried === 0 ? words.value.all_arrived : words.value.all_arrived_later, { arrived, share })}
        </Status>
      ) : null}
      {failing === 0 || last === null ? null : (
        <Status status="health" tone={tone}>
          {fill(words.value.some_arrived, { arrived, all: arrived + failing })} ·{" "}
          {last.lastStatusCode ?? silenceOf({ error: last.lastError }, language.value)}
        </Status>
      )}
    </span>
  );
}

function EndpointDetails({ of: { id, url } }: { of: Endpoint }) {
  const attempts = useAnswers(id, url).value;
  if (attempts === null) return <Skeleton />;
  return (
    <>
      <Answers of={attempts} end={<ResendFailed endpoint={id} />} />
      <Section title={words.value.check}>
        <ReceiverCheck key={id} endpoint={id} />
      </Section>
    </>
  );
}

const EndpointList = resource("endpoints", {
  list: {
    id: "webhooks.endpoints.list",
    on: ["request"],
    views: () => <EndpointViews open="list" />,
    columns: [
      { label: "url", class: "event-name", show: ({ url }) => <Target url={url} /> },
      { label: "health", isSecond: true, show: (endpoint) => <HealthText {...endpoint} /> },
      {
        label: "events",
        isExtra: true,
        class: "nowrap",
        show: ({ events }) => fill(words.value.events_count, { count: events.length }),
      },
    ],
    empty: `qa-pay webhooks endpoints create --events charge.paid --url ${RECEIVER_URL}`,
    actions: () => [addEndpoint()],
  },
  object: {
    get: "webhooks.endpoints.list",
    on: ["request"],
    // An endpoint has no route of its own: it is read from the list.
    pick: ({ data }: { readonly data: readonly Endpoint[] }, id: string) => data.find((one) => one.id === id) ?? null,
    isRead: (id) => isSettled(useLatest(id)),
    title: ({ url }) => url,
    state: (endpoint) => <HealthText {...endpoint} />,
    actions: endpointActions,
    line: ({ id, createdAt, updatedAt }) => (
      <Dotted
        of={[
          <a href={withBook(`/console/webhooks?endpoint=${id}`)}>{terms.value.its_deliveries}</a>,
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
    side: ({ events }) => (
      <Section title={words.value.events}>
        <ul class="flow names">
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      </Section>
    ),
    view: (endpoint) => <EndpointDetails of={endpoint} />,
  },
});

/** The endpoints, and the two tools for their receivers: three views of one page. */
export function Endpoints({ id }: { id?: string }) {
  const { view } = useLocation().query;
  if (id !== undefined) return <EndpointList id={id} />;
  if (view === "check") return <CheckPage />;
  return view === "bench" ? <BenchPage /> : <EndpointList />;
}
