import { Code } from "../../parts/json.js";
import { Facts, Section } from "../../parts/page.js";
import { texts } from "../../state/language.js";

const words = texts("settings");

/** What a coding agent needs to work with this server. The prompt has no key: the agent takes it from the environment. */
function promptFor(origin: string): string {
  return [
    `A local emulator of a payments service (Pix, Brazil), qa-pay, runs at ${origin}. No real money moves.`,
    `- Its OpenAPI document, with every route, field and error: ${origin}/openapi.json`,
    `- Its readable reference: ${origin}/docs`,
    "- Send the API key of the environment variable QA_PAY_API_KEY in the header `apikey`. Never print or store it.",
    "- Amounts are integers in centavos. A POST that creates something needs a new `Idempotency-Key` header.",
    "- Routes below /_sandbox play the payer, the banks and the clock: pay a charge with POST /_sandbox/charges/{id}/pay, let time pass with POST /_sandbox/clock/advance, see what happened with GET /_sandbox/timeline/{id}.",
    "- The command `qa-pay` does the same: `qa-pay --help`, `qa-pay sandbox --help`, `--json` for answers that programs read.",
    "Verify what you build against this server: the signature of each webhook, repeated and late deliveries, and refusals.",
  ].join("\n");
}

export function Agent() {
  const { value } = words;
  const origin = location.origin;
  return (
    <Section title={value.agent}>
      <p class="hint">{value.agent_about}</p>
      <Facts
        of={[
          [
            value.openapi,
            <a href={`${origin}/openapi.json`} target="_blank" rel="noopener">
              {origin}/openapi.json
            </a>,
          ],
        ]}
      />
      <Code label={value.prompt} text={promptFor(origin)} />
    </Section>
  );
}
