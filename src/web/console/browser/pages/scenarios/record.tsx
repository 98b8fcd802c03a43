import { fill } from "../../../../../base/kernel/message.js";
import { commands } from "../../facts/commands.js";
import { routes } from "../../facts/routes.js";
import { Code } from "../../parts/json.js";
import { Page } from "../../parts/page.js";
import { menuWords } from "../../shell/menu.js";
import { texts } from "../../state/language.js";
import { doneHere, forgetDone } from "../../state/recorder.js";
import { CreateAndPay } from "../overview/create-and-pay.js";
import { recordedTest, SaveTest } from "./recorded-test.js";
import { asFixture, asScript, fixtureText, leftOut } from "./recording.js";
import { Results, useScenario } from "./running.js";
import { ScenarioViews } from "./views.js";

const words = texts("scenarios");

/** The recording of this tab in all its forms, and a button that repeats it. */
function Recorded() {
  const { running, isOff, start } = useScenario();
  const all = doneHere.value;
  const fixture = asFixture(all, routes, words.value.title);
  const missing = leftOut(all, routes);
  return (
    <>
      <div class="flow">
        <strong>{fill(words.value.count, { count: all.length })}</strong>
        <SaveTest />
        <button
          type="button"
          disabled={isOff || fixture.steps.length === 0}
          onClick={() => start(words.value.title, fixture)}
        >
          {words.value.again}
        </button>
        <button type="button" class="quiet" onClick={forgetDone}>
          {words.value.forget}
        </button>
      </div>
      {missing === 0 ? null : <p class="hint">{fill(words.value.left_out, { count: missing })}</p>}
      {running === null ? null : <Results running={running} />}
      <Code label={words.value.test} text={recordedTest()} />
      <Code label={words.value.script} text={asScript(all, routes, commands, location.origin)} />
      <Code label={words.value.fixture} text={fixtureText(fixture)} />
      <p class="hint">
        {words.value.run_fixture} <code>qa-pay fixtures run done.json</code>
      </p>
    </>
  );
}

export function Record() {
  return (
    <Page
      title={menuWords.value.scenarios}
      command={{ id: "sandbox.requests", input: { query: {} } }}
      views={<ScenarioViews open="record" />}
    >
      {doneHere.value.length === 0 ? (
        <div class="stack empty">
          <p>{words.value.recorder_empty}</p>
          <CreateAndPay />
        </div>
      ) : (
        <Recorded />
      )}
    </Page>
  );
}
