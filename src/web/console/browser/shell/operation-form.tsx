import { useSignal } from "@preact/signals";
import { fill } from "../../../../base/kernel/message.js";
import { callAny } from "../api/call.js";
import { commands } from "../facts/commands.js";
import { Dialog } from "../parts/dialog.js";
import { fieldValue } from "../parts/fields.js";
import { FormEnd, FormFields, useForm } from "../parts/form.js";
import { Json } from "../parts/json.js";
import { Refused } from "../parts/why.js";
import { shared } from "../parts/words.js";
import { formOf, inputOf } from "../resource/contract-form.js";
import { connection } from "../state/connection.js";
import { terms, texts } from "../state/language.js";
import { closeOverlay } from "./palette-state.js";

/** The generated form of any operation: its fields, its command, and the answer as JSON. */

const words = texts("operation_form");

type FormResult =
  | { readonly isGood: true; readonly answer: unknown }
  | { readonly isGood: false; readonly thrown: unknown };

export function OperationForm({ id }: { id: string }) {
  const fact = commands[id];
  const fields = fact === undefined ? [] : formOf(fact);
  const form = useForm(fields);
  const outcome = useSignal<FormResult | null>(null);
  if (fact === undefined) return null;
  const given = Object.fromEntries(fields.map((spec) => [spec.name, fieldValue(spec, form.values[spec.name] ?? "")]));
  const input = inputOf(fact, given);
  const send = async () => {
    if (!form.check()) return;
    try {
      outcome.value = { isGood: true, answer: await callAny(id, input) };
    } catch (thrown) {
      outcome.value = { isGood: false, thrown };
      form.refuse(thrown);
    }
  };
  return (
    <Dialog title={fact.command} onClose={closeOverlay} isDrawer>
      <form
        class="stack"
        ref={form.place}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p lang="en">{fact.summary}</p>
        {fact.oneOf === undefined ? null : (
          <p class="hint">{fill(words.value.one_of, { names: fact.oneOf.join(", ") })}</p>
        )}
        <FormFields fields={fields} form={form} />
        <output class="outcome outcome-bad">
          {outcome.value?.isGood === false ? <Refused of={outcome.value.thrown} /> : null}
        </output>
        {outcome.value?.isGood === true ? (
          <Json label={terms.value.answer} value={outcome.value.answer ?? null} />
        ) : null}
        <FormEnd id={id} input={form.isWhole ? input : null} onClose={closeOverlay} close={shared.value.close}>
          <button type="submit" class="main" disabled={!connection.isWorking}>
            {words.value.send}
          </button>
        </FormEnd>
      </form>
    </Dialog>
  );
}
