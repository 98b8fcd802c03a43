import type { OperationAnswer } from "../../../../client/types.js";
import { useCall } from "../../api/use-call.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Page, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { IdText, ObjectLink, Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { AccountPage } from "./account.js";
import { envLine, ShownOnce } from "./once.js";

/** The accounts of this emulator. */

const words = texts("accounts");

type Accounts = OperationAnswer<"sandbox.accounts.list">["data"];

const workingKeys = (of: "test" | "live") => (account: Accounts[number]) =>
  account.modes.find(({ mode }) => mode === of)?.keys;

function AccountTable({ accounts }: { accounts: Accounts }) {
  const { value } = words;
  return (
    <Table
      label={menuWords.value.accounts}
      rows={accounts}
      keyOf={({ id }) => id}
      columns={[
        { head: terms.value.name, cell: ({ name }) => name },
        { head: value.test_keys, cell: workingKeys("test"), isNumber: true, isExtra: true },
        { head: value.live_keys, cell: workingKeys("live"), isNumber: true, isExtra: true },
        { head: terms.value.created, cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
        {
          head: shared.value.id,
          cell: ({ id }) => (
            <a class="row" href={withBook(`/console/accounts/${id}`)}>
              <IdText id={id} />
            </a>
          ),
          isHead: true,
          class: "row-id",
        },
      ]}
    />
  );
}

function opened(account: OperationAnswer<"sandbox.accounts.create">) {
  const { value } = words;
  return (
    <>
      {value.open} <ObjectLink id={account.id} />
      <ShownOnce
        secrets={[
          [value.test_key, account.test_key],
          [value.live_key, account.live_key],
          [value.env, envLine(account.test_key)],
          [value.signing_secret, account.signing_secret],
          ...account.users.map(({ email, password, role }) => [`${role} ${email}`, password] as const),
        ]}
      />
    </>
  );
}

function AccountList() {
  const { state, reload } = useCall("sandbox.accounts.list", { query: { limit: "100" } });
  const { value } = words;
  return (
    <Page
      title={menuWords.value.accounts}
      command={{ id: "sandbox.accounts.list", input: { query: {} } }}
      actions={
        <Actions>
          <FormAction
            id="sandbox.accounts.create"
            label={value.new_account}
            kind="main"
            text={value.new_about}
            fields={[{ name: "name", label: terms.value.name, required: true }]}
            input={({ name }) => ({ body: { name } })}
            done={(account) => {
              reload();
              return opened(account);
            }}
          />
        </Actions>
      }
    >
      <Show of={state.value}>{({ data }) => <AccountTable accounts={data} />}</Show>
    </Page>
  );
}

export function Accounts({ id }: { id?: string }) {
  return id === undefined ? <AccountList /> : <AccountPage id={id} />;
}
