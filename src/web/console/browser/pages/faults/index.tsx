import { fill } from "../../../../../base/kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
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
  changesRules,
  chaosNames,
  chaosSentence,
  isActive,
  type Rule,
  ruleSentence,
} from "./sentences.js";

/** The planned faults: rules for requests to /v1, and chaos of webhooks. */

const words = texts("faults");

/** The effect of the rule in the form, in words; empty when it has none. */
const previewOf = ({ times = null, ...body }: Readonly<Record<string, unknown>>) =>
  body.effect === undefined
    ? ""
    : ruleSentence({ match: {}, probability: 1, ...body, remaining: times } as unknown as Rule, language.value);

function NewRules() {
  const presets = {
    [words.value.lost]: { match: { method: "POST" }, effect: { drop: "after" }, times: 1 },
    [words.value.slow]: { effect: { latency_ms: 5_000 } },
    [words.value.flaky]: { effect: { status: 503 }, probability: 0.2 },
    [words.value.limited]: { effect: { status: 429, retry_after: 3 } },
  } as const;
  const drops = (["before", "after"] as const).map((name) => ({ value: name, words: words.value.drop[name] }));
  const done = () => words.value.added;
  return (
    <Actions label={words.value.presets}>
      {act("sandbox.faults.add", {
        label: words.value.add,
        kind: "main",
        // In the order of the words in the rule's sentence.
        ask: [
          { name: "times", hint: words.value.times_hint },
          { name: "match.method", label: "method", none: shared.value.any },
          { name: "match.path", label: "path", hint: words.value.path_hint },
          { name: "effect.status", label: "status", hint: words.value.status_hint },
          ...folded<"sandbox.faults.add">(terms.value.more, [
            { name: "effect.latency_ms", hint: words.value.latency_hint },
            { name: "probability", hint: words.value.probability_hint },
            { name: "effect.drop", choices: drops },
            { name: "effect.retry_after", hint: words.value.retry_hint },
          ]),
        ],
        preview: previewOf,
        done,
      })}
      {Object.entries(presets).map(([label, body]) => act("sandbox.faults.add", { label, body, done }))}
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
      {act("sandbox.faults.remove", {
        label: words.value.remove,
        kind: "small",
        params: { id },
        done: () => words.value.removed,
      })}
    </li>
  );
}

/** A kind of chaos as a sentence with a switch. An inactive one describes the effect of its switch. */
function ChaosItem({ name, value }: { name: ChaosName; value: number }) {
  const isOn = value > 0;
  const usual = name === "delay_ms" ? 5_000 : 0.2;
  const hint = name === "delay_ms" ? words.value.delay_hint : words.value.probability_hint;
  return (
    <li class="rule chaos">
      {act("sandbox.chaos", { label: name, isOn, body: { [name]: isOn ? 0 : usual } })}
      <span class={isOn ? undefined : "hint"}>
        {chaosSentence(name, isOn ? value : usual, language.value)} <code>{name}</code>
      </span>
      {act("sandbox.chaos", {
        label: words.value.change,
        title: name,
        kind: "small",
        ask: [{ name, label: "value", kind: "number", required: true, hint, value: String(isOn ? value : usual) }],
      })}
    </li>
  );
}

export function Faults() {
  const rules = useCall("sandbox.faults.list", {}, { on: changesRules }).state.value;
  const chaos = useCall("sandbox.chaos.get", {}, { on: ["chaos"] }).state.value;
  return (
    <Page title={menuWords.value.faults} command={{ id: "sandbox.faults.list", input: {} }}>
      <Section title={words.value.rules}>
        <NewRules />
        <Show of={rules}>
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
      <Section title={words.value.chaos}>
        <Show of={chaos}>
          {(settings) => (
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
    </Page>
  );
}
