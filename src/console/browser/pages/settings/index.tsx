import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { menuWords } from "../../shell/menu.js";
import { language, terms, texts } from "../../state/language.js";
import { sizeText } from "../../words/size.js";
import { duration, longTime } from "../../words/time.js";
import { Agent } from "./agent.js";
import { Appearance } from "./appearance.js";

/** How this server was started, what it runs on, and how the console looks. */

const words = texts("settings");

type Settings = OperationAnswer<"sandbox.settings">;
type Flag = Settings["flags"][number];

/** A value of a flag as a person writes it. */
function flagText(value: Flag["value"]): string {
  return value === null ? "—" : String(value);
}

function Flags({ flags }: Pick<Settings, "flags">) {
  const { value } = words;
  return (
    <Table
      label={value.flags}
      rows={flags}
      keyOf={({ flag }) => flag}
      columns={[
        { head: value.flag, cell: ({ flag }) => <code>{flag}</code> },
        {
          head: value.in_effect,
          cell: ({ value: now, default: usual }) => (now === usual ? flagText(now) : <strong>{flagText(now)}</strong>),
        },
        { head: value.by_default, cell: ({ default: usual }) => flagText(usual), class: "hint" },
      ]}
    />
  );
}

function Server({ settings }: { settings: Settings }) {
  const { value } = words;
  const started = Date.parse(settings.started_at);
  const { database, memory, rate_limit: limit } = settings;
  const size = (bytes: number) => sizeText(bytes, language.value);
  return (
    <Facts
      of={[
        [value.version, `qa-pay ${settings.version}, Node ${settings.node_version}`],
        [value.address, settings.url],
        [value.started, longTime(started, language.value)],
        [value.uptime, duration(Date.now() - started)],
        [value.process, `pid ${settings.pid}, ${size(memory.rss_bytes)} RSS, ${size(memory.heap_bytes)} heap`],
        [value.database, <code>{database.file}</code>],
        [value.size, `${size(database.bytes)}, ${database.driver}`],
        [value.rate_limit, limit === null ? terms.value.none : fill(value.a_minute, { count: limit })],
        [value.previews, settings.previews.join(", ")],
      ]}
    />
  );
}

export function Settings() {
  const { state } = useCall("sandbox.settings", {});
  const { value } = words;
  return (
    <Page title={menuWords.value.settings} command={{ id: "sandbox.settings", input: {} }}>
      <Appearance />
      <Section title={value.server}>
        <Show of={state.value}>{(settings) => <Server settings={settings} />}</Show>
      </Section>
      <Section title={value.flags}>
        <p class="hint">{value.flags_about}</p>
        <Show of={state.value}>{({ flags }) => <Flags flags={flags} />}</Show>
      </Section>
      <Agent />
    </Page>
  );
}
