import type { Signal } from "@preact/signals";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { LANGUAGES, languageName } from "../../../../../base/kernel/language.js";
import { fill } from "../../../../../base/kernel/message.js";
import { byName, namesOf } from "../../../../../base/kernel/names.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { Code } from "../../parts/json.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Toggles } from "../../parts/toggles.js";
import { allowSingleKeys, singleKeys } from "../../shell/keyboard.js";
import { menuWords } from "../../shell/menu.js";
import { chooseLanguage, language, terms, texts } from "../../state/language.js";
import { density, theme } from "../../state/looks.js";
import { sizeText } from "../../words/size.js";
import { duration, longTime } from "../../words/time.js";

/** The flags of this server, its software, and the looks of the console. */

const words = texts("settings");

/** Choices about the page itself. This browser keeps them. */

interface ChoiceProps<Choice extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Choice, string>>;
  readonly chosen: Signal<Choice>;
  readonly choose: (choice: Choice) => void;
}

function Choices<Choice extends string>({ label, names, chosen, choose }: ChoiceProps<Choice>) {
  return (
    <Toggles
      of={namesOf(names).map((name) => ({ name, words: names[name], isOn: name === chosen.value }))}
      onPress={choose}
    >
      <legend>{label}</legend>
    </Toggles>
  );
}

const languageNames = byName(LANGUAGES, languageName);

function Appearance() {
  return (
    <Section title={words.value.appearance}>
      <Choices label={words.value.language} names={languageNames} chosen={language} choose={chooseLanguage} />
      <Choices label={words.value.theme} names={words.value.themes} {...theme} />
      <Choices label={words.value.density} names={words.value.densities} {...density} />
      <label class="choice">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={({ currentTarget }) => allowSingleKeys(currentTarget.checked)}
        />{" "}
        {words.value.single_keys}
      </label>
      <p class="hint">{words.value.single_keys_about}</p>
    </Section>
  );
}

type Settings = OperationAnswer<"sandbox.settings">;

/** A value of a flag as a person writes it. */
const flagText = (value: Settings["flags"][number]["value"]) => (value === null ? "—" : String(value));

function factsOf(settings: Settings) {
  const { started_at, database, memory, rate_limit: limit } = settings;
  const started = Date.parse(started_at);
  const size = (bytes: number) => sizeText(bytes, language.value);
  return [
    [words.value.version, `qa-pay ${settings.version}, Node ${settings.node_version}`],
    [words.value.address, settings.url],
    [words.value.started, longTime(started, language.value)],
    [words.value.uptime, duration(Date.now() - started)],
    [words.value.process, `pid ${settings.pid}, ${size(memory.rss_bytes)} RSS, ${size(memory.heap_bytes)} heap`],
    [words.value.database, <code>{database.file}</code>],
    [words.value.size, `${size(database.bytes)}, ${database.driver}`],
    [words.value.rate_limit, limit === null ? terms.value.none : fill(words.value.a_minute, { count: limit })],
    [words.value.previews, settings.previews.join(", ")],
  ] as const;
}

type Flag = Settings["flags"][number];

function FlagTable({ flags }: { flags: readonly Flag[] }) {
  return (
    <Table
      label={words.value.flags}
      rows={flags}
      keyOf={({ flag }) => flag}
      columns={[
        { head: words.value.flag, cell: ({ flag }) => <code class="nowrap">{flag}</code> },
        { head: words.value.in_effect, cell: ({ value }) => flagText(value) },
        { head: words.value.by_default, cell: ({ default: usual }) => flagText(usual), class: "hint", isExtra: true },
      ]}
    />
  );
}

/** The flags that differ from their defaults; the others are folded. */
function Flags({ flags }: { flags: readonly Flag[] }) {
  const isUsual = ({ value, default: usual }: Flag) => value === usual;
  const changed = flags.filter((flag) => !isUsual(flag));
  const usual = flags.filter(isUsual);
  return (
    <>
      {changed.length === 0 ? <p>{words.value.changed_none}</p> : <FlagTable flags={changed} />}
      <details>
        <summary>{fill(words.value.at_default, { count: usual.length })}</summary>
        <FlagTable flags={usual} />
      </details>
    </>
  );
}

/** The instructions for a coding agent. They contain no key: the agent reads it from the environment. */
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

function Agent() {
  const { value } = words;
  const { origin } = location;
  const address = `${origin}/openapi.json`;
  const link = (
    <a href={address} target="_blank" rel="noopener">
      {address}
    </a>
  );
  return (
    <Section title={value.agent}>
      <p class="hint">{value.agent_about}</p>
      <Facts of={[[value.openapi, link]]} />
      <Code label={value.prompt} text={promptFor(origin)} />
    </Section>
  );
}

export function Settings() {
  const { state } = useCall("sandbox.settings", {});
  const { value } = words;
  return (
    <Page title={menuWords.value.settings} command={{ id: "sandbox.settings", input: {} }}>
      <div class="stack columns">
        <div class="stack side-column side-first">
          <Appearance />
        </div>
        <div class="stack main-column">
          <Show of={state.value}>
            {(settings) => (
              <>
                <Section title={value.server}>
                  <Facts of={factsOf(settings)} />
                </Section>
                <Section title={value.flags}>
                  <p class="hint">{value.flags_about}</p>
                  <Flags flags={settings.flags} />
                </Section>
              </>
            )}
          </Show>
          {isSettled(state.value) ? <Agent /> : null}
        </div>
      </div>
    </Page>
  );
}
