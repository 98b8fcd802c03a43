import { fill } from "../../../../base/kernel/message.js";
import { callAny } from "../api/call.js";
import { isSettled, useCall } from "../api/use-call.js";
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

/** Reads the planned faults; the state includes that they are not known yet. */
export function useFaults() {
  const rules = useCall("sandbox.faults.list", {}, { on: changesRules }).state.value;
  const chaos = useCall("sandbox.chaos.get", {}, { on: ["chaos"] }).state.value;
  return { count: countOn(rules.data?.data ?? [], chaos.data), isRead: isSettled(rules) && isSettled(chaos) };
}

/** Shown on every page during planned faults: nobody should debug a fault that they planned themselves. */
export function FaultBand({ count }: Pick<ReturnType<typeof useFaults>, "count">) {
  if (count.rules + count.chaos === 0) return null;
  return (
    <aside class="one-line fault-band" aria-label={words.value.label}>
      <a class="cut" href={withBook("/console/faults")}>
        <span class="band-label">{words.value.label}: </span>
        {count.rules === 0 ? null : fill(words.value.rules, { count: count.rules })}
        {count.rules > 0 && count.chaos > 0 ? " · " : null}
        {count.chaos === 0 ? null : fill(words.value.chaos, { count: count.chaos })}
      </a>
      <RunButton label={words.value.turn_off} kind="small" run={turnAllOff} />
    </aside>
  );
}
