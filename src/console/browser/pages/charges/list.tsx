import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../client/types.js";
import { METHOD_NAMES } from "../../../../features/transactions/catalogue.js";
import { TRANSACTION_STATUSES } from "../../../../features/transactions/machine.js";
import { fill } from "../../../../kernel/message.js";
import { MOST_ROWS } from "../../api/list-reader.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Actions } from "../../parts/action.js";
import { codeName } from "../../parts/codes.js";
import { Empty } from "../../parts/empty.js";
import type { FieldSpec } from "../../parts/fields.js";
import { List } from "../../parts/list.js";
import { Page } from "../../parts/page.js";
import { StateTabs } from "../../parts/state-tabs.js";
import type { Column } from "../../parts/table.js";
import { Money, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { NewCharge } from "./new-charge.js";
import { bound } from "./new-charge-input.js";
import { pageId } from "./subject.js";

const words = texts("charges");

type Payment = OperationAnswer<"sandbox.payments.list">["data"][number];

function filterFields(): readonly FieldSpec[] {
  const { value } = words;
  return [
    { name: "method", label: terms.value.method, kind: "choice", choices: METHOD_NAMES },
    { name: "from", label: value.from, kind: "date" },
    { name: "to", label: value.to, kind: "date" },
    { name: "q", label: terms.value.search },
  ];
}

const PAGE_ROWS = 50;

/** The filters that production has too, for the filters in the address of the page. */
function publicQuery({ status, from, to }: Readonly<Record<string, string>>) {
  return {
    limit: String(PAGE_ROWS),
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { startDate: bound(from, "first") }),
    ...(to === undefined ? {} : { endDate: bound(to, "last") }),
  };
}

/** All filters in the address of the page. */
function listQuery(query: Readonly<Record<string, string>>) {
  const { method, q } = query;
  return { ...publicQuery(query), ...(method === undefined ? {} : { method }), ...(q === undefined ? {} : { q }) };
}

const columns = (): Column<Payment>[] => [
  { head: terms.value.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
  { head: terms.value.status, cell: ({ status }) => <Status status={status} /> },
  { head: terms.value.customer, isSecond: true, cell: ({ customerName }) => customerName },
  {
    head: terms.value.method,
    isExtra: true,
    isSecond: true,
    cell: (row) => row.paymentMethods.map(codeName).join(", "),
  },
  { head: terms.value.created, isExtra: true, isSecond: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** All charges and payments that the filters and the text fit. */
export function ChargeList({ open }: { readonly open: string | undefined }) {
  const { query } = useLocation();
  const input = { query: listQuery(query) };
  const list = useList("sandbox.payments.list", input, {
    rows: ({ data }) => data,
    key: ({ id }) => id,
    more: byCursor,
    counts: ({ counts }) => counts,
    on: ["transaction"],
  });
  const { rows, counts } = list.state.value;
  const isFiltered = ["status", "method", "from", "to", "q"].some((name) => query[name] !== undefined);
  const isNarrowed = query.method !== undefined || query.q !== undefined;
  return (
    <Page
      title={menuWords.value.charges}
      facts={<StateTabs states={TRANSACTION_STATUSES} counts={counts} isNarrowed={isNarrowed} />}
      actions={
        <Actions>
          <NewCharge />
        </Actions>
      }
      command={
        isNarrowed
          ? { id: "sandbox.payments.list", input }
          : { id: "payments.list", input: { query: publicQuery(query) } }
      }
    >
      <List
        caption={menuWords.value.charges}
        list={list}
        filters={filterFields()}
        idOf={pageId}
        href={(payment) => `/console/charges/${pageId(payment)}`}
        open={open === undefined ? undefined : open.replace(/^ch_/, "tx_")}
        columns={columns()}
        empty={
          isFiltered ? (
            <p class="hint">{words.value.none_fit}</p>
          ) : (
            <Empty text={words.value.empty} command="qa-pay charges create --amount 1990" />
          )
        }
      />
      {rows.length >= MOST_ROWS ? <p class="hint">{fill(words.value.most, { count: MOST_ROWS })}</p> : null}
    </Page>
  );
}
