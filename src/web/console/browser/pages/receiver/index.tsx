import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { checkSignature } from "../../../../../base/kernel/check-signature.js";
import { shellWord } from "../../../../../base/kernel/shell.js";
import type { Verdict } from "../../../../../base/kernel/webhook-signature.js";
import { canSign, hmacHex } from "../../api/digest.js";
import { useCall } from "../../api/use-call.js";
import type { FieldSpec, Values } from "../../parts/field-values.js";
import { Field } from "../../parts/fields.js";
import { FormFields, useForm } from "../../parts/form.js";
import { Code } from "../../parts/json.js";
import { useAddressWith } from "../../parts/list-address.js";
import { Page, Section, Show } from "../../parts/page.js";
import { menuWords } from "../../shell/menu.js";
import { language, terms, texts } from "../../state/language.js";
import { withoutScheme } from "../../words/delivery-facts.js";
import { verdictText } from "../../words/service-texts.js";
import { EndpointViews } from "../endpoints/views.js";
import { ReceiverCheck } from "./check.js";

const words = texts("receiver");

const fields = (): FieldSpec[] => [
  { name: "header", label: words.value.header, required: true },
  { name: "secret", label: words.value.bench_secret, required: true },
  { name: "body", label: words.value.body, kind: "long", required: true },
  { name: "tolerance", label: words.value.tolerance, kind: "number", required: true, value: "300" },
];

/** The command of the same check. The secret is a variable in it, because shells keep their history. */
const commandFor = ({ header = "", tolerance }: Values) =>
  `qa-pay webhooks verify body.json --secret "$SECRET" --signature ${shellWord(header)} --tolerance ${Number(tolerance)}s`;

/** Checks a signature in the browser, as `qa-pay webhooks verify` does. */
function Bench() {
  const form = useForm(fields());
  const verdict = useSignal<Verdict | null>(null);
  const { header = "", secret = "", body = "", tolerance } = form.values;
  const verify = async () => {
    const allowed = { ms: Number(tolerance) * 1_000, written: `${tolerance} seconds` };
    verdict.value = await checkSignature({ header, secret, body, now: Date.now(), tolerance: allowed }, hmacHex);
  };
  const write = (name: string, text: string) => {
    form.write(name, text);
    verdict.value = null;
  };
  const shown = verdict.value;
  if (!canSign) return <p class="hint">{words.value.no_crypto}</p>;
  return (
    <Section title={words.value.bench}>
      <p class="hint">{words.value.bench_text}</p>
      <div class="two-sides">
        <form
          ref={form.place}
          noValidate
          class="bench stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (form.check()) void verify();
          }}
        >
          <FormFields fields={fields()} form={{ ...form, write }} />
          <div>
            <button type="submit" class="main">
              {words.value.verify}
            </button>
          </div>
        </form>
        <div class="stack">
          <output class={shown?.code === "valid" ? "outcome" : "outcome outcome-bad"}>
            {shown === null ? null : verdictText(shown, language.value)}
          </output>
          {shown === null ? null : <Code label={words.value.same} text={commandFor(form.values)} />}
        </div>
      </div>
    </Section>
  );
}

/** "Is my receiver ready?" for any endpoint or address. */
export function CheckPage() {
  const { query, route } = useLocation();
  const address = useAddressWith();
  const read = useCall("webhooks.endpoints.list", {}).state.value;
  const endpoints = read.data?.data ?? [];
  const chosen = endpoints.find(({ id }) => id === query.endpoint) ?? endpoints[0] ?? null;
  return (
    <Page
      title={menuWords.value.endpoints}
      views={<EndpointViews open="check" />}
      command={{ id: "webhooks.endpoints.list", input: {} }}
    >
      <Show of={read}>
        {() => (
          <Section title={words.value.check}>
            {chosen === null ? <p>{words.value.endpoint_needed}</p> : null}
            {chosen !== null && endpoints.length === 1 ? (
              <p>
                <code>{chosen.url}</code>
              </p>
            ) : null}
            {chosen === null || endpoints.length === 1 ? null : (
              <div class="chosen-endpoint">
                <Field
                  spec={{
                    name: "endpoint",
                    label: terms.value.endpoint,
                    kind: "choice",
                    required: true,
                    choices: endpoints.map(({ id, url }) => ({ value: id, words: withoutScheme(url) })),
                  }}
                  text={chosen.id}
                  problem={null}
                  onText={(endpoint) => route(address({ endpoint }), true)}
                />
              </div>
            )}
            <ReceiverCheck key={chosen?.id} endpoint={chosen?.id ?? null} />
          </Section>
        )}
      </Show>
    </Page>
  );
}

/** The bench of any signature, also of one that this service did not make. */
export function BenchPage() {
  return (
    <Page
      title={menuWords.value.endpoints}
      views={<EndpointViews open="bench" />}
      command={{ id: "webhooks.endpoints.list", input: {} }}
    >
      <Bench />
    </Page>
  );
}
