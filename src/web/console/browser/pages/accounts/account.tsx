import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import type { Message } from "../../api/live.js";
import { useAccounts } from "../../api/use-accounts.js";
import { useCall } from "../../api/use-call.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Copy } from "../../parts/copy.js";
import { Items } from "../../parts/items.js";
import { Section, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { columnsOf, labelOf } from "../../resource/known-fields.js";
import { book } from "../../state/book.js";
import { texts } from "../../state/language.js";

/** One account: its keys, its users, and the history of its keys. */

const words = texts("accounts");

/** The API keys of an account. A key is known by its fingerprint; its text is shown when it is created. */

type Key = OperationAnswer<"sandbox.accounts.get">["keys"][number];

/** Secrets that the service shows once, each with a button that copies it. */
export function ShownOnce({ secrets }: { secrets: readonly (readonly [label: string, text: string])[] }) {
  return (
    <span class="stack once">
      <strong>{words.value.once}</strong>
      {secrets.map(([label, text]) => (
        <span key={label}>
          {label}: <code>{text}</code> <Copy text={text} />
        </span>
      ))}
    </span>
  );
}

/** The line that passes a key to a program. */
export const envLine = (key: string) => `QA_PAY_API_KEY=${key}`;

function issued({ apiKey, mode }: OperationAnswer<"api-keys.issue">) {
  const { test_key, live_key, env } = words.value;
  const label = mode === "test" ? test_key : live_key;
  const secrets = [[label, apiKey] as const, [env, envLine(apiKey)] as const];
  return <ShownOnce secrets={secrets} />;
}

function keyActions({ id, fingerprint, label, mode }: Key, disabled: string | null) {
  const shared = { kind: "small", disabled, params: { id } } as const;
  const key = `${fingerprint} (${label === "" ? mode : `${label}, ${mode}`})`;
  return [
    act("api-keys.rotate", {
      ...shared,
      label: words.value.rotate,
      text: fill(words.value.rotate_about, { key }),
      ask: [{ name: "label", label: "new_label" }],
      done: issued,
    }),
    act("api-keys.revoke", {
      ...shared,
      label: words.value.revoke,
      text: fill(words.value.revoke_about, { key }),
      done: () => words.value.revoked_done,
    }),
  ];
}

/** `disabled` is the reason why keys cannot be changed here; null when they can. */
function Keys({ keys, disabled }: { keys: readonly Key[]; disabled: string | null }) {
  return (
    <Section title={words.value.keys}>
      <p class="hint">{words.value.fingerprint_about}</p>
      <Actions label={words.value.keys}>
        <FormAction
          id="api-keys.issue"
          label={words.value.issue}
          disabled={disabled}
          fields={[
            {
              name: "mode",
              label: labelOf("mode"),
              kind: "choice",
              required: true,
              choices: ["test", "live"],
              value: "test",
            },
            { name: "label", label: labelOf("label") },
          ]}
          input={({ mode, label }) => ({
            body: { ...(mode === "test" ? { test: true } : {}), ...(label === "" ? {} : { label }) },
          })}
          done={issued}
        />
        <Table
          label={words.value.keys}
          rows={keys}
          keyOf={({ id }) => id}
          columns={columnsOf<Key>([
            "fingerprint",
            "label",
            "mode",
            {
              label: "key_state",
              show: ({ revoked_at: at }) =>
                at === null ? (
                  <Status status={words.value.works} tone="good" />
                ) : (
                  <>
                    <Status status={words.value.revoked} /> <Time at={at} />
                  </>
                ),
            },
            "created_at",
            "last_used_at",
            {
              label: "actions",
              class: "flow",
              show: (key) => (key.revoked_at === null ? keyActions(key, disabled) : null),
            },
          ])}
        />
      </Actions>
    </Section>
  );
}

type Account = OperationAnswer<"sandbox.accounts.get">;

/** A change of keys is no event of the service; the message of its request reports it. */
export const changesKeys = ({ kind, data }: Message) =>
  kind === "request" && String(data.path).startsWith("/v1/api-keys");

function Audit({ users }: Pick<Account, "users">) {
  const { state } = useCall("sandbox.audit", { query: { limit: "100" } }, { on: changesKeys });
  const userOf = (id: string) => users.find((user) => user.id === id)?.email ?? id;
  return (
    <Section title={words.value.audit}>
      <Show of={state.value}>
        {({ data }) => (
          <Items of={data} none={words.value.audit_empty} as="ol">
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

/** The parts of one account. Its keys can be changed only in the account of the chosen book. */
export function AccountDetails({ account: { id, keys, users } }: { account: Account }) {
  const isChosen = useAccounts().chosen?.id === id;
  const choose = () => {
    book.value = { ...book.value, account: id };
  };
  return (
    <>
      {isChosen ? null : (
        <p class="sunken other-account wait">
          {words.value.other}{" "}
          <button type="button" class="small" onClick={choose}>
            {words.value.choose}
          </button>
        </p>
      )}
      <Keys keys={keys} disabled={isChosen ? null : words.value.not_chosen} />
      <Section title={words.value.users}>
        <Table
          label={words.value.users}
          rows={users}
          keyOf={(user) => user.id}
          columns={columnsOf<(typeof users)[number]>(["email", "name", "role"])}
        />
        <p class="hint">{words.value.passwords_about}</p>
      </Section>
      {isChosen ? <Audit users={users} /> : null}
    </>
  );
}
