import type { OperationAnswer } from "../../../../client/types.js";
import type { Message } from "../../api/live.js";
import { useAccounts } from "../../api/use-accounts.js";
import { useCall } from "../../api/use-call.js";
import { Items } from "../../parts/items.js";
import { Section, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Time } from "../../parts/values.js";
import { columnsOf } from "../../resource/known-fields.js";
import { book } from "../../state/book.js";
import { texts } from "../../state/language.js";
import { Keys } from "./keys.js";

/** One account: its keys, its users, and what was done to its keys. */

const words = texts("accounts");

type Account = OperationAnswer<"sandbox.accounts.get">;

/** A change of keys is no event of the service; the message of its request tells of it. */
export const changesKeys = ({ kind, data }: Message) =>
  kind === "request" && String(data.path).startsWith("/v1/api-keys");

function Audit({ users }: Pick<Account, "users">) {
  const { state } = useCall("sandbox.audit", { query: { limit: "100" } }, { on: changesKeys });
  const { value } = words;
  const userOf = (id: string) => users.find((user) => user.id === id)?.email ?? id;
  return (
    <Section title={value.audit}>
      <Show of={state.value}>
        {({ data }) => (
          <Items of={data} none={value.audit_empty} as="ol">
            {({ id, action, user_id, fingerprint, created_at }) => (
              <li key={id}>
                <Time at={created_at} /> <code>{action}</code> <code>{fingerprint}</code> {userOf(user_id)}
              </li>
            )}
          </Items>
        )}
      </Show>
    </Section>
  );
}

/** The parts of one account. Its keys are changed where it is the account of the chosen book. */
export function AccountDetails({ account: { id, keys, users } }: { account: Account }) {
  const isChosen = useAccounts().chosen?.id === id;
  const { value } = words;
  const choose = () => {
    book.value = { ...book.value, account: id };
  };
  return (
    <>
      {isChosen ? null : (
        <p class="other-account">
          {value.other}{" "}
          <button type="button" class="small" onClick={choose}>
            {value.choose}
          </button>
        </p>
      )}
      <Keys keys={keys} disabled={isChosen ? null : value.not_chosen} />
      <Section title={value.users}>
        <Table
          label={value.users}
          rows={users}
          keyOf={(user) => user.id}
          columns={columnsOf<(typeof users)[number]>(["email", "name", "role"])}
        />
        <p class="hint">{value.passwords_about}</p>
      </Section>
      {isChosen ? <Audit users={users} /> : null}
    </>
  );
}
