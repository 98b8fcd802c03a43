import { useLocation } from "preact-iso/router";
import { transactionMachine } from "../../../../features/transactions/machine.js";
import { FormAction } from "../../parts/action.js";
import type { FieldSpec } from "../../parts/fields.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { newChargeInput } from "./new-charge-input.js";

const words = texts("charges");

/** A price that is ready to be sent. */
const SAMPLE_AMOUNT = "19,90";

function fields(): readonly FieldSpec[] {
  const { value } = words;
  const more = { group: terms.value.more };
  const script = (name: string) => ({ group: value.script, param: `metadata._sandbox.${name}` });
  return [
    { name: "amount", label: terms.value.amount, kind: "money", required: true, value: SAMPLE_AMOUNT },
    { name: "name", label: value.name, param: "customer.name" },
    { name: "document", label: value.tax_id, param: "customer.document" },
    { name: "description", label: value.description },
    { name: "pay_after", label: value.pay_after, kind: "number", ...script("pay_after") },
    { name: "pay_amount", label: value.pay_amount, kind: "money", ...script("amount") },
    { name: "payer_document", label: value.pay_document, hint: value.pay_document_hint, ...script("payer_document") },
    { name: "payer_name", label: value.pay_name, ...script("payer_name") },
    { name: "med_after", label: value.med_after, kind: "number", ...script("med_after") },
    { name: "fail", label: value.fail, hint: value.fail_hint, ...script("fail") },
    { name: "expires_in", label: value.expiry, kind: "number", hint: value.expiry_hint, ...more },
    { name: "expected", label: value.expected, hint: value.expected_hint, ...more, param: "expected_payer_tax_id" },
    { name: "metadata", label: value.metadata, kind: "json", ...more },
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
      text={words.value.new_text}
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
