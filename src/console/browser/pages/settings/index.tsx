import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { Code } from "../../parts/json.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { menuWords } from "../../shell/menu.js";
import { language, terms, texts } from "../../state/language.js";
import { sizeText } from "../../words/size.js";
import { duration, longTime } from "../../words/time.js";
import { Appearance } from "./appearance.js";

/** How this server was started, what it runs on, and how the console looks. */

const words = texts("settings");

type Settings = OperationAnswer<"sandbox.settings">;

/** A value of a flag as a person writes it. */
const flagText = (value: Settings["flags"][number]["value"]) => (value === null ? "—" : String(value));

function factsOf(settings: Settings) {
  const { value } = words;
  const { started_at, database, memory, rate_limit: limit } = settings;
  const started = Date.parse(started_at);
  const size = (bytes: number) => sizeText(bytes, language.value);
  return [
    [value.version, `qa-pay ${settings.version}, Node ${settings.node_version}`],
    [value.address, settings.url],
    [value.started, longTime(started, language.value)],
    [value.uptime, duration(Date.now() - started)],
    [value.process, `pid ${settings.pid}, ${size(memory.rss_bytes)} RSS, ${size(memory.heap_bytes)} heap`],
    [value.database, <code>{database.file}</code>],
    [value.size, `${size(database.bytes)}, ${database.driver}`],
    [value.rate_limit, limit === null ? terms.value.none : fill(value.a_minute, { count: limit })],
    [value.previews, settings.previews.join(", ")],
  ] as const;
}

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

export function Settings() {
  const { state } = useCall("sandbox.settings", {});
  const { value } = words;
  const { origin } = location;
  return (
    <Page title={menuWords.value.settings} command={{ id: "sandbox.settings", input: {} }}>
      <Appearance />
      <Section title={value.server}>
        <Show of={state.value}>{(settings) => <Facts of={factsOf(settings)} />}</Show>
      </Section>
      <Section title={value.flags}>
        <p class="hint">{value.flags_about}</p>
        <Show of={state.value}>
          {({ flags }) => (
            <Table
              label={value.flags}
              rows={flags}
              keyOf={({ flag }) => flag}
              columns={[
                { head: value.flag, cell: ({ flag }) => <code>{flag}</code> },
                {
                  head: value.in_effect,
                  cell: ({ value: now, default: usual }) =>
                    now === usual ? flagText(now) : <strong>{flagText(now)}</strong>,
                },
                { head: value.by_default, cell: ({ default: usual }) => flagText(usual), class: "hint" },
              ]}
            />
          )}
        </Show>
      </Section>
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
    </Page>
  );
}
