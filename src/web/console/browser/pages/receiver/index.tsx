import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { checkSignature } from "../../../../../base/kernel/check-signature.js";
import { namesOf } from "../../../../../base/kernel/names.js";
import { shellWord } from "../../../../../base/kernel/shell.js";
import { parseSignature, TOLERANCE_SECONDS, type Verdict } from "../../../../../base/kernel/webhook-signature.js";
import { call } from "../../api/call.js";
import { canSign, hmacHex } from "../../api/digest.js";
import { useCall } from "../../api/use-call.js";
import type { FieldSpec, Values } from "../../parts/field-values.js";
import { Field } from "../../parts/fields.js";
import { FormFields, useForm } from "../../parts/form.js";
import { Code } from "../../parts/json.js";
import { useAddressWith } from "../../parts/list-address.js";
import { Page, Section, Show } from "../../parts/page.js";
import { RunButton } from "../../parts/run-button.js";
import { Snippets } from "../../parts/snippets.js";
import { menuWords } from "../../shell/menu.js";
import { language, terms, texts } from "../../state/language.js";
import { withoutScheme } from "../../words/delivery-facts.js";
import { verdictText } from "../../words/service-texts.js";
import { signatureSnippets } from "../../words/signature-snippets.js";
import { headerOf } from "../deliveries/facts.js";
import { Parts } from "../deliveries/signature.js";
import { EndpointViews } from "../endpoints/views.js";
import { ReceiverCheck } from "./check.js";

const words = texts("receiver");
const signatureWords = texts("signature");

const fields = (): FieldSpec[] => [
  { name: "header", label: words.value.header, required: true },
  { name: "body", label: words.value.body, kind: "long", required: true },
  { name: "secret", label: words.value.bench_secret, required: true },
  {
    name: "tolerance",
    label: words.value.tolerance,
    kind: "number",
    required: true,
    value: String(TOLERANCE_SECONDS),
    group: terms.value.more,
  },
];

/** The last webhook that was sent: its header, its body and the secret of its endpoint. Null before the first one. */
async function lastSent(): Promise<Readonly<Record<"header" | "body" | "secret", string>> | null> {
  const { data } = await call("sandbox.deliveries.list", { query: { limit: 50 } });
  const last = data.find(({ attempts, endpointId }) => attempts > 0 && endpointId !== null);
  if (last === undefined) return null;
  const { attempts_log: log, endpointId } = await call("sandbox.deliveries.get", { params: { id: last.id } });
  const { secret } = await call("sandbox.endpoints.reveal", { params: { id: endpointId ?? "" } });
  const attempt = log.at(-1);
  return attempt === undefined ? null : { header: headerOf(attempt), body: attempt.request.body, secret };
}

/** The command of the same check. The secret is a variable in it, because shells keep their history. */
const commandFor = ({ header = "", tolerance }: Values) =>
  `qa-pay webhooks verify body.json --secret "$SECRET" --signature ${shellWord(header)} --tolerance ${Number(tolerance)}s`;

/** The whole body is in its field: its beginning shows where it stands in the signed text. */
const SHOWN = 200;

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
  const fillIn = async () => {
    const last = await lastSent();
    if (last === null) return words.value.none_sent;
    for (const name of namesOf(last)) write(name, last[name]);
    return null;
  };
  const shown = verdict.value;
  const signature = parseSignature(header);
  const { code } = signatureWords.value;
  if (!canSign) return <p class="hint">{words.value.no_crypto}</p>;
  return (
    <div class="two-sides">
      <Section title={words.value.bench}>
        <p class="hint">{words.value.bench_text}</p>
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
          <div class="flow">
            <button type="submit" class="main">
              {words.value.verify}
            </button>
            <RunButton label={words.value.fill_in} run={fillIn} />
          </div>
        </form>
      </Section>
      <div class="stack main-column">
        <output class={shown?.code === "valid" ? "outcome" : "outcome outcome-bad"}>
          {shown === null ? null : verdictText(shown, language.value)}
        </output>
        {signature === null ? null : (
          <Section title={words.value.apart}>
            <Parts signature={signature} body={body.length > SHOWN ? `${body.slice(0, SHOWN)}…` : body} />
            {shown === null ? null : <Code label={words.value.same} text={commandFor(form.values)} />}
          </Section>
        )}
        <Section title={code}>
          <Snippets label={code} of={signatureSnippets(signature?.family ?? "canonical")} />
        </Section>
      </div>
    </div>
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
          <ReceiverCheck key={chosen?.id} endpoint={chosen?.id ?? null} isWhole>
            {chosen === null ? null : (
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
            )}
          </ReceiverCheck>
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
