import { fill } from "../../../../kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { AnswerMark } from "../../parts/attempt-error.js";
import { codeName } from "../../parts/codes.js";
import type { Move } from "../../parts/moves.js";
import { IdText } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { withBook } from "../../state/book.js";
import { now } from "../../state/clock.js";
import { texts } from "../../state/language.js";
import type { Delivery } from "./types.js";

const words = texts("deliveries");

/** The new delivery of an event that was sent again, with the answer as soon as it is there. */
function Resent({ id }: { id: string }) {
  const { state } = useCall(
    "sandbox.deliveries.get",
    { params: { id } },
    { on: ({ kind, data }) => kind === "attempt" && data.id === id },
  );
  const last = state.value.data?.attempts_log.at(-1);
  return (
    <>
      {words.value.resent}{" "}
      <a href={withBook(`/console/deliveries/${id}`)}>
        <IdText id={id} />
      </a>{" "}
      {last === undefined ? null : <AnswerMark status={last.response?.status ?? null} of={last} />}
    </>
  );
}

/** Why the clock cannot go to the next attempt; null when it can. */
function noJump({ status, nextRetryAt }: Delivery): string | null {
  if (nextRetryAt === null) return fill(words.value.no_next, { status: codeName(status) });
  return now.value !== null && Date.parse(nextRetryAt) < now.value ? words.value.waits_for_endpoint : null;
}

export function deliveryActions(delivery: Delivery): readonly Move[] {
  const params = { id: delivery.id };
  const done = ({ id }: { readonly id: string }) => <Resent id={id} />;
  return [
    act("sandbox.deliveries.resend", { label: words.value.resend, kind: "main", params, body: {}, done }),
    act("sandbox.deliveries.resend", {
      label: words.value.resend_elsewhere,
      text: words.value.elsewhere_text,
      params,
      ask: [{ name: "url", required: true, value: "http://127.0.0.1:3000/webhooks" }],
      done,
    }),
    act("sandbox.clock.advance", {
      label: words.value.jump,
      disabled: noJump(delivery),
      body: { to: delivery.nextRetryAt ?? undefined },
      done: ({ ran_count }) => fill(words.value.jumped, { count: ran_count }),
    }),
  ];
}
