import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { isNameOf, namesOf } from "../../../../../base/kernel/names.js";
import { FAULTS, ORACLES } from "../../../../../checks/survive/faults.js";
import { type Score, scoreOf } from "../../../../../checks/survive/score.js";
import { type StepPart, sentenceOf } from "../../../../../checks/survive/words.js";
import { useCall } from "../../api/use-call.js";
import { Code } from "../../parts/json.js";
import { Page, Section, Show } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { ObjectLink, Status } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { connection } from "../../state/connection.js";
import { language, terms, texts } from "../../state/language.js";
import { serviceTextsIn } from "../../texts/index.js";
import { ScenarioViews } from "../scenarios/views.js";

/** A running `qa-pay survive`: it starts this emulator, and reports its results to it. The page only reads. */

const words = texts("survive");

type Run = OperationAnswer<"sandbox.survive">;

const faultTexts = () => serviceTextsIn(language.value)?.survive_faults ?? FAULTS;
const oracleTexts = () => serviceTextsIn(language.value)?.survive_oracles ?? ORACLES;
const stepTexts = () => serviceTextsIn(language.value)?.survive_steps;

/** A fault without any effect is not counted as survived. */
const toneOf = (shown: number) => (shown === 0 ? "plain" : "good");

/** The announcement for screen readers. The number of schedules is left out, because it changes too often. */
function newsOf({ failed, shortening, state }: Run): string {
  // The emulator ends with the run.
  const isOver = state === "over" || !connection.isWorking;
  if (shortening !== null && !isOver) return fill(words.value.shortening, shortening);
  const said = failed === 0 ? words.value.well : fill(words.value.failed, { count: failed });
  return isOver ? `${said} ${words.value.over}` : said;
}

function Progress({ run, score: { met, tried, survived } }: { run: Run; score: Score }) {
  const { schedules, planned, seed, failed, shortening } = run;
  const isRight = failed === 0 && shortening === null;
  return (
    <Section title={met.length === 0 ? words.value.begun : fill(words.value.score, { survived, count: tried })}>
      <p class={isRight ? "outcome" : "outcome outcome-bad"} role="status">
        {newsOf(run)}
      </p>
      <p>
        <progress max={planned} value={schedules} aria-label={words.value.schedules} />{" "}
        {fill(words.value.done, { schedules, planned })} · <code>--seed {seed}</code>
      </p>
      <p class="hint">{words.value.about}</p>
    </Section>
  );
}

function FailureItem({ of }: { of: Run["failures"][number] }) {
  const { oracle, schedule, text, steps, charge, command } = of;
  const named = oracleTexts();
  return (
    <article class="sunken stack">
      <h3>
        <Status status={oracle} tone="bad">
          <code>{oracle}</code>
        </Status>{" "}
        {fill(words.value.in_schedule, { schedule })}
      </h3>
      <p>
        {words.value.broken} {isNameOf(named, oracle) ? named[oracle] : oracle}. <span lang="en">{text}</span>
      </p>
      <ol class="due-steps">
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

/** Those that broke the shop before all others. */
const failedFirst = (met: Score["met"]) =>
  met.toSorted((one, other) => Number(other.failed > 0) - Number(one.failed > 0));

/** Without a run: the command, and what it does to a shop. */
function Nobody() {
  const { value } = words;
  return (
    <>
      <div class="stack empty">
        <p>{value.nobody}</p>
        <Code label={value.start} text="qa-pay survive --buy /buy --orders /orders -- node shop.js" />
        <p class="hint">{value.addresses}</p>
      </div>
      <Section title={value.faults}>
        <Table
          label={value.faults}
          kind="cards"
          rows={namesOf(FAULTS)}
          keyOf={(name) => name}
          columns={[
            { head: terms.value.fault, cell: (name) => <code>{name}</code> },
            { head: value.what, cell: (name) => faultTexts()[name], class: "grows", isSecond: true },
          ]}
        />
      </Section>
    </>
  );
}

function Told({ run }: { run: Run }) {
  const { value } = words;
  const score = scoreOf(run.faults);
  return (
    <>
      <Progress run={run} score={score} />
      {run.failures.length === 0 ? null : (
        <Section title={value.failures}>
          {run.failures.map((one) => (
            <FailureItem key={one.oracle} of={one} />
          ))}
        </Section>
      )}
      {score.met.length === 0 ? null : (
        <Section title={value.faults}>
          <Table
            label={value.faults}
            kind="cards"
            rows={failedFirst(score.met)}
            keyOf={({ name }) => name}
            columns={[
              {
                head: terms.value.fault,
                cell: ({ name, failed, could_show: shown }) => (
                  <Status status={name} tone={failed > 0 ? "bad" : toneOf(shown)}>
                    <code>{name}</code>
                  </Status>
                ),
              },
              { head: value.could_show, cell: ({ could_show: shown }) => shown, isNumber: true, isExtra: true },
              {
                head: value.survived,
                cell: ({ schedules, failed }) => schedules - failed,
                cardLabel: "✓",
                isNumber: true,
              },
              { head: value.failed_head, cell: ({ failed }) => failed, cardLabel: "✗", isNumber: true },
              { head: value.what, cell: ({ name }) => faultTexts()[name], isExtra: true, isSecond: true },
            ]}
          />
        </Section>
      )}
    </>
  );
}

export function Survive() {
  const { state } = useCall("sandbox.survive", {}, { on: ["survive"] });
  return (
    <Page
      title={menuWords.value.scenarios}
      command={{ id: "sandbox.survive", input: {} }}
      views={<ScenarioViews open="survive" />}
    >
      <Show of={state.value}>{(run) => (run.state === "none" ? <Nobody /> : <Told run={run} />)}</Show>
    </Page>
  );
}
