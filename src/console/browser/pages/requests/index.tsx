import { useContext, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../client/types.js";
import { useCall } from "../../api/use-call.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Empty } from "../../parts/empty.js";
import type { FieldSpec } from "../../parts/field-values.js";
import { List } from "../../parts/list.js";
import { Page, Section, Skeleton } from "../../parts/page.js";
import { IsBeside, Split } from "../../parts/split.js";
import { type Column, Table } from "../../parts/table.js";
import { Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { KeyOutcome, type Logged, Outcome } from "./outcome.js";
import { RequestPage } from "./request.js";

const words = texts("requests");

/** The columns of the list. Beside an open request there is room for two of them. */
function columns(): Column<Logged>[] {
  const text = words.value;
  return [
    { head: terms.value.status, cell: ({ status, error }) => <Outcome status={status} code={error?.code ?? null} /> },
    { head: terms.value.method, cell: ({ method }) => method },
    {
      head: terms.value.path,
      cell: ({ path }) => (
        <span class="path" title={path}>
          {path}
        </span>
      ),
      isSecond: true,
    },
    {
      head: text.took,
      cell: ({ duration_ms }) => <span class="nowrap">{duration_ms} ms</span>,
      isNumber: true,
      isExtra: true,
    },
    { head: text.caller, cell: ({ caller }) => caller, isExtra: true },
    { head: terms.value.key, cell: ({ idempotency }) => <KeyOutcome of={idempotency} />, isExtra: true },
    { head: text.fault, cell: ({ fault }) => fault, isExtra: true },
    { head: text.at, cell: ({ at }) => <Time at={at} />, isExtra: true, isSecond: true },
  ];
}

type ErrorGroup = OperationAnswer<"sandbox.requests.errors">["data"][number];

function ErrorGroups({ of: groups }: { of: readonly ErrorGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <Section title={words.value.errors}>
      <Table
        label={words.value.errors}
        rows={groups}
        keyOf={({ method, route, status, code }) => `${method} ${route} ${status} ${code}`}
        columns={[
          {
            head: words.value.route,
            cell: ({ method, route }) => (
              <>
                {method} <span class="path">{route}</span>
              </>
            ),
          },
          { head: words.value.error, cell: ({ status, code }) => <Outcome status={status} code={code} /> },
          { head: terms.value.count, cell: ({ count }) => count, isNumber: true },
          {
            head: words.value.latest,
            cell: ({ last_number, last_at }) => (
              <>
                <a href={withBook(`/console/requests/${last_number}`)}>#{last_number}</a> <Time at={last_at} />
              </>
            ),
          },
        ]}
      />
    </Section>
  );
}

function filterFields(): readonly FieldSpec[] {
  const text = words.value;
  return [
    { name: "method", label: terms.value.method, kind: "choice", choices: ["GET", "POST", "PATCH", "DELETE"] },
    { name: "path", label: terms.value.path },
    { name: "status", label: terms.value.status },
    { name: "caller", label: text.caller },
    { name: "q", label: terms.value.text },
  ];
}

function RequestList({ open }: { open: string | undefined }) {
  const { query } = useLocation();
  const isBeside = useContext(IsBeside);
  const { method, path, status, caller, q } = query;
  const filters = Object.fromEntries(
    Object.entries({ method, path, status, caller, q }).filter(([, value]) => value !== undefined),
  );
  const list = useList(
    "sandbox.requests",
    { query: filters },
    { rows: ({ data }) => data, key: ({ number }) => String(number), more: byCursor, on: ["request"] },
  );
  const errors = useCall("sandbox.requests.errors", { query: filters }, { on: ["request"] }).state.value;
  const isRead = useRef(false);
  isRead.current ||= errors.data !== null || errors.error !== null;
  const isFiltered = Object.keys(filters).length > 0;
  const page = {
    title: menuWords.value.requests,
    command: { id: "sandbox.requests", input: { query: filters } },
  } as const;
  // At first both together, so that the list does not move when the errors come.
  if (!isRead.current) {
    return (
      <Page {...page}>
        <Skeleton />
      </Page>
    );
  }
  return (
    <Page {...page}>
      {isBeside ? null : <ErrorGroups of={errors.data?.data ?? []} />}
      <List
        caption={menuWords.value.requests}
        list={list}
        filters={filterFields()}
        href={({ number }) => `/console/requests/${number}`}
        columns={columns()}
        open={open}
        empty={
          isFiltered ? (
            <p class="hint">{shared.value.no_match}</p>
          ) : (
            <Empty text={words.value.empty} command="qa-pay charges create --amount 1990" />
          )
        }
      />
    </Page>
  );
}

export function Requests({ id }: { id?: string }) {
  return <Split list={<RequestList open={id} />}>{id === undefined ? null : <RequestPage number={id} />}</Split>;
}
