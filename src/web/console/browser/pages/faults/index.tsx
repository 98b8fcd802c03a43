import { useSignal } from "@preact/signals";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { asFailure, callAny } from "../../api/call.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { Page, Section } from "../../parts/page.js";
import { Skeleton } from "../../parts/skeleton.js";
import { Unread } from "../../parts/why.js";
import { shared } from "../../parts/words.js";
import { act } from "../../resource/act.js";
import { folded } from "../../resource/form-fields.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { showAction } from "../../state/command.js";
import { connection } from "../../state/connection.js";
import { language, terms, texts } from "../../state/language.js";
import { notify } from "../../state/notice.js";
import { exactDuration, percent } from "../../words/numbers.js";
import {
  type ChaosName,
  changesRules,
  chaosNames,
  chaosSentence,
  isActive,
  type Rule,
  ruleSentence,
} from "./sentences.js";

/** The planned faults: rules for requests to /v1, and settings for webhooks. */

const words = texts("faults");
const names = texts("chaos_names");

/** The effect of the rule in the form, in words; what is missing when it has none. */
const previewOf = ({ times = null, ...body }: Readonly<Record<string, unknown>>) =>
  body.effect === undefined
    ? words.value.no_effect
    : ruleSentence({ match: {}, probability: 1, ...body, times, remaining: times } as unknown as Rule, language.value);

const PATHS = ["/v1/charges", "/v1/charges/*", "/v1/payments/*", "/v1/wallets"];
const STATUSES = ["400", "401", "404", "409", "422", "429", "500", "502", "503"];

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
        isSentence: true,
        // In the order of the words in the rule's sentence.
        ask: [
          { name: "times", hint: words.value.times_hint },
          { name: "match.method", label: "method", none: shared.value.any },
          { name: "match.path", label: "path", suggestions: PATHS, hint: words.value.path_hint },
          { name: "effect.status", label: "status", suggestions: STATUSES, hint: words.value.status_hint },
          { name: "probability", kind: "share", value: "1" },
          ...folded<"sandbox.faults.add">(terms.value.more, [
            { name: "effect.latency_ms", hint: words.value.latency_hint },
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
  const { id, applied, times } = rule;
  const hits = fill(words.value.applied, { count: applied });
  return (
    <li class="rule">
      <div>
        <p class={isActive(rule) ? "rule-text" : "hint"}>{ruleSentence(rule, language.value)}</p>
        <p class="hint">
          {isActive(rule) ? null : `${words.value.finished} `}
          <a href={withBook(`/console/requests?q=${encodeURIComponent(id)}`)} title={id}>
            {times === null ? hits : fill(words.value.applied_of, { count: applied, times })}
          </a>
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

/** Delays that differ enough to choose from, in emulated milliseconds. */
const DELAYS = [1_000, 5_000, 30_000, 60_000, 600_000, 3_600_000];

interface SettingProps {
  readonly name: ChaosName;
  readonly value: number;
}

/** Calls the operation with another value of one setting; a refusal stands at the foot of the page. */
const change = ({ name, value }: SettingProps) =>
  void callAny("sandbox.chaos", { body: { [name]: value } }).catch((thrown) => notify(asFailure(thrown).message));

/** How much of it: a share of all webhooks, or a delay. A share of 0 is off. */
function Amount({ name, value }: SettingProps) {
  const moved = useSignal<number | null>(null);
  const shown = moved.value ?? value;
  const told = { onFocus: () => showAction({ id: "sandbox.chaos", input: { body: { [name]: shown } } }) };
  const common = { ...told, "aria-label": names.value[name], disabled: !connection.isWorking };
  if (name === "delay_ms") {
    const choices = [...new Set([0, ...DELAYS, value])].toSorted((one, other) => one - other);
    return (
      <select
        {...common}
        value={value}
        onInput={({ currentTarget }) => change({ name, value: Number(currentTarget.value) })}
      >
        {choices.map((ms) => (
          <option key={ms} value={ms}>
            {ms === 0 ? words.value.off : exactDuration(ms, language.value)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <span class="level share">
      <input
        {...common}
        type="range"
        min="0"
        max="100"
        step="5"
        value={Math.round(shown * 100)}
        aria-valuetext={percent(shown, language.value)}
        onInput={({ currentTarget }) => {
          moved.value = Number(currentTarget.value) / 100;
        }}
        onChange={({ currentTarget }) => {
          moved.value = null;
          change({ name, value: Number(currentTarget.value) / 100 });
        }}
      />
      <output>{percent(shown, language.value)}</output>
    </span>
  );
}

/** A fault of webhooks: its switch, its sentence and its amount. An inactive one says what its switch would do. */
function ChaosItem({ name, value }: SettingProps) {
  const isOn = value > 0;
  const usual = name === "delay_ms" ? 5_000 : 0.2;
  return (
    <li class="rule chaos">
      {act("sandbox.chaos", { label: names.value[name], isOn, body: { [name]: isOn ? 0 : usual }, done: () => null })}
      <span class={isOn ? "rule-text" : "hint"}>{chaosSentence(name, isOn ? value : usual, language.value)}</span>
      <Amount name={name} value={value} />
    </li>
  );
}

function Rules({ of: rules }: { of: OperationAnswer<"sandbox.faults.list"> | null }) {
  return (
    <Section title={words.value.rules}>
      <NewRules />
      {rules?.data.length === 0 ? (
        <Empty text={words.value.empty} command="qa-pay sandbox faults add --effect-status 503 --times 1" />
      ) : (
        <Actions label={words.value.rules}>
          <ul class="stack plain rules">
            {rules?.data.map((rule) => (
              <RuleItem key={rule.id} rule={rule} />
            ))}
          </ul>
        </Actions>
      )}
    </Section>
  );
}

function Chaos({ of: settings }: { of: OperationAnswer<"sandbox.chaos.get"> }) {
  return (
    <Section title={words.value.chaos}>
      <Actions label={words.value.chaos}>
        <ul class="stack plain rules">
          {chaosNames(language.value).map((name) => (
            <ChaosItem key={name} name={name} value={settings[name]} />
          ))}
        </ul>
      </Actions>
    </Section>
  );
}

export function Faults() {
  const rules = useCall("sandbox.faults.list", {}, { on: changesRules }).state.value;
  const chaos = useCall("sandbox.chaos.get", {}, { on: ["chaos"] }).state.value;
  return (
    <Page title={menuWords.value.faults} command={{ id: "sandbox.faults.list", input: {} }}>
      {/* Both parts are shown at once: the lower one would move when the upper one is read. */}
      {isSettled(rules) && isSettled(chaos) ? (
        <>
          <Unread of={[rules, chaos]} />
          <Rules of={rules.data} />
          {chaos.data === null ? null : <Chaos of={chaos.data} />}
        </>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}
