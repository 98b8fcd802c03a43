import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Section } from "../../parts/page.js";
import { TableFrame } from "../../parts/table-frame.js";
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

function KeyRow({ of: key, disabled }: { of: Key; disabled: string | null }) {
  const { value } = words;
  return (
    <tr>
      <th scope="row">
        <code>{key.fingerprint}</code>
      </th>
      <td>{key.label}</td>
      <td>{key.mode}</td>
      <td>
        {key.revoked_at === null ? (
          <Status status={value.works} tone="good" />
        ) : (
          <>
            <Status status={value.revoked} /> <Time at={key.revoked_at} />
          </>
        )}
      </td>
      <td>
        <Time at={key.created_at} />
      </td>
      <td>{key.last_used_at === null ? "—" : <Time at={key.last_used_at} />}</td>
      <td class="key-actions">{key.revoked_at === null ? <KeyActions of={key} disabled={disabled} /> : null}</td>
    </tr>
  );
}

function KeyTable({ keys, disabled }: KeysProps) {
  const { value } = words;
  const heads = [
    value.fingerprint,
    value.label,
    value.mode,
    value.state,
    terms.value.created,
    value.last_used,
    value.actions,
  ];
  return (
    <TableFrame label={value.keys}>
      <table>
        <caption class="visually-hidden">{value.keys}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} disabled={disabled} />
          ))}
        </tbody>
      </table>
    </TableFrame>
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
