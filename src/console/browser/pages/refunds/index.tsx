import { useLocation } from "preact-iso/router";
import { REFUND_STATUSES } from "../../../../features/refunds/machine.js";
import { useCall } from "../../api/use-call.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Empty } from "../../parts/empty.js";
import { List } from "../../parts/list.js";
import { Page } from "../../parts/page.js";
import { Split } from "../../parts/split.js";
import { StateTabs } from "../../parts/state-tabs.js";
import { IdText, Money, ObjectLink, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { ObjectPage } from "../../timeline/object-page.js";
import { refundMoves } from "../charges/refund-steps.js";

const words = texts("refunds");

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
    <Page
      title={menuWords.value.refunds}
      facts={<StateTabs states={REFUND_STATUSES} />}
      command={{ id: "sandbox.refunds.list", input }}
    >
      <List
        caption={menuWords.value.refunds}
        list={list}
        href={({ id }) => `/console/refunds/${id}`}
        open={open}
        columns={[
          {
            head: terms.value.amount,
            isNumber: true,
            cell: (row) => <Money amount={row.amount} currency={row.currency} />,
          },
          { head: terms.value.status, cell: ({ status }) => <Status status={status} /> },
          { head: value.charge, isSecond: true, cell: (row) => <ObjectLink id={`tx_${row.transactionId}`} /> },
          {
            head: terms.value.created,
            isExtra: true,
            isSecond: true,
            cell: ({ createdAt }) => <Time at={createdAt} />,
          },
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

function RefundPage({ id }: { id: string }) {
  const { value } = words;
  const { state } = useCall("sandbox.refunds.get", { params: { id } }, { on: ["refund"] });
  return (
    <ObjectPage
      id={id}
      above={{ href: "/console/refunds", title: menuWords.value.refunds }}
      of={state.value}
      name={value.object}
      line={({ transactionId, reason }) => (
        <>
          {value.of_payment} <ObjectLink id={`tx_${transactionId}`} />
          {reason === null ? null : ` · ${reason}`}
        </>
      )}
      facts={(refund) => [
        [terms.value.created, <Time at={refund.createdAt} />],
        [terms.value.strategy, refund.strategy],
        [terms.value.failure, refund.failureReason],
        [terms.value.end_to_end_id, refund.endToEndId === null ? null : <IdText id={refund.endToEndId} />],
      ]}
      moves={refundMoves}
    />
  );
}

export function Refunds({ id }: { id?: string }) {
  return <Split list={<RefundList open={id} />}>{id === undefined ? null : <RefundPage key={id} id={id} />}</Split>;
}
