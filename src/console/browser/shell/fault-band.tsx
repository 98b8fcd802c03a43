import { useCall } from "../api/use-call.js";
import { AllNormal } from "../pages/faults/all-normal.js";
import { changesRules, countOn } from "../pages/faults/sentences.js";
import { withBook } from "../state/book.js";
import { texts } from "../state/language.js";

const words = texts(
  {
    label: "Wrong on purpose",
    rules: (count: number) => (count === 1 ? "1 fault rule" : `${count} fault rules`),
    chaos: (count: number) => (count === 1 ? "1 kind of webhook chaos" : `${count} kinds of webhook chaos`),
  },
  {
    label: "Errado de propósito",
    rules: (count) => (count === 1 ? "1 regra de falha" : `${count} regras de falha`),
    chaos: (count) => (count === 1 ? "1 tipo de caos de webhooks" : `${count} tipos de caos de webhooks`),
  },
);

/** On every page, while requests or webhooks go wrong on purpose: nobody should look for a fault that they made themselves. */
export function FaultBand() {
  const rules = useCall("sandbox.faults.list", {}, { on: changesRules });
  const chaos = useCall("sandbox.chaos.get", {}, { on: ["chaos"] });
  const count = countOn(rules.state.value.data?.data ?? [], chaos.state.value.data);
  if (count.rules + count.chaos === 0) return null;
  return (
    <aside class="fault-band" aria-label={words.value.label}>
      <a href={withBook("/console/faults")}>
        {words.value.label}: {count.rules === 0 ? null : words.value.rules(count.rules)}
        {count.rules > 0 && count.chaos > 0 ? " · " : null}
        {count.chaos === 0 ? null : words.value.chaos(count.chaos)}
      </a>
      <AllNormal />
    </aside>
  );
}
