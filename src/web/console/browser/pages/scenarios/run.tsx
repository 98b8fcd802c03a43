import { FIXTURES } from "../../../../../api/fixtures/built-in-fixtures.js";
import type { Fixture } from "../../../../../api/fixtures/fixture.js";
import { fill } from "../../../../../base/kernel/message.js";
import { Icon } from "../../parts/icon.js";
import { Page, Section } from "../../parts/page.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { language, texts } from "../../state/language.js";
import { doneHere } from "../../state/recorder.js";
import { fixtureDescription } from "../../words/service-texts.js";
import { Results, useScenario } from "./running.js";
import { ScenarioViews } from "./views.js";

const words = texts("scenarios");

/** The scenarios by what they are about, the whole shop first: its objects are what an empty console lacks. */
const FAMILIES = ["small", "charge", "refund", "med", "payout"] as const;

const familyOf = (family: string): readonly (readonly [string, Fixture])[] =>
  Object.entries(FIXTURES).filter(([name]) => name.startsWith(`${family}-`));

interface RowProps {
  readonly name: string;
  readonly fixture: Fixture;
  readonly isOff: boolean;
  readonly onRun: () => void;
}

/** A scenario: a button that is quiet until somebody points at the row, its end in words, and the events that it makes. */
function Row({ name, fixture: { description, events }, isOff, onRun }: RowProps) {
  const text = fixtureDescription(name, description, language.value);
  return (
    <li class="level scenario">
      <button
        type="button"
        class="small quiet"
        title={`${words.value.run}: qa-pay fixtures run ${name}`}
        disabled={isOff}
        onClick={onRun}
      >
        <Icon name="player-play" />
        <span class="visually-hidden">
          {words.value.run} {name}
        </span>
      </button>
      <span>
        {text}
        <span class="hint">{events.join(", ")}</span>
      </span>
    </li>
  );
}

/** Where the recording is, which begins by itself. */
function RecordedLine() {
  const count = doneHere.value.length;
  if (count === 0) return null;
  return (
    <p class="flow">
      <span>{fill(words.value.count, { count })}</span>
      <a href={withBook("/console/scenarios?view=record")}>{words.value.show_recording}</a>
    </p>
  );
}

/** Scenarios that create real objects, and take them to a state. */
export function Run() {
  const { running, isOff, start } = useScenario();
  return (
    <Page
      title={menuWords.value.scenarios}
      command={{ id: "sandbox.events", input: { query: {} } }}
      views={<ScenarioViews open="run" />}
      line={words.value.about}
    >
      <RecordedLine />
      {running === null ? null : <Results running={running} />}
      <Section title={words.value.all}>
        <div class="families">
          {FAMILIES.map((family) => (
            <section key={family} aria-label={words.value.families[family]}>
              <h3>{words.value.families[family]}</h3>
              <ul class="stack plain">
                {familyOf(family).map(([name, fixture]) => (
                  <Row
                    key={name}
                    name={name}
                    fixture={fixture}
                    isOff={isOff}
                    onRun={() => start(`qa-pay fixtures run ${name}`, fixture)}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </Section>
    </Page>
  );
}
