import { useContext } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../client/types.js";
import { MED_METHODS, MED_STATUSES, MED_TYPES } from "../../../../features/med/machine.js";
import { useList } from "../../api/use-list.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { type FieldSpec, fieldValue } from "../../parts/fields.js";
import { List } from "../../parts/list.js";
import { useAddressWith } from "../../parts/list-address.js";
import { Page } from "../../parts/page.js";
import { IsBeside } from "../../parts/split.js";
import type { Column } from "../../parts/table.js";
import { Money, ObjectLink, Status, Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { Board } from "./board.js";
import { Deadline } from "./deadline.js";
import { toneOf } from "./outcome.js";

/** The cases as a list or as a board, with the time that is left to answer. The address says which. */

const words = texts("med");

function OpenCase() {
  const { value } = words;
  return (
    <Actions>
      <FormAction
        id="sandbox.med.open"
        label={terms.value.open_med_case}
        text={value.open_about}
        emits={["med_case.created", "payment.failed", "payment.status_changed"]}
        fields={[
          { name: "charge_id", label: value.charge_id, required: true },
          { name: "type", label: terms.value.type, kind: "choice", choices: MED_TYPES, value: "med" },
          { name: "method", label: value.alleged, kind: "choice", choices: MED_METHODS, value: "other" },
          { name: "amount", label: terms.value.amount, kind: "money" },
          { name: "reason", label: terms.value.reason, kind: "long" },
          { name: "response_deadline", label: value.deadline, hint: "2026-12-01T12:00:00Z" },
        ]}
        input={({ charge_id, type, method, amount = "", reason, response_deadline }) => {
          const centavos = fieldValue({ name: "amount", label: "", kind: "money" }, amount);
          const given = { charge_id, type, method, reason, response_deadline };
          const body = Object.fromEntries(
            Object.entries(given).filter(([, text]) => text !== "" && text !== undefined),
          );
          return { body: centavos === undefined ? body : { ...body, amount: centavos } };
        }}
        done={({ id }) => (
          <>
            {value.case_open} <ObjectLink id={id} />
          </>
        )}
      />
    </Actions>
  );
}

function Views({ isBoard }: { isBoard: boolean }) {
  const address = useAddressWith();
  const { value } = words;
  return (
    <nav class="tabs" aria-label={value.views}>
      <a href={address({ view: "" })} aria-current={isBoard ? undefined : "page"}>
        {value.as_list}
      </a>
      <a href={address({ view: "board" })} aria-current={isBoard ? "page" : undefined}>
        {value.as_board}
      </a>
    </nav>
  );
}

type Case = OperationAnswer<"med.list">["data"][number];

function columns(): readonly Column<Case>[] {
  const { value } = words;
  return [
    { head: terms.value.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { head: terms.value.status, cell: (row) => <Status status={row.status} tone={toneOf(row)} /> },
    {
      head: value.deadline,
      cell: (row) => <Deadline to={row.response_deadline} status={row.status} />,
      isSecond: true,
    },
    { head: terms.value.reason, isExtra: true, isSecond: true, cell: ({ reason }) => reason },
    { head: terms.value.type, isExtra: true, cell: ({ type: name }) => <code>{name}</code> },
    { head: value.opened, isExtra: true, isSecond: true, cell: ({ opened_at }) => <Time at={opened_at} /> },
  ];
}

export function CaseList({ open }: { open: string | undefined }) {
  const { query } = useLocation();
  const { status, type } = query;
  const filters = { ...(status === undefined ? {} : { status }), ...(type === undefined ? {} : { type }) };
  const list = useList(
    "med.list",
    { query: filters },
    {
      rows: ({ data }) => data,
      key: ({ id }) => id,
      more: ({ next_cursor }) => (next_cursor === null ? null : { starting_after: next_cursor }),
      on: ["case"],
    },
  );
  const isFiltered = Object.keys(filters).length > 0;
  // Beside one of the cases there is no room for a board.
  const isBeside = useContext(IsBeside);
  const isBoard = query.view === "board" && !isBeside;
  const { value } = words;
  const fields: readonly FieldSpec[] = [
    { name: "status", label: terms.value.status, kind: "choice", choices: MED_STATUSES },
    { name: "type", label: terms.value.type, kind: "choice", choices: MED_TYPES },
  ];
  const empty = isFiltered ? (
    <p>{shared.value.no_match}</p>
  ) : (
    <Empty text={value.empty} command="qa-pay trigger med_case.created" />
  );
  return (
    <Page
      title={menuWords.value.med}
      command={{ id: "med.list", input: { query: filters } }}
      actions={<OpenCase />}
      facts={isBeside ? undefined : <Views isBoard={isBoard} />}
    >
      {isBoard ? (
        <Board list={list} filters={fields} only={status} empty={empty} />
      ) : (
        <List
          caption={menuWords.value.med}
          list={list}
          filters={fields}
          open={open}
          href={({ id }) => `/console/med/${id}`}
          columns={columns()}
          empty={empty}
        />
      )}
    </Page>
  );
}
