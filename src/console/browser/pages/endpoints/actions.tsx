import type { OperationAnswer } from "../../../../client/types.js";
import { EVENT_NAMES } from "../../../../features/webhooks/catalogue.js";
import { fill } from "../../../../kernel/message.js";
import { Action, Actions, FormAction } from "../../parts/action.js";
import { Copy } from "../../parts/copy.js";
import { type FieldSpec, fieldValue } from "../../parts/fields.js";
import { terms, texts } from "../../state/language.js";

const words = texts("endpoints");

export type Endpoint = OperationAnswer<"webhooks.endpoints.list">["data"][number];

/** A secret that an answer shows, with a button that copies it. */
function Secret({ label, secret }: { label: string; secret: string }) {
  return (
    <>
      {label} <code>{secret}</code> <Copy text={secret} />
    </>
  );
}

function eventsField(value: readonly string[]): FieldSpec {
  return {
    name: "events",
    label: words.value.events,
    kind: "list",
    required: true,
    value: value.join(","),
    choices: EVENT_NAMES,
  };
}

const urlField = (value: string): FieldSpec => ({ name: "url", label: terms.value.url, required: true, value });

/** The events that a new integration needs first. */
const FIRST_EVENTS = ["charge.paid", "charge.expired", "charge.failed"];

export function AddEndpoint() {
  return (
    <FormAction
      id="webhooks.endpoints.create"
      label={words.value.add}
      kind="main"
      text={words.value.add_text}
      fields={[urlField("http://127.0.0.1:3000/webhooks"), eventsField(FIRST_EVENTS)]}
      input={({ url, events = "" }) => ({ body: { url, events: fieldValue(eventsField([]), events) } })}
      done={({ secret }) => <Secret label={words.value.added} secret={secret} />}
    />
  );
}

interface EndpointProps {
  readonly of: Endpoint;
  readonly onChange: () => void;
}

function ChangeActions({ of, onChange }: EndpointProps) {
  const { id, url, events } = of;
  const params = { id };
  const done = () => {
    onChange();
    return "✓";
  };
  return (
    <>
      <FormAction
        id="webhooks.endpoints.update"
        label={words.value.change_events}
        fields={[eventsField(events)]}
        input={(values) => ({ params, body: { events: fieldValue(eventsField([]), values.events ?? "") } })}
        done={done}
      />
      <FormAction
        id="webhooks.endpoints.update"
        label={words.value.change_url}
        fields={[urlField(url)]}
        input={(values) => ({ params, body: { url: values.url } })}
        done={done}
      />
      {of.status === "ACTIVE" ? (
        <FormAction
          id="webhooks.endpoints.update"
          label={words.value.pause}
          text={words.value.pause_text}
          fields={[]}
          input={() => ({ params, body: { status: "INACTIVE" } })}
          done={done}
        />
      ) : (
        <Action
          id="webhooks.endpoints.update"
          label={words.value.activate}
          input={{ params, body: { status: "ACTIVE" } }}
          done={done}
        />
      )}
    </>
  );
}

export function EndpointActions({ of, onChange }: EndpointProps) {
  const params = { id: of.id };
  return (
    <Actions>
      <Action
        id="sandbox.endpoints.reveal"
        label={words.value.reveal}
        input={{ params }}
        done={({ secret }) => <Secret label={`${words.value.secret}:`} secret={secret} />}
      />
      <FormAction
        id="webhooks.endpoints.rotate-secret"
        label={words.value.rotate}
        text={words.value.rotate_text}
        fields={[]}
        input={() => ({ params })}
        done={({ secret }) => <Secret label={words.value.rotated} secret={secret} />}
      />
      <ChangeActions of={of} onChange={onChange} />
      <FormAction
        id="webhooks.endpoints.delete"
        label={words.value.delete}
        kind="danger"
        text={fill(words.value.delete_text, { url: of.url })}
        fields={[]}
        input={() => ({ params })}
        done={() => {
          onChange();
          return words.value.deleted;
        }}
      />
    </Actions>
  );
}
