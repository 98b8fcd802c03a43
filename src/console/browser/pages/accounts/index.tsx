import type { OperationAnswer } from "../../../../client/types.js";
import { useCall } from "../../api/use-call.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Page, Show } from "../../parts/page.js";
import { TableFrame } from "../../parts/table-frame.js";
import { IdText, ObjectLink, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { AccountPage } from "./account.js";
import { envLine, ShownOnce } from "./once.js";

/** The accounts of this emulator. */

const words = texts("accounts");

type Accounts = OperationAnswer<"sandbox.accounts.list">["data"];

function AccountTable({ accounts }: { accounts: Accounts }) {
  const { value } = words;
  return (
    <TableFrame label={menuWords.value.accounts}>
      <table>
        <caption class="visually-hidden">{menuWords.value.accounts}</caption>
        <thead>
          <tr>
            <th scope="col">id</th>
            <th scope="col">{terms.value.name}</th>
            <th scope="col" class="number extra">
              {value.test_keys}
            </th>
            <th scope="col" class="number extra">
              {value.live_keys}
            </th>
            <th scope="col" class="extra">
              {terms.value.created}
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ id, name, modes, created_at }) => (
            <tr key={id}>
              <th scope="row">
                <a class="row" href={withBook(`/console/accounts/${id}`)}>
                  <IdText id={id} />
                </a>
              </th>
              <td>{name}</td>
              {modes.map(({ mode, keys }) => (
                <td key={mode} class="number extra">
                  {keys}
                </td>
              ))}
              <td class="extra">
                <Time at={created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
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
    <Page title={menuWords.value.accounts} command={{ id: "sandbox.accounts.list", input: { query: {} } }}>
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
      <Show of={state.value}>{({ data }) => <AccountTable accounts={data} />}</Show>
    </Page>
  );
}

export function Accounts({ id }: { id?: string }) {
  return id === undefined ? <AccountList /> : <AccountPage id={id} />;
}
