import { useLocation } from "preact-iso/router";
import { isSettled, useCall } from "../../api/use-call.js";
import { Field } from "../../parts/fields.js";
import { useAddressWith } from "../../parts/list-address.js";
import { Page, Section, Show } from "../../parts/page.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { Bench } from "./bench.js";
import { ReceiverCheck } from "./check.js";

const words = texts("receiver");

/** "Is my receiver ready?" for any endpoint or address, and the signature bench. */
export function Receiver() {
  const { query, route } = useLocation();
  const address = useAddressWith();
  const read = useCall("webhooks.endpoints.list", {}).state.value;
  const endpoints = read.data?.data ?? [];
  const chosen = endpoints.find(({ id }) => id === query.endpoint) ?? endpoints[0] ?? null;
  return (
    <Page title={menuWords.value.receiver} command={{ id: "webhooks.endpoints.list", input: {} }}>
      <Show of={read}>
        {() => (
          <Section title={words.value.check}>
            {chosen === null ? (
              <p>{words.value.endpoint_needed}</p>
            ) : (
              <Field
                spec={{
                  name: "endpoint",
                  label: terms.value.endpoint,
                  kind: "choice",
                  required: true,
                  choices: endpoints.map(({ id, url }) => ({ value: id, words: url })),
                }}
                text={chosen.id}
                problem={null}
                onText={(endpoint) => route(address({ endpoint }), true)}
              />
            )}
            <ReceiverCheck key={chosen?.id} endpoint={chosen?.id ?? null} />
          </Section>
        )}
      </Show>
      {isSettled(read) ? <Bench /> : null}
    </Page>
  );
}
