import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../client/types.js";
import { METHOD_NAMES } from "../../../../features/transactions/catalogue.js";
import { TRANSACTION_STATUSES } from "../../../../features/transactions/machine.js";
import { MOST_ROWS } from "../../api/list-reader.js";
import { byCursor, type LiveList, useList } from "../../api/use-list.js";
import { Actions } from "../../parts/action.js";
import { codeName } from "../../parts/codes.js";
import { Empty } from "../../parts/empty.js";
import type { FieldSpec } from "../../parts/fields.js";
import { type Column, List } from "../../parts/list.js";
import { Page } from "../../parts/page.js";
import { Money, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { language } from "../../state/language.js";
import { foundText } from "../../words/found-texts.js";
import { NewCharge } from "./new-charge.js";
import { bound } from "./new-charge-input.js";
import { words } from "./words.js";

type Answer = OperationAnswer<"payments.list">;
type Payment = Answer["data"][number];
type Found = OperationAnswer<"sandbox.search">["data"][number];

/** The id of a payment as its page has it: a charge when Pix is among its methods. */
function pageId({ id, paymentMethods }: Pick<Payment, "id" | "paymentMethods">): string {
  return paymentMethods.includes("PIX") ? id.replace(/^(tx_)?/, "ch_") : id.replace(/^(tx_)?/, "tx_");
}

function filterFields(): readonly FieldSpec[] {
  const { value } = words;
  return [
    { name: "status", label: value.status, kind: "choice", choices: TRANSACTION_STATUSES },
    { name: "method", label: value.method, kind: "choice", choices: METHOD_NAMES },
    { name: "from", label: value.from, kind: "date" },
    { name: "to", label: value.to, kind: "date" },
    { name: "q", label: value.query },
  ];
}

const PAGE_ROWS = 50;

/** The query of the list for the filters in the address of the page. */
function listQuery({ status, from, to }: Readonly<Record<string, string>>) {
  return {
    limit: String(PAGE_ROWS),
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { startDate: bound(from, "first") }),
    ...(to === undefined ? {} : { endDate: bound(to, "last") }),
  };
}

const columns = (): Column<Payment>[] => [
  { head: words.value.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
  { head: words.value.status, cell: ({ status }) => <Status status={status} /> },
  { head: words.value.customer, isSecond: true, cell: ({ customerName }) => customerName },
  {
    head: words.value.method,
    isExtra: true,
    isSecond: true,
    cell: (row) => row.paymentMethods.map(codeName).join(", "),
  },
  { head: words.value.created, isExtra: true, isSecond: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

interface ListViewProps {
  readonly open: string | undefined;
}

/** The rows of a list that have a method; the operation of the list has no such filter. */
function useOfMethod(list: LiveList<Payment>, method: string | undefined): LiveList<Payment> {
  // With other filters the list has another state: a computed signal that outlives it would go on with the old rows.
  const state = useMemo(
    () =>
      computed(() => {
        const known = list.state.value;
        if (method === undefined) return known;
        const fits = ({ paymentMethods }: Payment) => (paymentMethods as readonly string[]).includes(method);
        return { ...known, rows: known.rows.filter(fits), fresh: known.fresh.filter(fits) };
      }),
    [list.state, method],
  );
  return { ...list, state };
}

function PaymentList({ open }: ListViewProps) {
  const { query } = useLocation();
  const all = useList(
    "payments.list",
    { query: listQuery(query) },
    {
      rows: ({ data }) => data,
      key: ({ id }) => id,
      more: ({ total, page, limit }) => (page * limit < total ? { page: page + 1 } : null),
      on: ["transaction"],
    },
  );
  const list = useOfMethod(all, query.method);
  const read = all.state.value.rows.length;
  const isFiltered = ["status", "method", "from", "to"].some((name) => query[name] !== undefined);
  return (
    <>
      {query.method === undefined ? null : (
        <p class="hint">{words.value.method_read(list.state.value.rows.length, read)}</p>
      )}
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
      {read >= MOST_ROWS ? <p class="hint">{words.value.most(MOST_ROWS)}</p> : null}
    </>
  );
}

function FoundList({ text, open }: ListViewProps & { text: string }) {
  const list = useList(
    "sandbox.search",
    { query: { q: text } },
    {
      rows: ({ data }): readonly Found[] => data.filter(({ kind }) => kind === "charge" || kind === "payment"),
      key: ({ id }) => id,
      more: byCursor,
      on: ["transaction"],
    },
  );
  return (
    <>
      <p class="hint">{words.value.search_alone}</p>
      <List
        caption={menuWords.value.charges}
        list={list}
        filters={filterFields()}
        href={({ id }) => `/console/charges/${id}`}
        open={open}
        columns={[{ head: words.value.what, cell: (found) => foundText(found, language.value) }]}
        empty={<p class="hint">{words.value.none_found(text)}</p>}
      />
    </>
  );
}

/** All charges and payments, or those that a search finds. */
export function ChargeList({ open }: ListViewProps) {
  const { query } = useLocation();
  const { q } = query;
  const page = {
    title: menuWords.value.charges,
    actions: (
      <Actions>
        <NewCharge />
      </Actions>
    ),
    children: q === undefined ? <PaymentList open={open} /> : <FoundList text={q} open={open} />,
  };
  return q === undefined ? (
    <Page {...page} command={{ id: "payments.list", input: { query: listQuery(query) } }} />
  ) : (
    <Page {...page} command={{ id: "sandbox.search", input: { query: { q } } }} />
  );
}
