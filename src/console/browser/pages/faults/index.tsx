import { fill } from "../../../../kernel/message.js";
import { put } from "../../../../kernel/pick.js";
import { useCall } from "../../api/use-call.js";
import { Action, Actions, FormAction } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { type FieldSpec, fieldValue, type Values } from "../../parts/fields.js";
import { Page, Section, Show } from "../../parts/page.js";
import { IdText, Status } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
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

const fieldNames = texts("faults_field");

/** Each is named by the path of its member in the body. */
function ruleFields(): FieldSpec[] {
  const { value: own } = words;
  const { value: names } = fieldNames;
  const drops = [
    { value: "before", words: own.drop_before },
    { value: "after", words: own.drop_after },
  ];
  return [
    { name: "effect.status", label: terms.value.status, kind: "number", hint: own.status_hint },
    {
      name: "match.method",
      label: terms.value.method,
      kind: "choice",
      none: shared.value.any,
      choices: ["GET", "POST", "PATCH", "DELETE"],
    },
    { name: "match.path", label: terms.value.path, hint: own.path_hint },
    { name: "times", label: names.times, kind: "number", hint: own.times_hint },
    { name: "probability", label: own.probability, kind: "number", hint: own.probability_hint },
    { name: "effect.latency_ms", label: own.latency, kind: "number", hint: own.latency_hint },
    { name: "effect.drop", label: own.drop, kind: "choice", choices: drops },
    { name: "effect.retry_after", label: own.retry, kind: "number", hint: own.retry_hint },
  ];
}

function ruleInput(values: Values) {
  const body: Record<string, unknown> = {};
  for (const spec of ruleFields()) {
    const value = fieldValue(spec, values[spec.name] ?? "");
    if (value !== undefined) put(body, spec.name, value);
  }
  return { body };
}

function Presets() {
  const presets = [
    { label: words.value.lost, body: { match: { method: "POST" }, effect: { drop: "after" }, times: 1 } },
    { label: words.value.slow, body: { effect: { latency_ms: 5_000 } } },
    { label: words.value.flaky, body: { effect: { status: 503 }, probability: 0.2 } },
    { label: words.value.limited, body: { effect: { status: 429, retry_after: 3 } } },
  ];
  return (
    <Actions label={words.value.presets}>
      <FormAction
        id="sandbox.faults.add"
        label={words.value.add}
        kind="main"
        fields={ruleFields()}
        input={ruleInput}
        done={() => words.value.added}
      />
      {presets.map(({ label, body }) => (
        <Action key={label} id="sandbox.faults.add" label={label} input={{ body }} done={() => words.value.added} />
      ))}
    </Actions>
  );
}

function RuleItem({ rule }: { rule: Rule }) {
  const { id, applied, remaining } = rule;
  const isOn = isActive(rule);
  return (
    <li class="rule">
      <div>
        <Status status={isOn ? words.value.on : words.value.off} tone={isOn ? "warn" : "plain"} />{" "}
        <strong>{ruleSentence(rule, language.value)}</strong>
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
      <Presets />
      <Show of={state.value}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text={words.value.empty} command="qa-pay sandbox faults add --effect-status 503 --times 1" />
          ) : (
            <ul class="plain rules">
              {data.map((rule) => (
                <RuleItem key={rule.id} rule={rule} />
              ))}
            </ul>
          )
        }
      </Show>
    </Section>
  );
}

function ChaosItem({ name, value }: { name: ChaosName; value: number }) {
  const isDelay = name === "delay_ms";
  const hint = isDelay ? words.value.delay_hint : words.value.probability_hint;
  const usual = isDelay ? 5_000 : 0.2;
  const sentence = chaosSentence(name, value > 0 ? value : usual, language.value);
  return (
    <li class="rule">
      <div>
        <Status status={value > 0 ? words.value.on : words.value.off} tone={value > 0 ? "warn" : "plain"} />{" "}
        <strong>{name}</strong>
        {value > 0 ? <p>{sentence}</p> : <p class="hint">{fill(words.value.such_as, { sentence })}</p>}
        {isDelay || value === 0 ? null : <meter min={0} max={1} value={value} aria-label={name} />}
      </div>
      <span class="small one-line">
        <FormAction
          id="sandbox.chaos"
          label={words.value.change}
          title={name}
          kind="small"
          fields={[
            {
              name,
              label: terms.value.value,
              kind: "number",
              required: true,
              hint,
              value: String(value > 0 ? value : usual),
            },
          ]}
          input={(values) => ({ body: { [name]: Number(values[name]) } })}
        />
        <Action
          id="sandbox.chaos"
          label={words.value.turn_off}
          kind="small"
          input={{ body: { [name]: 0 } }}
          disabled={value > 0 ? null : words.value.off}
        />
      </span>
    </li>
  );
}

function Chaos() {
  const { state } = useCall("sandbox.chaos.get", {}, { on: ["chaos"] });
  return (
    <Section title={words.value.chaos}>
      <Show of={state.value}>
        {(settings: ChaosSettings) => (
          <ul class="plain rules">
            {chaosNames(language.value).map((name) => (
              <ChaosItem key={name} name={name} value={settings[name]} />
            ))}
          </ul>
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
