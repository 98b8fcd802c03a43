import { useSignal } from "@preact/signals";
import type { Fixture } from "../../../../../api/fixtures/fixture.js";
import { runSteps } from "../../../../../api/fixtures/resolve.js";
import { pick } from "../../../../../base/kernel/pick.js";
import { answerTo, ownHeaders } from "../../api/call.js";
import { Json } from "../../parts/json.js";
import { Section } from "../../parts/page.js";
import { ObjectLink, Status } from "../../parts/values.js";
import { Why } from "../../parts/why.js";
import { connection } from "../../state/connection.js";
import { terms, texts } from "../../state/language.js";

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

/** A scenario that this page runs: one at a time. */
export function useScenario() {
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
  return {
    running: running.value,
    isOff: !connection.isWorking || (running.value !== null && running.value.isGood === null),
    start: (title: string, fixture: Fixture) => void run(title, fixture),
  };
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

export function Results({ running: { title, steps, isGood } }: { running: Running }) {
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
