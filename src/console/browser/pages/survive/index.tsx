import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { FAULTS, ORACLES, type OracleName } from "../../../../survive/faults.js";
import { type FaultScore, scoreOf } from "../../../../survive/score.js";
import { type StepPart, sentenceOf } from "../../../../survive/words.js";
import { useCall } from "../../api/use-call.js";
import { Code } from "../../parts/json.js";
import { Page, Section, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { ObjectLink, Status } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { language, terms, texts } from "../../state/language.js";
import { pt } from "../../texts/index.js";

/** A run of `qa-pay survive` while it goes on: it starts this emulator, and tells it what it finds. The page only reads. */

const words = texts("survive");

type Run = OperationAnswer<"sandbox.survive">;
type Failure = Run["failures"][number];

const faultTexts = () => (language.value === "en" ? FAULTS : pt.survive_faults);
const oracleTexts = () => (language.value === "en" ? ORACLES : pt.survive_oracles);
const stepTexts = () => (language.value === "en" ? undefined : pt.survive_steps);

/** What a screen reader is told when it changes. How many schedules were run changes too often for that. */
function newsOf({ failed, shortening, state }: Run): string {
  if (shortening !== null) return fill(words.value.shortening, shortening);
  if (failed > 0) return fill(words.value.failed, { count: failed });
  return state === "over" ? words.value.well : words.value.well_so_far;
}

function Progress({ run }: { run: Run }) {
  const { state, schedules, planned, seed, failed } = run;
  const { met, survived } = scoreOf(run.faults);
  return (
    <Section title={fill(words.value.score, { survived, count: met.length })}>
      <p class={failed === 0 ? "outcome" : "outcome outcome-bad"} role="status">
        {newsOf(run)} {state === "over" ? words.value.over : null}
      </p>
      <p>
        <progress max={planned} value={schedules} aria-label={words.value.schedules} />{" "}
        {fill(words.value.done, { schedules, planned })} · --seed <code>{seed}</code>
      </p>
      <p class="hint">{words.value.about}</p>
    </Section>
  );
}

function FailureItem({ of }: { of: Failure }) {
  const { oracle, schedule, text, steps, charge, command } = of;
  return (
    <article class="sunken stack">
      <h3>
        <Status status={oracle} tone="bad">
          <code>{oracle}</code>
        </Status>{" "}
        {fill(words.value.in_schedule, { schedule })}
      </h3>
      <p>
        {words.value.broken} {oracleTexts()[oracle as OracleName]}. <span lang="en">{text}</span>
      </p>
      <ol>
        {steps.map(({ parts }, index) => (
          <li key={index}>{sentenceOf(parts as readonly StepPart[], stepTexts())}</li>
        ))}
      </ol>
      {charge === null ? null : (
        <p>
          {terms.value.charge}: <ObjectLink id={charge} />
        </p>
      )}
      <Code label={words.value.alone} text={command} />
    </article>
  );
}

function Faults({ of }: { of: readonly FaultScore[] }) {
  const { value } = words;
  return (
    <Table
      label={value.faults}
      rows={of}
      keyOf={({ name }) => name}
      columns={[
        { head: terms.value.fault, cell: ({ name }) => <code>{name}</code> },
        {
          head: value.verdict,
          cell: ({ failed }) => (
            <Status status={failed === 0 ? value.survived_it : value.failed_it} tone={failed === 0 ? "good" : "bad"} />
          ),
        },
        { head: value.schedules, cell: ({ schedules }) => schedules, isNumber: true },
        { head: value.failed_it_head, cell: ({ failed }) => failed, isNumber: true },
        { head: value.what, cell: ({ name }) => faultTexts()[name], isExtra: true },
      ]}
    />
  );
}

function Told({ run }: { run: Run }) {
  const { met } = scoreOf(run.faults);
  return (
    <>
      <Progress run={run} />
      {run.failures.length === 0 ? null : (
        <Section title={words.value.failures}>
          {run.failures.map((one) => (
            <FailureItem key={one.oracle} of={one} />
          ))}
        </Section>
      )}
      {met.length === 0 ? null : (
        <Section title={words.value.faults}>
          <Faults of={met} />
        </Section>
      )}
    </>
  );
}

function Nobody() {
  return (
    <div class="empty">
      <p>{words.value.nobody}</p>
      <Code label={words.value.start} text="qa-pay survive --buy /buy --orders /orders -- node shop.js" />
    </div>
  );
}

export function Survive() {
  const { state } = useCall("sandbox.survive", {}, { on: ["survive"] });
  return (
    <Page title={menuWords.value.survive} command={{ id: "sandbox.survive", input: {} }}>
      <Show of={state.value}>{(run) => (run.state === "none" ? <Nobody /> : <Told run={run} />)}</Show>
    </Page>
  );
}
