import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Copy } from "../../parts/copy.js";
import { Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { columnsOf, labelOf } from "../../resource/known-fields.js";
import { texts } from "../../state/language.js";

/** The API keys of an account. A key is known by its fingerprint; its text is shown when it is made. */

const words = texts("accounts");

type Key = OperationAnswer<"sandbox.accounts.get">["keys"][number];

/** Secrets that the service shows once, each with a button that copies it. */
export function ShownOnce({ secrets }: { secrets: readonly (readonly [label: string, text: string])[] }) {
  return (
    <span class="once">
      <strong>{words.value.once}</strong>
      {secrets.map(([label, text]) => (
        <span key={label}>
          {label}: <code>{text}</code> <Copy text={text} />
        </span>
      ))}
    </span>
  );
}

/** The line that gives a program its key. */
export const envLine = (key: string) => `QA_PAY_API_KEY=${key}`;

function issued({ apiKey, mode }: OperationAnswer<"api-keys.issue">) {
  const { test_key, live_key, env } = words.value;
  const label = mode === "test" ? test_key : live_key;
  const secrets = [[label, apiKey] as const, [env, envLine(apiKey)] as const];
  return <ShownOnce secrets={secrets} />;
}

function keyActions({ id, fingerprint, label, mode }: Key, disabled: string | null) {
  const { value } = words;
  const shared = { kind: "small", disabled, params: { id } } as const;
  const key = `${fingerprint} (${label === "" ? mode : `${label}, ${mode}`})`;
  return [
    act("api-keys.rotate", {
      ...shared,
      label: value.rotate,
      text: fill(value.rotate_about, { key }),
      ask: [{ name: "label", label: "new_label" }],
      done: issued,
    }),
    act("api-keys.revoke", {
      ...shared,
      label: value.revoke,
      text: fill(value.revoke_about, { key }),
      done: () => value.revoked_done,
    }),
  ];
}

/** `disabled` says why keys cannot be changed here; it is null when they can. */
export function Keys({ keys, disabled }: { keys: readonly Key[]; disabled: string | null }) {
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
              ...{ name: "mode", label: labelOf("mode"), kind: "choice", required: true },
              ...{ choices: ["test", "live"], value: "test" },
            },
            { name: "label", label: labelOf("label") },
          ]}
          input={({ mode, label }) => ({
            body: { ...(mode === "test" ? { test: true } : {}), ...(label === "" ? {} : { label }) },
          })}
          done={issued}
        />
        <Table
          label={value.keys}
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
                  <Status status={value.works} tone="good" />
                ) : (
                  <>
                    <Status status={value.revoked} /> <Time at={at} />
                  </>
                ),
            },
            "created_at",
            "last_used_at",
            {
              label: "actions",
              class: "key-actions",
              show: (key) => (key.revoked_at === null ? keyActions(key, disabled) : null),
            },
          ])}
        />
      </Actions>
    </Section>
  );
}
