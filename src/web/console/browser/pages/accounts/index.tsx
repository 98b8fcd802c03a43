import type { OperationAnswer } from "../../../../../api/client/types.js";
import { useAccounts } from "../../api/use-accounts.js";
import { ObjectLink, Status, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { resource } from "../../resource/resource.js";
import { terms, texts } from "../../state/language.js";
import {
  AccountActions,
  AccountDetails,
  AccountSide,
  changesKeys,
  envLine,
  ShowAccount,
  ShownOnce,
} from "./account.js";

/** The accounts of this emulator. */

const words = texts("accounts");

type Account = OperationAnswer<"sandbox.accounts.list">["data"][number];

/** The number of working keys of each mode. */
const keysOf = ({ modes }: Account) => modes.map(({ mode, keys }) => `${keys} ${mode}`).join(" · ");

function Name({ of: { id, name } }: { of: Account }) {
  const isShown = useAccounts().chosen?.id === id;
  return (
    <span class="outcome-cell">
      <b>{name}</b> {isShown ? <Status status={words.value.shown} tone="good" /> : null}
    </span>
  );
}

/** The button of a row, but for the account that the console shows already. */
function Choose({ of: { id } }: { of: Account }) {
  return useAccounts().chosen?.id === id ? null : <ShowAccount id={id} kind="small" />;
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

export const Accounts = resource("accounts", {
  list: {
    id: "sandbox.accounts.list",
    on: ["request"],
    columns: [
      { label: "name", show: (account) => <Name of={account} /> },
      { label: "api_keys", isExtra: true, isSecond: true, show: keysOf },
      { field: "created_at", isExtra: true, isSecond: true },
      { label: "actions", class: "no-card", show: (account) => <Choose of={account} /> },
    ],
    // The first account always exists.
    empty: () => null,
    actions: (again) => [
      act("sandbox.accounts.create", {
        label: words.value.new_account,
        kind: "main",
        text: words.value.new_about,
        ask: ["name"],
        done: (account) => {
          again();
          return opened(account);
        },
      }),
    ],
  },
  object: {
    get: "sandbox.accounts.get",
    on: changesKeys,
    isRead: () => useAccounts().isRead,
    title: ({ name }) => name,
    actions: (account) => [<AccountActions key="own" label="" of={account} />],
    line: ({ created_at: at }) => (
      <>
        {terms.value.created_at} <Time at={at} />
      </>
    ),
    side: (account) => <AccountSide account={account} />,
    view: (account) => <AccountDetails account={account} />,
  },
});
