import { fill } from "../../../../base/kernel/message.js";
import { asFailure, callAny } from "../api/call.js";
import { useCall } from "../api/use-call.js";
import { changesRules, chaosNames, countOn } from "../pages/faults/sentences.js";
import { Icon } from "../parts/icon.js";
import { MenuButton } from "../parts/menu.js";
import { withBook } from "../state/book.js";
import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { notify } from "../state/notice.js";

const words = texts("fault_chip");

/** Removes all fault rules and turns webhook chaos off: two operations. */
async function turnAllOff(): Promise<void> {
  try {
    await callAny("sandbox.faults.clear", {});
    await callAny("sandbox.chaos", { body: Object.fromEntries(chaosNames(language.value).map((name) => [name, 0])) });
  } catch (thrown) {
    notify(asFailure(thrown).message);
  }
}

/** Shown on every page during planned faults: nobody should debug a fault that they planned themselves. */
export function FaultChip() {
  const list = useCall("sandbox.faults.list", {}, { on: changesRules }).state.value;
  const { data } = useCall("sandbox.chaos.get", {}, { on: ["chaos"] }).state.value;
  const { rules, chaos } = countOn(list.data?.data ?? [], data);
  if (rules + chaos === 0) return null;
  const { value } = words;
  const parts = [
    ...(rules === 0 ? [] : [fill(value.rules, { count: rules })]),
    ...(chaos === 0 ? [] : [fill(value.chaos, { count: chaos })]),
  ].join(", ");
  return (
    <MenuButton
      class="fault-chip own"
      side="end"
      title={`${value.label} ${parts}`}
      disabled={!connection.isWorking}
      items={[
        { key: "see", label: value.see, icon: "alert-triangle", href: withBook("/console/faults") },
        { key: "off", label: value.turn_off, icon: "x", isApart: true, run: () => void turnAllOff() },
      ]}
    >
      <Icon name="alert-triangle" />
      <span>
        {value.label} <span class="fault-parts">{parts}</span>
        <span class="fault-sum">{rules + chaos}</span>
      </span>
    </MenuButton>
  );
}
