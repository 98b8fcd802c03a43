import { useLocation } from "preact-iso/router";
import { PAYOUT_STATUSES, payoutMachine } from "../../../../features/payouts/machine.js";
import { PIX_KEY_TYPES } from "../../../../pix/keys.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { type FieldSpec, fieldValue, type Values } from "../../parts/fields.js";
import { List } from "../../parts/list.js";
import { Page } from "../../parts/page.js";
import { StateTabs } from "../../parts/state-tabs.js";
import { Money, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";

const words = texts("payouts");

function fields(): readonly FieldSpec[] {
  const { value } = words;
  return [
    { name: "amount", label: terms.value.amount, kind: "money", required: true },
    { name: "currency", label: terms.value.currency, value: "BRL" },
    { name: "pix_key", label: value.key, hint: value.key_hint },
    { name: "pix_key_type", label: value.key_type, kind: "choice", choices: PIX_KEY_TYPES },
    { name: "overdraw", label: value.overdraw, kind: "yes" },
  ];
}

function payoutInput(values: Values) {
  const members = fields().map((spec) => [spec.name, fieldValue(spec, values[spec.name] ?? "")] as const);
  const body = { overdraw: false, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
  return { body };
}

function NewPayout() {
  const { route } = useLocation();
  return (
    <FormAction
      id="sandbox.payouts.create"
      label={words.value.new_payout}
      kind="main"
      text={words.value.new_text}
      emits={payoutMachine.initial.emits}
      fields={fields()}
      input={payoutInput}
      done={({ id }) => {
        route(withBook(`/console/payouts/${id}`));
        return null;
      }}
    />
  );
}

export function PayoutList({ open }: { open: string | undefined }) {
  const { value } = words;
  const { query } = useLocation();
  const input = { query: query.status === undefined ? {} : { status: query.status } };
  const list = useList("sandbox.payouts.list", input, {
    rows: ({ data }) => data,
    key: ({ id }) => id,
    more: byCursor,
    on: ["payout"],
  });
  return (
    <Page
      title={menuWords.value.payouts}
      facts={<StateTabs states={PAYOUT_STATUSES} />}
      command={{ id: "sandbox.payouts.list", input }}
      actions={
        <Actions>
          <NewPayout />
        </Actions>
      }
    >
      <List
        caption={menuWords.value.payouts}
        list={list}
        href={({ id }) => `/console/payouts/${id}`}
        open={open}
        columns={[
          {
            head: terms.value.amount,
            isNumber: true,
            cell: (row) => <Money amount={row.amount} currency={row.currency} />,
          },
          { head: terms.value.status, cell: ({ status }) => <Status status={status} /> },
          { head: terms.value.to, isSecond: true, cell: ({ destination }) => destination.pix_key },
          { head: value.created, isExtra: true, isSecond: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          query.status === undefined ? (
            <Empty text={value.empty} command="qa-pay sandbox payouts create --amount 5000 --overdraw" />
          ) : (
            <p class="hint">{value.none}</p>
          )
        }
      />
    </Page>
  );
}
