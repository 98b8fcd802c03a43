import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { Copy } from "../../parts/copy.js";
import { MoreActions } from "../../parts/more-actions.js";
import type { Move } from "../../parts/moves.js";
import { act } from "../../resource/act.js";
import { texts } from "../../state/language.js";
import { RECEIVER_EVENTS, RECEIVER_URL } from "../../words/usual-receiver.js";

const words = texts("endpoints");

export type Endpoint = OperationAnswer<"webhooks.endpoints.list">["data"][number];

/** A secret that an answer shows, with a button that copies it. */
const secretIn =
  (label: string) =>
  ({ secret }: { readonly secret: string }) => (
    <>
      {label} <code>{secret}</code> <Copy text={secret} />
    </>
  );

/** Adds an endpoint with the events that a new integration needs first. */
export const addEndpoint = () =>
  act("webhooks.endpoints.create", {
    label: words.value.add,
    kind: "main",
    text: words.value.add_text,
    ask: [
      { name: "url", value: RECEIVER_URL },
      { name: "events", value: RECEIVER_EVENTS.join(",") },
    ],
    done: secretIn(words.value.added),
  });

/** The most needed actions are in the head of the page, the rest behind one button. */
export function endpointActions({ id, url, events, status }: Endpoint, again: () => void): readonly Move[] {
  const params = { id };
  const change = (spec: Parameters<typeof act<"webhooks.endpoints.update">>[1]) =>
    act("webhooks.endpoints.update", {
      params,
      done: () => {
        again();
        return "✓";
      },
      ...spec,
    });
  const more = [
    act("webhooks.endpoints.rotate-secret", {
      label: words.value.rotate,
      params,
      text: words.value.rotate_text,
      done: secretIn(words.value.rotated),
    }),
    change({ label: words.value.change_events, ask: [{ name: "events", required: true, value: events.join(",") }] }),
    change({ label: words.value.change_url, ask: [{ name: "url", required: true, value: url }] }),
    act("webhooks.endpoints.delete", {
      label: words.value.delete,
      kind: "danger",
      params,
      text: fill(words.value.delete_text, { url }),
      done: () => {
        again();
        return words.value.deleted;
      },
    }),
  ];
  return [
    act("sandbox.endpoints.reveal", { label: words.value.reveal, params, done: secretIn(`${words.value.secret}:`) }),
    status === "ACTIVE"
      ? change({ label: words.value.pause, text: words.value.pause_text, body: { status: "INACTIVE" } })
      : change({ label: words.value.activate, kind: "main", body: { status: "ACTIVE" } }),
    <MoreActions key="more" label="" of={more} />,
  ];
}
