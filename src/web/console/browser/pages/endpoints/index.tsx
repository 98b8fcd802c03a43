import { useLocation } from "preact-iso/router";
import { fill } from "../../../../../base/kernel/message.js";
import { isSettled } from "../../api/use-call.js";
import { Copy } from "../../parts/copy.js";
import { Section, withBreaks } from "../../parts/page.js";
import { Skeleton } from "../../parts/skeleton.js";
import { Status, Time } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { language, terms, texts } from "../../state/language.js";
import { withoutScheme } from "../../words/delivery-facts.js";
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
import { LatestDeliveries, Marks, useLatest } from "./latest.js";
import { EndpointViews } from "./views.js";

const words = texts("endpoints");

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
        <Status status="health" tone={retried === 0 ? "good" : "warn"}>
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
  const latest = useLatest(id).data?.data ?? [];
  if (attempts === null) return <Skeleton />;
  return (
    <>
      <Answers of={attempts} end={healthOf(latest).failing === 0 ? null : <ResendFailed endpoint={id} />} />
      <ReceiverCheck key={id} endpoint={id} />
      <LatestDeliveries id={id} />
    </>
  );
}

/** What the endpoint is sent, and since when. */
function EndpointSide({ of: { url, events, createdAt, updatedAt } }: { of: Endpoint }) {
  return (
    <>
      <Section title={words.value.events}>
        <ul class="flow names">
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      </Section>
      <Section
        title={terms.value.url}
        end={<Copy text={url} label="" about={`${terms.value.copy}: ${terms.value.url}`} />}
      >
        <code>{withBreaks(url)}</code>
        <p class="hint">
          {terms.value.created_at} <Time at={createdAt} />
          {updatedAt === createdAt ? null : (
            <>
              {" "}
              · {terms.value.updated_at} <Time at={updatedAt} />
            </>
          )}
        </p>
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
      { label: "url", class: "event-name grows", show: ({ url }) => <Target url={url} /> },
      { label: "health", isSecond: true, show: (endpoint) => <HealthText {...endpoint} /> },
      { label: "latest", isExtra: true, show: ({ id }) => <Marks id={id} /> },
      {
        label: "events",
        isExtra: true,
        show: ({ events }) => (
          <span class="cut short-line" title={events.join(", ")}>
            {events.join(", ")}
          </span>
        ),
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
    title: ({ url }) => withoutScheme(url),
    state: (endpoint) => <HealthText {...endpoint} />,
    actions: endpointActions,
    side: (endpoint) => <EndpointSide of={endpoint} />,
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
