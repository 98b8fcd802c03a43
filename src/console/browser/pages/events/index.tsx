import { useLocation } from "preact-iso/router";
import { EVENT_NAMES, subjectId } from "../../../../features/webhooks/catalogue.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Empty } from "../../parts/empty.js";
import { List } from "../../parts/list.js";
import { Page } from "../../parts/page.js";
import { Split } from "../../parts/split.js";
import { ObjectLink, Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { EventPage } from "./event.js";

const words = texts("events");

function EventList({ open }: { open: string | undefined }) {
  const { query } = useLocation();
  const { type, subject } = query;
  const filters = Object.fromEntries(Object.entries({ type, subject }).filter(([, value]) => value !== undefined));
  const list = useList(
    "sandbox.events",
    { query: filters },
    { rows: ({ data }) => data, key: ({ id }) => id, more: byCursor, on: ["event"] },
  );
  return (
    <Page title={menuWords.value.events} command={{ id: "sandbox.events", input: { query: filters } }}>
      <List
        caption={menuWords.value.events}
        list={list}
        filters={[
          { name: "type", label: terms.value.type, kind: "choice", choices: EVENT_NAMES },
          { name: "subject", label: terms.value.about },
        ]}
        href={({ id }) => `/console/events/${id}`}
        open={open}
        columns={[
          { head: terms.value.type, cell: ({ type: name }) => name },
          {
            head: terms.value.about,
            cell: (row) => <ObjectLink id={subjectId(row.type, row.subject)} />,
            isSecond: true,
          },
          { head: terms.value.at, cell: ({ created_at }) => <Time at={created_at} />, isExtra: true, isSecond: true },
        ]}
        empty={
          Object.keys(filters).length > 0 ? (
            <p class="hint">{shared.value.no_match}</p>
          ) : (
            <Empty text={words.value.empty} command="qa-pay charges create --amount 1990" />
          )
        }
      />
    </Page>
  );
}

export function Events({ id }: { id?: string }) {
  return <Split list={<EventList open={id} />}>{id === undefined ? null : <EventPage id={id} />}</Split>;
}
