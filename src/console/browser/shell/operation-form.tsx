import { useSignal } from "@preact/signals";
import { callAny } from "../api/call.js";
import { commands } from "../facts/commands.js";
import { Dialog } from "../parts/dialog.js";
import { Field, fieldValue, firstValues, problemOf } from "../parts/fields.js";
import { Code, Json } from "../parts/json.js";
import { Refused } from "../parts/why.js";
import { shared } from "../parts/words.js";
import { connection } from "../state/connection.js";
import { texts } from "../state/language.js";
import { formOf, inputOf } from "../words/generated-form.js";
import { lineFor } from "./strip.js";

/** The generated form of any operation: its fields, its command, and the answer as JSON. */

const words = texts(
  { send: "Send", command: "Command", answer: "Answer", one_of: (names: string) => `At least one of ${names}.` },
  { send: "Enviar", command: "Comando", answer: "Resposta", one_of: (names) => `Pelo menos um destes: ${names}.` },
);

type Outcome =
  | { readonly isGood: true; readonly answer: unknown }
  | { readonly isGood: false; readonly thrown: unknown };

export function OperationForm({ id, onClose }: { id: string; onClose: () => void }) {
  const fact = commands[id];
  const fields = fact === undefined ? [] : formOf(fact);
  const values = useSignal(firstValues(fields));
  const isChecked = useSignal(false);
  const outcome = useSignal<Outcome | null>(null);
  if (fact === undefined) return null;
  const problems = fields.map((spec) => problemOf(spec, values.value[spec.name] ?? ""));
  const given = Object.fromEntries(fields.map((spec) => [spec.name, fieldValue(spec, values.value[spec.name] ?? "")]));
  const input = inputOf(fact, given);
  const send = async () => {
    isChecked.value = true;
    if (problems.some((found) => found !== null)) return;
    try {
      outcome.value = { isGood: true, answer: await callAny(id, input) };
    } catch (thrown) {
      outcome.value = { isGood: false, thrown };
    }
  };
  return (
    <Dialog title={fact.command} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p lang="en">{fact.summary}</p>
        {fact.oneOf === undefined ? null : <p class="hint">{words.value.one_of(fact.oneOf.join(", "))}</p>}
        {fields.map((spec, index) => (
          <Field
            key={spec.name}
            spec={spec}
            text={values.value[spec.name] ?? ""}
            problem={isChecked.value ? (problems[index] ?? null) : null}
            onText={(text) => {
              values.value = { ...values.value, [spec.name]: text };
            }}
          />
        ))}
        <Code label={words.value.command} text={lineFor(id, input)} />
        <output class="outcome outcome-bad">
          {outcome.value?.isGood === false ? <Refused of={outcome.value.thrown} /> : null}
        </output>
        {outcome.value?.isGood === true ? (
          <Json label={words.value.answer} value={outcome.value.answer ?? null} />
        ) : null}
        <div class="form-end">
          <button type="button" onClick={onClose}>
            {shared.value.close}
          </button>
          <button type="submit" class="main" disabled={!connection.isWorking}>
            {words.value.send}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
