import type { OperationAnswer } from "../../../../../api/client/types.js";
import { useAccounts } from "../../api/use-accounts.js";
import { ObjectLink } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { resource } from "../../resource/resource.js";
import { texts } from "../../state/language.js";
import { AccountDetails, changesKeys, envLine, ShownOnce } from "./account.js";

/** The accounts of this emulator. */

const words = texts("accounts");

type Account = OperationAnswer<"sandbox.accounts.list">["data"][number];

const workingKeys = (of: "test" | "live") => (account: Pick<Account, "modes">) =>
  account.modes.find(({ mode }) => mode === of)?.keys;

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
      "name",
      { label: "test_keys", isNumber: true, isExtra: true, show: workingKeys("test") },
      { label: "live_keys", isNumber: true, isExtra: true, show: workingKeys("live") },
      { field: "created_at", isExtra: true, isSecond: true },
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
    facts: [
      { label: "test_keys", show: workingKeys("test") },
      { label: "live_keys", show: workingKeys("live") },
      "created_at",
    ],
    view: (account) => <AccountDetails account={account} />,
  },
});
