import { useSignal } from "@preact/signals";
import { FIXTURES } from "../../../../../api/fixtures/built-in-fixtures.js";
import type { Fixture } from "../../../../../api/fixtures/fixture.js";
import { eventsOf, fixtureFor, runSteps } from "../../../../../api/fixtures/resolve.js";
import { fill } from "../../../../../base/kernel/message.js";
import { pick } from "../../../../../base/kernel/pick.js";
import { answerTo, ownHeaders } from "../../api/call.js";
import { commands } from "../../facts/commands.js";
import { routes } from "../../facts/routes.js";
import { CommandLine } from "../../parts/command-line.js";
import { Field } from "../../parts/fields.js";
import { Code, Json } from "../../parts/json.js";
import { Page, Section } from "../../parts/page.js";
import { ObjectLink, Status } from "../../parts/values.js";
import { Why } from "../../parts/why.js";
import { menuWords } from "../../shell/menu.js";
import { connection } from "../../state/connection.js";
import { language, terms, texts } from "../../state/language.js";
import { doneHere, forgetDone } from "../../state/recorder.js";
import { fixtureDescription } from "../../words/service-texts.js";
import { asFixture, asScript, asTest, fixtureText, leftOut } from "./recording.js";

/** Events on demand, fixtures, and the recorder of this tab. */

const words = texts("scenarios");

/** Runs the scenario of a fixture through the session of the console, step by step, as `qa-pay fixtures run` does with a key. */

interface Ran {
  readonly name: string;
  readonly request: string;
  readonly answer: unknown;
  /** The reason why the step was refused; null when it was not. */
  readonly refusal: Error | null;
}

async function runScenario({ steps }: Fixture, onStep: (ran: Ran) => void): Promise<boolean> {
  let under = { name: "", request: "" };
  try {
    await runSteps(steps, {
      fresh: () => crypto.randomUUID(),
      credential: ownHeaders(),
      async send({ name, request }, make) {
        under = { name, request };
        const made = make();
        under = { name, request: `${made.method} ${made.address}` };
        const answer = (await answerTo(made)) ?? null;
        onStep({ ...under, answer, refusal: null });
        return answer;
      },
    });
    return true;
  } catch (thrown) {
    const refusal = thrown instanceof Error ? thrown : new Error(String(thrown));
    onStep({ ...under, answer: null, refusal });
    return false;
  }
}

interface Running {
  /** The command `qa-pay …` that does the same. */
  readonly title: string;
  readonly steps: readonly Ran[];
  /** Null while it runs. */
  readonly isGood: boolean | null;
}

interface StartProps {
  readonly start: (title: string, fixture: Fixture) => void;
  readonly isOff: boolean;
}

function Trigger({ start, isOff }: StartProps) {
  const event = useSignal("charge.paid");
  const line = `qa-pay trigger ${event.value}`;
  const fixture = fixtureFor(FIXTURES, event.value);
  return (
    <Section title={words.value.trigger}>
      <div class="one-line">
        <Field
          spec={{
            name: "event",
            label: terms.value.event,
            kind: "choice",
            required: true,
            choices: eventsOf(FIXTURES),
          }}
          text={event.value}
          problem={null}
          onText={(text) => {
            event.value = text;
          }}
        />
        <button type="button" class="main" disabled={isOff} onClick={() => fixture && start(line, fixture)}>
          {words.value.go}
        </button>
      </div>
      <p class="hint">{words.value.trigger_text}</p>
      <CommandLine of={line} />
    </Section>
  );
}

function Step({ ran: { request, answer, refusal } }: { ran: Ran }) {
  const id = pick(answer, "id");
  const [method, ...address] = request.split(" ");
  return (
    <li>
      <Status status={refusal === null ? "2xx" : "✕"} tone={refusal === null ? "good" : "bad"}>
        {method}
      </Status>{" "}
      <code>{address.join(" ")}</code> {typeof id === "string" ? <ObjectLink id={id} /> : null}
      {refusal === null ? (
        <details>
          <summary>{terms.value.answer}</summary>
          <Json label={terms.value.answer} value={answer} />
        </details>
      ) : (
        <p class="problem">
          <Why of={refusal} />
        </p>
      )}
    </li>
  );
}

function Recorder({ start, isOff }: StartProps) {
  const all = doneHere.value;
  if (all.length === 0) {
    return (
      <Section title={words.value.recorder}>
        <p class="hint">{words.value.recorder_empty}</p>
      </Section>
    );
  }
  const fixture = asFixture(all, routes, words.value.title);
  const missing = leftOut(all, routes);
  return (
    <Section title={words.value.recorder}>
      <div class="one-line">
        <strong>{fill(words.value.count, { count: all.length })}</strong>
        <button
          type="button"
          disabled={isOff || fixture.steps.length === 0}
          onClick={() => start(words.value.title, fixture)}
        >
          {words.value.again}
        </button>
        <button type="button" onClick={forgetDone}>
          {words.value.forget}
        </button>
      </div>
      {missing === 0 ? null : <p class="hint">{fill(words.value.left_out, { count: missing })}</p>}
      <Code label={words.value.script} text={asScript(all, routes, commands, location.origin)} />
      <Code label={words.value.fixture} text={fixtureText(fixture)} />
      <p class="hint">
        {words.value.run_fixture} <code>qa-pay fixtures run done.json</code>
      </p>
      <Code label={words.value.test} text={asTest(all, routes, words.value.title)} />
    </Section>
  );
}

function Results({ running: { title, steps, isGood } }: { running: Running }) {
  const end = isGood === true ? words.value.all_done : words.value.stopped;
  return (
    <Section title={terms.value.what_ran}>
      <p class="hint">
        <code>{title}</code>
      </p>
      <ol class="stack">
        {steps.map((ran) => (
          <Step key={ran.name} ran={ran} />
        ))}
      </ol>
      <output class={isGood === false ? "outcome outcome-bad" : "outcome"}>
        {isGood === null ? words.value.running : end}
      </output>
    </Section>
  );
}

export function Scenarios() {
  const running = useSignal<Running | null>(null);
  const run = async (title: string, fixture: Fixture) => {
    const steps: Ran[] = [];
    const tell = (isGood: boolean | null) => {
      running.value = { title, steps: [...steps], isGood };
    };
    tell(null);
    const isGood = await runScenario(fixture, (ran) => {
      steps.push(ran);
      tell(null);
    });
    tell(isGood);
  };
  const start = (title: string, fixture: Fixture) => void run(title, fixture);
  const isOff = !connection.isWorking || (running.value !== null && running.value.isGood === null);
  return (
    <Page title={menuWords.value.scenarios} command={{ id: "sandbox.events", input: { query: {} } }}>
      <Trigger start={start} isOff={isOff} />
      {running.value === null ? null : <Results running={running.value} />}
      <Section title={words.value.fixtures} end={<code>qa-pay fixtures run charge-paid</code>}>
        <ul class="plain rules">
          {Object.entries(FIXTURES).map(([name, fixture]) => (
            <li key={name} class="rule">
              <span>
                <strong>{name}</strong> {fixtureDescription(name, fixture.description, language.value)}
              </span>
              <button
                type="button"
                class="small"
                disabled={isOff}
                onClick={() => start(`qa-pay fixtures run ${name}`, fixture)}
              >
                {words.value.run} <span class="visually-hidden">{name}</span>
              </button>
            </li>
          ))}
        </ul>
      </Section>
      <Recorder start={start} isOff={isOff} />
    </Page>
  );
}
