import { useContext } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../client/types.js";
import { EVENT_NAMES } from "../../../../features/webhooks/catalogue.js";
import { DELIVERY_STATUSES } from "../../../../features/webhooks/machine.js";
import { fill } from "../../../../kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { byCursor, useList } from "../../api/use-list.js";
import { AttemptError } from "../../parts/attempt-error.js";
import { AttemptMarks } from "../../parts/attempt-marks.js";
import type { FieldSpec } from "../../parts/field-values.js";
import { List } from "../../parts/list.js";
import { Page } from "../../parts/page.js";
import { IsBeside, Split } from "../../parts/split.js";
import { StateTabs } from "../../parts/state-tabs.js";
import type { Column } from "../../parts/table.js";
import { Countdown, HttpStatus, ObjectLink, Status, Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { DeliveryPage } from "./delivery.js";
import { FirstReceiver } from "./first-receiver.js";
import { ResendFailed } from "./resend-failed.js";

const words = texts("deliveries");

type Row = OperationAnswer<"sandbox.deliveries.list">["data"][number];
type Endpoint = OperationAnswer<"webhooks.endpoints.list">["data"][number];

function LastAnswer({ of }: { of: Row }) {
  const { attempts, lastStatusCode, lastError: error, lastErrorCode, lastErrorParams } = of;
  if (attempts === 0) return null;
  return lastStatusCode === null ? (
    <AttemptError of={{ error, error_code: lastErrorCode, error_params: lastErrorParams }} />
  ) : (
    <HttpStatus status={lastStatusCode} />
  );
}

function columns(): Column<Row>[] {
  const text = words.value;
  return [
    // Beside an object, the list ends in the middle of a long name of an event. The status must be seen there.
    { head: terms.value.status, cell: ({ status }) => <Status status={status} /> },
    {
      head: terms.value.event,
      isSecond: true,
      // The address of the receiver is in this cell, because with a column of its own the list is wider than most windows.
      cell: ({ eventType, url }) => (
        <>
          {eventType}
          <div class="extra hint receiver-address" title={url}>
            {url}
          </div>
        </>
      ),
    },
    {
      head: terms.value.attempts,
      cell: ({ status, attempts, maxAttempts, nextRetryAt }) => (
        <>
          <AttemptMarks status={status} attempts={attempts} />{" "}
          <span class="hint nowrap">{fill(text.attempts_of, { made: attempts, most: maxAttempts })}</span>
          {nextRetryAt === null ? null : (
            <div class="hint nowrap">
              {text.next_in} <Countdown to={nextRetryAt} />
            </div>
          )}
        </>
      ),
      isExtra: true,
    },
    {
      head: text.last,
      cell: (row) => <LastAnswer of={row} />,
      isExtra: true,
    },
    { head: terms.value.about, cell: ({ subject }) => <ObjectLink id={subject} />, isExtra: true },
    { head: text.created, cell: ({ createdAt }) => <Time at={createdAt} />, isExtra: true, isSecond: true },
  ];
}

function filterFields(endpoints: readonly Endpoint[]): readonly FieldSpec[] {
  return [
    { name: "type", label: terms.value.event, kind: "choice", choices: EVENT_NAMES },
    {
      name: "endpoint",
      label: terms.value.endpoint,
      kind: "choice",
      choices: endpoints.map(({ id, url }) => ({ value: id, words: url })),
    },
  ];
}

function DeliveryList({ open }: { open: string | undefined }) {
  const { query } = useLocation();
  const isBeside = useContext(IsBeside);
  const { status, type: event_type, endpoint } = query;
  const endpoints = useCall("webhooks.endpoints.list", {}).state.value.data?.data;
  const filters = Object.fromEntries(
    Object.entries({ status, event_type, endpoint }).filter(([, value]) => value !== undefined),
  );
  const list = useList(
    "sandbox.deliveries.list",
    { query: filters },
    { rows: ({ data }) => data, key: ({ id }) => id, more: byCursor, on: ["event", "sending", "attempt"] },
  );
  return (
    <Page
      title={menuWords.value.deliveries}
      facts={<StateTabs states={DELIVERY_STATUSES} />}
      command={{ id: "sandbox.deliveries.list", input: { query: filters } }}
    >
      {isBeside || endpoint === undefined ? null : <ResendFailed endpoint={endpoint} />}
      <List
        caption={menuWords.value.deliveries}
        list={list}
        filters={filterFields(endpoints ?? [])}
        href={({ id }) => `/console/deliveries/${id}`}
        columns={columns()}
        open={open}
        empty={
          Object.keys(filters).length > 0 ? (
            <p class="hint">{shared.value.no_match}</p>
          ) : (
            <FirstReceiver hasEndpoint={endpoints?.length !== 0} />
          )
        }
      />
    </Page>
  );
}

export function Deliveries({ id }: { id?: string }) {
  return <Split list={<DeliveryList open={id} />}>{id === undefined ? null : <DeliveryPage id={id} />}</Split>;
}
