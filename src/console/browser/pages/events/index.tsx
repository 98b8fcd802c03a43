import { useLocation } from "preact-iso/router";
import { useCall } from "../../api/use-call.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Empty } from "../../parts/empty.js";
import { Filters } from "../../parts/filters.js";
import { Json } from "../../parts/json.js";
import { List } from "../../parts/list.js";
import { Facts, Page, Show } from "../../parts/page.js";
import { Split } from "../../parts/split.js";
import { ObjectLink, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { texts } from "../../state/language.js";

const words = texts(
  {
    type: "Type",
    subject: "About",
    at: "At",
    empty: "Events stand here: what the service tells your endpoints. The first charge makes two.",
    payload: "Payload",
  },
  {
    type: "Tipo",
    subject: "Sobre",
    at: "Em",
    empty: "Aqui ficam os eventos: o que o serviço conta aos seus endpoints. A primeira cobrança gera dois.",
    payload: "Payload",
  },
);

function EventList() {
  const { query } = useLocation();
  const filters = { ...(query.type === undefined ? {} : { type: query.type }) };
  const list = useList(
    "sandbox.events",
    { query: filters },
    {
      rows: ({ data }) => data,
      key: ({ id }) => id,
      more: byCursor,
      on: ["event"],
    },
  );
  return (
    <Page title={menuWords.value.events} command={{ id: "sandbox.events", input: { query: filters } }}>
      <Filters fields={[{ name: "type", label: words.value.type }]} />
      <List
        caption={menuWords.value.events}
        list={list}
        idHead="id"
        href={({ id }) => `/console/events/${id}`}
        columns={[
          { head: words.value.type, cell: ({ type }) => type },
          { head: words.value.at, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={<Empty text={words.value.empty} command="qa-pay charges create --amount 1990" />}
      />
    </Page>
  );
}

function EventPage({ id }: { id: string }) {
  const { state } = useCall("sandbox.events", { params: { id } });
  return (
    <Page
      title={id}
      command={{ id: "sandbox.events", input: { params: { id } } }}
      facts={state.value.data?.type}
      above={{ href: "/console/events", title: menuWords.value.events }}
    >
      <Show of={state.value}>
        {({ subject, created_at, payload }) => (
          <>
            <Facts
              of={[
                [words.value.subject, <ObjectLink id={subject} />],
                [words.value.at, <Time at={created_at} />],
              ]}
            />
            <Json label={words.value.payload} value={payload} />
          </>
        )}
      </Show>
    </Page>
  );
}

export function Events({ id }: { id?: string }) {
  return <Split list={<EventList />}>{id === undefined ? null : <EventPage id={id} />}</Split>;
}
