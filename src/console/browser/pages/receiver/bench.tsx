import { useSignal } from "@preact/signals";
import { shellWord } from "../../../../kernel/shell.js";
import { checkSignature, type Verdict } from "../../../../kernel/webhook-signature.js";
import { canSign, hmacHex } from "../../api/digest.js";
import { Field, type FieldSpec } from "../../parts/fields.js";
import { Code } from "../../parts/json.js";
import { Section } from "../../parts/page.js";
import { language, texts } from "../../state/language.js";
import { verdictText } from "../../words/service-texts.js";

const words = texts("receiver");

const fields = (): FieldSpec[] => [
  { name: "header", label: words.value.header },
  { name: "secret", label: words.value.bench_secret },
  { name: "body", label: words.value.body, kind: "long" },
  { name: "tolerance", label: words.value.tolerance, kind: "number" },
];

const EMPTY = { header: "", secret: "", body: "", tolerance: "300" };

/** The command that checks the same. The secret is a variable in it, because shells keep their lines. */
function commandFor({ header, tolerance }: typeof EMPTY): string {
  return `qa-pay webhooks verify body.json --secret "$SECRET" --signature ${shellWord(header)} --tolerance ${Number(tolerance)}s`;
}

/** Checks a signature in the browser, as `qa-pay webhooks verify` does. */
export function Bench() {
  const values = useSignal(EMPTY);
  const verdict = useSignal<Verdict | "needed" | null>(null);
  const verify = async () => {
    const { header, secret, body, tolerance } = values.value;
    if (header === "" || secret === "" || body === "") {
      verdict.value = "needed";
      return;
    }
    const allowed = { ms: Number(tolerance) * 1_000, written: `${tolerance} seconds` };
    verdict.value = await checkSignature({ header, secret, body, now: Date.now(), tolerance: allowed }, hmacHex);
  };
  const shown = verdict.value;
  const isGood = shown !== null && shown !== "needed" && shown.code === "valid";
  if (!canSign) return <p class="hint">{words.value.no_crypto}</p>;
  return (
    <Section title={words.value.bench}>
      <p class="hint">{words.value.bench_text}</p>
      <form
        class="bench stack"
        onSubmit={(event) => {
          event.preventDefault();
          void verify();
        }}
      >
        {fields().map((spec) => (
          <Field
            key={spec.name}
            spec={spec}
            text={values.value[spec.name as keyof typeof EMPTY]}
            problem={null}
            onText={(text) => {
              values.value = { ...values.value, [spec.name]: text };
              verdict.value = null;
            }}
          />
        ))}
        <div>
          <button type="submit" class="main">
            {words.value.verify}
          </button>
        </div>
      </form>
      <output class={isGood ? "outcome" : "outcome outcome-bad"}>
        {shown === "needed" ? words.value.needed : null}
        {shown === null || shown === "needed" ? null : verdictText(shown, language.value)}
      </output>
      {shown === null || shown === "needed" ? null : <Code label={words.value.same} text={commandFor(values.value)} />}
    </Section>
  );
}
