import { fill } from "../../../../kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { Action, Actions } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { Page, Section, Show } from "../../parts/page.js";
import { IdText } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { act } from "../../resource/act.js";
import { folded } from "../../resource/form-fields.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { language, terms, texts } from "../../state/language.js";
import {
  type ChaosName,
  type ChaosSettings,
  changesRules,
  chaosNames,
  chaosSentence,
  isActive,
  type Rule,
  ruleSentence,
} from "./sentences.js";

/** What goes wrong on purpose: rules for requests to /v1, and chaos of webhooks. */

const words = texts("faults");

/** What the form of a rule will do, in words; empty while it does nothing. */
const previewOf = ({ times = null, ...body }: Readonly<Record<string, unknown>>) =>
  body.effect === undefined
    ? ""
    : ruleSentence({ match: {}, probability: 1, ...body, remaining: times } as unknown as Rule, language.value);

function NewRules() {
  const { value } = words;
  const presets = [
    { label: value.lost, body: { match: { method: "POST" }, effect: { drop: "after" }, times: 1 } },
    { label: value.slow, body: { effect: { latency_ms: 5_000 } } },
    { label: value.flaky, body: { effect: { status: 503 }, probability: 0.2 } },
    { label: value.limited, body: { effect: { status: 429, retry_after: 3 } } },
  ] as const;
  const drops = (["before", "after"] as const).map((name) => ({ value: name, words: value.drop[name] }));
  const done = () => value.added;
  return (
    <Actions label={value.presets}>
      {act("sandbox.faults.add", {
        label: value.add,
        kind: "main",
        // In the order of the sentence that they make.
        ask: [
          { name: "times", hint: value.times_hint },
          { name: "match.method", label: "method", none: shared.value.any },
          { name: "match.path", label: "path", hint: value.path_hint },
          { name: "effect.status", label: "status", hint: value.status_hint },
          ...folded<"sandbox.faults.add">(terms.value.more, [
            { name: "effect.latency_ms", hint: value.latency_hint },
            { name: "probability", hint: value.probability_hint },
            { name: "effect.drop", choices: drops },
            { name: "effect.retry_after", hint: value.retry_hint },
          ]),
        ],
        preview: previewOf,
        done,
      })}
      {presets.map(({ label, body }) => act("sandbox.faults.add", { label, body, done }))}
    </Actions>
  );
}

function RuleItem({ rule }: { rule: Rule }) {
  const { id, applied, remaining } = rule;
  return (
    <li class="rule">
      <div>
        <strong class={isActive(rule) ? undefined : "hint"}>{ruleSentence(rule, language.value)}</strong>
        <p class="hint">
          <a href={withBook(`/console/requests?q=${encodeURIComponent(id)}`)}>
            {fill(words.value.applied, { count: applied })}
          </a>
          {remaining === null ? null : ` · ${fill(words.value.left, { count: remaining })}`} · <IdText id={id} />
        </p>
      </div>
      <Action
        id="sandbox.faults.remove"
        label={words.value.remove}
        kind="small"
        input={{ params: { id } }}
        done={() => words.value.removed}
      />
    </li>
  );
}

function Rules() {
  const { state } = useCall("sandbox.faults.list", {}, { on: changesRules });
  return (
    <Section title={words.value.rules}>
      <NewRules />
      <Show of={state.value}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text={words.value.empty} command="qa-pay sandbox faults add --effect-status 503 --times 1" />
          ) : (
            <Actions label={words.value.rules}>
              <ul class="plain rules">
                {data.map((rule) => (
                  <RuleItem key={rule.id} rule={rule} />
                ))}
              </ul>
            </Actions>
          )
        }
      </Show>
    </Section>
  );
}

/** A kind of chaos as a sentence with a switch. What is off says what its switch turns on. */
function ChaosItem({ name, value }: { name: ChaosName; value: number }) {
  const isOn = value > 0;
  const usual = name === "delay_ms" ? 5_000 : 0.2;
  const hint = name === "delay_ms" ? words.value.delay_hint : words.value.probability_hint;
  const chaos = (label: string, spec: Partial<Parameters<typeof act<"sandbox.chaos">>[1]>) =>
    act("sandbox.chaos", { label, ...spec });
  return (
    <li class="rule chaos">
      {chaos(name, { isOn, body: { [name]: isOn ? 0 : usual } })}
      <span class={isOn ? undefined : "hint"}>
        {chaosSentence(name, isOn ? value : usual, language.value)} <code>{name}</code>
      </span>
      {chaos(words.value.change, {
        title: name,
        kind: "small",
        ask: [{ name, label: "value", kind: "number", required: true, hint, value: String(isOn ? value : usual) }],
      })}
    </li>
  );
}

function Chaos() {
  const { state } = useCall("sandbox.chaos.get", {}, { on: ["chaos"] });
  return (
    <Section title={words.value.chaos}>
      <Show of={state.value}>
        {(settings: ChaosSettings) => (
          <Actions label={words.value.chaos}>
            <ul class="plain rules">
              {chaosNames(language.value).map((name) => (
                <ChaosItem key={name} name={name} value={settings[name]} />
              ))}
            </ul>
          </Actions>
        )}
      </Show>
    </Section>
  );
}

export function Faults() {
  return (
    <Page title={menuWords.value.faults} command={{ id: "sandbox.faults.list", input: {} }}>
      <Rules />
      <Chaos />
    </Page>
  );
}
