import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../client/types.js";
import { REFUND_STATUSES } from "../../../../features/refunds/machine.js";
import { useCall } from "../../api/use-call.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Actions } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { Filters } from "../../parts/filters.js";
import { List } from "../../parts/list.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Split } from "../../parts/split.js";
import { Money, ObjectLink, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { CaseFile } from "../../timeline/case-file-actions.js";
import { TimelineOf, useStory } from "../../timeline/timeline.js";
import { RefundSteps } from "../charges/refund-steps.js";
import { words } from "./words.js";

type Refund = OperationAnswer<"sandbox.refunds.get">;

function RefundList({ open }: { open: string | undefined }) {
  const { value } = words;
  const { query } = useLocation();
  const input = { query: query.status === undefined ? {} : { status: query.status } };
  const list = useList("sandbox.refunds.list", input, {
    rows: ({ data }) => data,
    key: ({ id }) => id,
    more: byCursor,
    on: ["refund"],
  });
  return (
    <Page title={menuWords.value.refunds} command={{ id: "sandbox.refunds.list", input }}>
      <Filters fields={[{ name: "status", label: value.status, kind: "choice", choices: REFUND_STATUSES }]} />
      <List
        caption={menuWords.value.refunds}
        list={list}
        idHead="id"
        href={({ id }) => `/console/refunds/${id}`}
        open={open}
        columns={[
          { head: value.created, isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            head: value.amount,
            isNumber: true,
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { head: value.status, cell: ({ status }) => <Status status={status} /> },
          { head: value.charge, isExtra: true, cell: ({ transactionId }) => <ObjectLink id={`tx_${transactionId}`} /> },
        ]}
        empty={
          query.status === undefined ? (
            <Empty text={value.empty} command="qa-pay payments refund tx_…" />
          ) : (
            <p class="hint">{value.none}</p>
          )
        }
      />
    </Page>
  );
}

function RefundFacts({ refund }: { refund: Refund }) {
  const { value } = words;
  return (
    <Facts
      of={[
        [value.charge, <ObjectLink id={`tx_${refund.transactionId}`} />],
        [value.created, <Time at={refund.createdAt} />],
        [value.strategy, refund.strategy],
        [value.reason, refund.reason],
        [value.failure, refund.failureReason],
        [value.end_to_end, refund.endToEndId],
      ]}
    />
  );
}

function RefundPage({ id }: { id: string }) {
  const { value } = words;
  const { state } = useCall("sandbox.refunds.get", { params: { id } }, { on: ["refund"] });
  const story = useStory(id);
  const refund = state.value.data;
  return (
    <Page
      title={id}
      command={{ id: "sandbox.timeline", input: { params: { id } } }}
      above={{ href: "/console/refunds", title: menuWords.value.refunds }}
      facts={
        refund === null ? undefined : (
          <>
            <Money amount={refund.amount} currency={refund.currency} />
            <Status status={refund.status} />
          </>
        )
      }
    >
      <Show of={state.value}>
        {(shown) => (
          <>
            <RefundFacts refund={shown} />
            <Section title={value.actions}>
              <Actions>
                <RefundSteps refund={shown} />
              </Actions>
            </Section>
            <Show of={story.state.value}>
              {(told) => (
                <>
                  <CaseFile story={told} head={shown} objects={[{ title: value.object, value: shown }]} />
                  <TimelineOf story={told} />
                </>
              )}
            </Show>
          </>
        )}
      </Show>
    </Page>
  );
}

export function Refunds({ id }: { id?: string }) {
  return <Split list={<RefundList open={id} />}>{id === undefined ? null : <RefundPage key={id} id={id} />}</Split>;
}
