import { fill } from "../../../kernel/message.js";
import { callAny } from "../api/call.js";
import { useCall } from "../api/use-call.js";
import { changesRules, chaosNames, countOn } from "../pages/faults/sentences.js";
import { RunButton } from "../parts/run-button.js";
import { withBook } from "../state/book.js";
import { language, texts } from "../state/language.js";

const words = texts("fault_band");

/** Removes all fault rules and turns webhook chaos off: two operations. */
async function turnAllOff(): Promise<null> {
  await callAny("sandbox.faults.clear", {});
  await callAny("sandbox.chaos", { body: Object.fromEntries(chaosNames(language.value).map((name) => [name, 0])) });
  return null;
}

/** On every page, while requests or webhooks go wrong on purpose: nobody should look for a fault that they made themselves. */
export function FaultBand() {
  const rules = useCall("sandbox.faults.list", {}, { on: changesRules });
  const chaos = useCall("sandbox.chaos.get", {}, { on: ["chaos"] });
  const count = countOn(rules.state.value.data?.data ?? [], chaos.state.value.data);
  if (count.rules + count.chaos === 0) return null;
  return (
    <aside class="one-line fault-band" aria-label={words.value.label}>
      <a href={withBook("/console/faults")}>
        {words.value.label}: {count.rules === 0 ? null : fill(words.value.rules, { count: count.rules })}
        {count.rules > 0 && count.chaos > 0 ? " · " : null}
        {count.chaos === 0 ? null : fill(words.value.chaos, { count: count.chaos })}
      </a>
      <RunButton label={words.value.turn_off} run={turnAllOff} />
    </aside>
  );
}
