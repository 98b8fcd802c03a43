import { useLocation } from "preact-iso/router";
import { transactionMachine } from "../../../../features/transactions/machine.js";
import { FormAction } from "../../parts/action.js";
import type { FieldSpec } from "../../parts/fields.js";
import { withBook } from "../../state/book.js";
import { newChargeInput } from "./new-charge-input.js";
import { words } from "./words.js";

function fields(): readonly FieldSpec[] {
  const { value } = words;
  return [
    { name: "amount", label: value.amount, kind: "money", required: true },
    { name: "name", label: value.name },
    { name: "document", label: value.tax_id },
    { name: "description", label: value.description },
    { name: "expires_in", label: value.expiry, kind: "number", hint: value.expiry_hint },
    { name: "expected", label: value.expected, hint: value.expected_hint },
    { name: "pay_after", label: value.pay_after, kind: "number" },
    { name: "pay_amount", label: value.pay_amount, kind: "money" },
    { name: "payer_document", label: value.pay_document, hint: value.pay_document_hint },
    { name: "payer_name", label: value.pay_name },
    { name: "med_after", label: value.med_after, kind: "number" },
    { name: "fail", label: value.fail, hint: value.fail_hint },
    { name: "metadata", label: value.metadata, kind: "json" },
  ];
}

/** Creates a Pix charge and leads to its page. */
export function NewCharge() {
  const { route } = useLocation();
  return (
    <FormAction
      id="charges.create"
      label={words.value.new_charge}
      kind="main"
      text={
        <>
          <p>{words.value.new_text}</p>
          <p class="hint">{words.value.script}</p>
        </>
      }
      emits={transactionMachine.initial.emits}
      fields={fields()}
      input={newChargeInput}
      done={({ id }) => {
        route(withBook(`/console/charges/${id}`));
        return null;
      }}
    />
  );
}
