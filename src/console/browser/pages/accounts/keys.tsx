import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { columnsOf, labelOf } from "../../resource/known-fields.js";
import { texts } from "../../state/language.js";
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
  const shared = { kind: "small", disabled, params: { id: key.id } } as const;
  return (
    <>
      {act("api-keys.rotate", {
        ...shared,
        label: value.rotate,
        text: fill(value.rotate_about, { key: nameOf(key) }),
        ask: [{ name: "label", label: "new_label" }],
        done: issued,
      })}
      {act("api-keys.revoke", {
        ...shared,
        label: value.revoke,
        text: fill(value.revoke_about, { key: nameOf(key) }),
        done: () => value.revoked_done,
      })}
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
      columns={columnsOf<Key>([
        "fingerprint",
        "label",
        "mode",
        { label: "key_state", show: ({ revoked_at }) => <KeyState revokedAt={revoked_at} /> },
        "created_at",
        "last_used_at",
        {
          label: "actions",
          class: "key-actions",
          show: (key) => (key.revoked_at === null ? <KeyActions of={key} disabled={disabled} /> : null),
        },
      ])}
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
              label: labelOf("mode"),
              kind: "choice",
              choices: ["test", "live"],
              value: "test",
              required: true,
            },
            { name: "label", label: labelOf("label") },
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
