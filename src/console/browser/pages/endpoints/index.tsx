import { useContext } from "preact/hooks";
import { fill } from "../../../../kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { useList } from "../../api/use-list.js";
import { Actions } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { List } from "../../parts/list.js";
import { Facts, Page, Section, Show, Skeleton } from "../../parts/page.js";
import { IsBeside, Split } from "../../parts/split.js";
import { Status, Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { healthOf } from "../../words/endpoint-health.js";
import { ResendFailed } from "../deliveries/resend-failed.js";
import { ReceiverCheck } from "../receiver/check.js";
import { AddEndpoint, type Endpoint, EndpointActions } from "./actions.js";
import { useAnswers } from "./answers.js";
import { Answers } from "./health.js";

const words = texts("endpoints");

/** The latest deliveries of all endpoints, in one reading. */
function useDeliveries() {
  const options = { on: ["attempt"] };
  return useCall("sandbox.deliveries.list", { query: { limit: 100 } }, options).state.value.data?.data ?? [];
}

function HealthText({ id, deliveries }: { id: string; deliveries: ReturnType<typeof useDeliveries> }) {
  const { arrived, ended, waiting } = healthOf(deliveries, id);
  if (ended + waiting === 0) return null;
  return (
    <span class="outcome-line">
      {ended === 0 ? null : (
        <Status status="health" tone={arrived === ended ? "good" : "bad"}>
          {fill(words.value.health_text, { arrived, ended })}
        </Status>
      )}
      {waiting === 0 ? null : <span class="hint">{fill(words.value.health_waiting, { count: waiting })}</span>}
    </span>
  );
}

function EndpointList({ open }: { open: string | undefined }) {
  const isBeside = useContext(IsBeside);
  const deliveries = useDeliveries();
  const list = useList(
    "webhooks.endpoints.list",
    {},
    { rows: ({ data }) => data, key: ({ id }) => id, more: () => null, on: ["request"] },
  );
  return (
    <Page
      title={menuWords.value.endpoints}
      command={{ id: "webhooks.endpoints.list", input: {} }}
      actions={
        isBeside ? undefined : (
          <Actions>
            <AddEndpoint />
          </Actions>
        )
      }
    >
      <List
        caption={menuWords.value.endpoints}
        list={list}
        href={({ id }) => `/console/endpoints/${id}`}
        open={open}
        columns={[
          { head: terms.value.status, cell: ({ status }) => <Status status={status} /> },
          { head: terms.value.url, cell: ({ url }) => <span class="path">{url}</span>, isSecond: true },
          {
            head: words.value.events,
            cell: ({ events }) => fill(words.value.events_count, { count: events.length }),
            isExtra: true,
          },
          {
            head: words.value.health,
            cell: ({ id }) => <HealthText id={id} deliveries={deliveries} />,
            isExtra: true,
          },
        ]}
        empty={
          <Empty
            text={words.value.empty}
            command="qa-pay webhooks endpoints create --url http://127.0.0.1:3000/webhooks --events charge.paid"
          />
        }
      />
    </Page>
  );
}

function EndpointDetails({ of, onChange }: { of: Endpoint; onChange: () => void }) {
  const { id, url, events, createdAt, updatedAt } = of;
  const attempts = useAnswers(id, url).value;
  if (attempts === null) return <Skeleton />;
  return (
    <>
      <EndpointActions of={of} onChange={onChange} />
      <Facts
        of={[
          [words.value.created, <Time key="created" at={createdAt} />],
          [words.value.changed, <Time key="changed" at={updatedAt} />],
          [
            menuWords.value.deliveries,
            <a key="deliveries" href={withBook(`/console/deliveries?endpoint=${id}`)}>
              {terms.value.its_deliveries}
            </a>,
          ],
        ]}
      />
      <Answers of={attempts} />
      <ResendFailed endpoint={id} />
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

function EndpointPage({ id }: { id: string }) {
  const { state, reload } = useCall("webhooks.endpoints.list", {}, { on: ["request"] });
  const { data, error, isLoading } = state.value;
  const found = data?.data.find((one) => one.id === id) ?? null;
  return (
    <Page
      title={found?.url ?? id}
      id={id}
      command={{ id: "webhooks.endpoints.list", input: {} }}
      facts={found === null ? undefined : <Status status={found.status} />}
      above={{ href: "/console/endpoints", title: menuWords.value.endpoints }}
    >
      {data !== null && found === null ? (
        <p class="hint">{shared.value.not_found}</p>
      ) : (
        <Show of={{ data: found, error, isLoading, retry: reload }}>
          {(endpoint) => <EndpointDetails of={endpoint} onChange={reload} />}
        </Show>
      )}
    </Page>
  );
}

export function Endpoints({ id }: { id?: string }) {
  return <Split list={<EndpointList open={id} />}>{id === undefined ? null : <EndpointPage id={id} />}</Split>;
}
