import { Empty } from "../../parts/empty.js";
import { Code } from "../../parts/json.js";
import { withBook } from "../../state/book.js";
import { texts } from "../../state/language.js";
import { RECEIVER_SCRIPT } from "../../words/receiver-script.js";

const words = texts("deliveries");
const emptyWords = texts("empty");

const TARGET = "http://127.0.0.1:3000/webhooks";

/** In place of an empty list. Without an endpoint it is a whole receiver, ready to copy. */
export function FirstReceiver({ hasEndpoint }: { hasEndpoint: boolean }) {
  if (hasEndpoint) {
    return <Empty text={emptyWords.value.deliveries} command="qa-pay charges create --amount 1990" />;
  }
  return (
    <Empty text={words.value.no_endpoint}>
      <Code label={words.value.receiver} text={RECEIVER_SCRIPT} />
      <Code label={words.value.start_service} text={`qa-pay serve --forward-to ${TARGET}`} />
      <Code label={words.value.start_receiver} text='QA_PAY_WEBHOOK_SECRET="…" node receiver.mjs' />
      <p>
        {words.value.or_add} <a href={withBook("/console/endpoints")}>{words.value.add}</a>
      </p>
    </Empty>
  );
}
