import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status, Time } from "../../parts/values.js";
import { terms, texts } from "../../state/language.js";
import { envLine, ShownOnce } from "./once.js";

/** The API keys of an account. A key is known by its fingerprint; its text is shown when it is made. */

const words = texts("accounts");

type Key = OperationAnswer<"sandbox.accounts.get">["keys"][number];

interface KeysProps {
  readonly keys: readonly Key[];
  /** Why keys cannot be changed here; null when they can. */
  readonly disabled: string | null;
}

function issued({ apiKey, mode }: OperationAnswer<"api-keys.issue">) {
  const label = mode === "test" ? words.value.test_key : words.value.live_key;
  return (
    <ShownOnce
      secrets={[
        [label, apiKey],
        [words.value.env, envLine(apiKey)],
      ]}
    />
  );
}

function nameOf({ fingerprint, label, mode }: Key): string {
  return `${fingerprint} (${label === "" ? mode : `${label}, ${mode}`})`;
}

function KeyActions({ of: key, disabled }: { of: Key; disabled: string | null }) {
  const { value } = words;
  const { id } = key;
  return (
    <>
      <FormAction
        id="api-keys.rotate"
        label={value.rotate}
        kind="small"
        disabled={disabled}
        text={fill(value.rotate_about, { key: nameOf(key) })}
        fields={[{ name: "label", label: value.new_label }]}
        input={({ label }) => ({ params: { id }, body: label === "" ? {} : { label } })}
        done={issued}
      />
      <FormAction
        id="api-keys.revoke"
        label={value.revoke}
        kind="small"
        disabled={disabled}
        text={fill(value.revoke_about, { key: nameOf(key) })}
        fields={[]}
        input={() => ({ params: { id } })}
        done={() => value.revoked_done}
      />
    </>
  );
}

function KeyState({ revokedAt }: { revokedAt: string | null }) {
  if (revokedAt === null) return <Status status={words.value.works} tone="good" />;
  return (
    <>
      <Status status={words.value.revoked} /> <Time at={revokedAt} />
    </>
  );
}

function KeyTable({ keys, disabled }: KeysProps) {
  const { value } = words;
  return (
    <Table
      label={value.keys}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { head: value.fingerprint, cell: ({ fingerprint }) => <code>{fingerprint}</code> },
        { head: value.label, cell: ({ label }) => label },
        { head: value.mode, cell: ({ mode }) => mode },
        { head: value.state, cell: ({ revoked_at }) => <KeyState revokedAt={revoked_at} /> },
        { head: terms.value.created, cell: ({ created_at }) => <Time at={created_at} /> },
        {
          head: value.last_used,
          cell: ({ last_used_at }) => (last_used_at === null ? "—" : <Time at={last_used_at} />),
        },
        {
          head: value.actions,
          cell: (key) => (key.revoked_at === null ? <KeyActions of={key} disabled={disabled} /> : null),
          class: "key-actions",
        },
      ]}
    />
  );
}

export function Keys({ keys, disabled }: KeysProps) {
  const { value } = words;
  return (
    <Section title={value.keys}>
      <p class="hint">{value.fingerprint_about}</p>
      <Actions label={value.keys}>
        <FormAction
          id="api-keys.issue"
          label={value.issue}
          disabled={disabled}
          fields={[
            {
              name: "mode",
              label: value.mode,
              kind: "choice",
              choices: ["test", "live"],
              value: "test",
              required: true,
            },
            { name: "label", label: value.label },
          ]}
          input={({ mode, label }) => ({
            body: { ...(mode === "test" ? { test: true } : {}), ...(label === "" ? {} : { label }) },
          })}
          done={issued}
        />
        <KeyTable keys={keys} disabled={disabled} />
      </Actions>
    </Section>
  );
}
