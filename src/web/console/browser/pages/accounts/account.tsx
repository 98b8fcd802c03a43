import type { ComponentChildren } from "preact";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import type { Message } from "../../api/live.js";
import { useAccounts } from "../../api/use-accounts.js";
import { useCall } from "../../api/use-call.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Copy } from "../../parts/copy.js";
import { Items } from "../../parts/items.js";
import { Facts, Section, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Money, Status, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { columnsOf, labelOf, type Shown } from "../../resource/known-fields.js";
import { OPEN_CASES } from "../../shell/due.js";
import { type MenuName, menuWords } from "../../shell/menu.js";
import { book, withBook } from "../../state/book.js";
import { texts } from "../../state/language.js";

/** One account: its keys and their history, what it holds, and its users. */

const words = texts("accounts");

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

/** Creates a key of the account that is shown. */
const CreateKey = () => (
  <FormAction
    id="api-keys.issue"
    label={words.value.issue}
    kind="main"
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
);

function keyActions({ id, fingerprint, label, mode }: Key) {
  const shared = { kind: "small", params: { id } } as const;
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

function KeyState({ revoked_at: at }: Key) {
  if (at === null) return <Status status={words.value.works} tone="good" />;
  return (
    <>
      <Status status={words.value.revoked} /> <Time at={at} />
    </>
  );
}

const BUTTONS: Shown<Key> = {
  label: "actions",
  isSecond: true,
  show: (key) => (key.revoked_at === null ? <div class="flow action-row">{keyActions(key)}</div> : null),
};

/** The keys, by their beginnings. Those of another account than the one that is shown have no buttons. */
function Keys({ keys, isShown }: { keys: readonly Key[]; isShown: boolean }) {
  return (
    <Actions label={words.value.keys}>
      <Section title={words.value.keys} end={isShown ? <CreateKey /> : null}>
        <Table
          label={words.value.keys}
          kind="cards"
          rows={keys}
          keyOf={({ id }) => id}
          columns={columnsOf<Key>([
            {
              label: "key",
              show: ({ prefix, fingerprint }) => (
                <>
                  <code>{prefix}…</code>
                  <div class="hint">{fingerprint}</div>
                </>
              ),
            },
            "label",
            { label: "key_state", class: "nowrap", show: (key) => <KeyState {...key} /> },
            { field: "last_used_at", isSecond: true, isExtra: true, cardLabel: labelOf("last_used_at") },
            ...(isShown ? [BUTTONS] : []),
          ])}
        />
        <p class="hint">{words.value.fingerprint_about}</p>
      </Section>
    </Actions>
  );
}

export type Account = OperationAnswer<"sandbox.accounts.get">;

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

const ONE = { query: { limit: 1 } } as const;

/** What the account holds, each with the way to its page. */
function Holdings() {
  const { data: payments } = useCall("sandbox.payments.list", ONE, { on: ["transaction"] }).state.value;
  const { data: cases } = useCall("med.list", OPEN_CASES, { on: ["case"] }).state.value;
  const { data: endpoints } = useCall("webhooks.endpoints.list", {}, { on: ["request"] }).state.value;
  const { data: balance } = useCall("wallets.balance", { query: {} }, { on: ["journal"] }).state.value;
  const link = (page: MenuName, value: ComponentChildren) =>
    [menuWords.value[page], <a href={withBook(`/console/${page}`)}>{value}</a>] as const;
  return (
    <Section title={fill(words.value.holds, { mode: book.value.mode })}>
      <Facts
        of={[
          link("wallets", balance === null ? "…" : <Money amount={balance.available} currency={balance.currency} />),
          link("charges", payments === null ? "…" : Object.values(payments.counts).reduce((sum, one) => sum + one, 0)),
          link("med", cases?.data.length ?? "…"),
          link("endpoints", endpoints?.data.length ?? "…"),
        ]}
      />
    </Section>
  );
}

/** The users, each with the role. */
function Users({ users }: Pick<Account, "users">) {
  return (
    <Section title={words.value.users}>
      <Items of={users} none="" class="lines">
        {({ id, email, name, role }) => (
          <li key={id}>
            <span class="about">
              {name}
              <br />
              <span class="hint">{email}</span>
            </span>
            <Status status={role} tone="plain" />
          </li>
        )}
      </Items>
      <p class="hint">{words.value.passwords_about}</p>
    </Section>
  );
}

/** The parts of one account: its keys and their history, and at the side what it holds and its users. */
export function AccountDetails({ account: { id, keys, users } }: { account: Account }) {
  const isShown = useAccounts().chosen?.id === id;
  return (
    <>
      <Keys keys={keys} isShown={isShown} />
      {isShown ? <Audit users={users} /> : null}
    </>
  );
}

/** The keys of another account can be changed when the console shows it. */
export function AccountActions({ of: { id } }: { readonly of: Account; readonly label: string }) {
  return useAccounts().chosen?.id === id ? null : <ShowAccount id={id} kind="main" />;
}

/** The way to the other account, whose data the console then shows on every page. */
export function ShowAccount({ id, kind }: { id: string; kind: "main" | "small" }) {
  const show = () => {
    book.value = { ...book.value, account: id };
  };
  return (
    <button type="button" class={kind} onClick={show}>
      {words.value.choose}
    </button>
  );
}

export function AccountSide({ account: { id, users } }: { account: Account }) {
  const isShown = useAccounts().chosen?.id === id;
  return (
    <>
      {isShown ? <Holdings /> : null}
      <Users users={users} />
    </>
  );
}
