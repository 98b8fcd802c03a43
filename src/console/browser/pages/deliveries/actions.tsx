import { Action, Actions, FormAction } from "../../parts/action.js";
import { IdText } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { now } from "../../state/clock.js";
import type { Delivery } from "./types.js";
import { words } from "./words.js";

function Resent({ id }: { id: string }) {
  return (
    <>
      {words.value.resent}{" "}
      <a href={withBook(`/console/deliveries/${id}`)}>
        <IdText id={id} />
      </a>
    </>
  );
}

/** Why the clock cannot go to the next attempt; null when it can. */
function noJump({ status, nextRetryAt }: Delivery): string | null {
  if (nextRetryAt === null) return words.value.no_next(status);
  return now.value !== null && Date.parse(nextRetryAt) < now.value ? words.value.waits_for_endpoint : null;
}

export function DeliveryActions({ of }: { of: Delivery }) {
  const params = { id: of.id };
  return (
    <Actions>
      <Action
        id="sandbox.deliveries.resend"
        label={words.value.resend}
        kind="main"
        input={{ params, body: {} }}
        done={({ id }) => <Resent id={id} />}
      />
      <FormAction
        id="sandbox.deliveries.resend"
        label={words.value.resend_elsewhere}
        text={words.value.elsewhere_text}
        fields={[{ name: "url", label: words.value.url, required: true, value: "http://127.0.0.1:3000/webhooks" }]}
        input={({ url }) => ({ params, body: { url } })}
        done={({ id }) => <Resent id={id} />}
      />
      <Action
        id="sandbox.clock.advance"
        label={words.value.jump}
        disabled={noJump(of)}
        input={{ body: { to: of.nextRetryAt ?? undefined } }}
        done={({ ran_count }) => words.value.jumped(ran_count)}
      />
    </Actions>
  );
}
