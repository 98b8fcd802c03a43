import type { MedStatus } from "../../../../features/med/machine.js";
import { Action, Actions, FormAction } from "../../parts/action.js";
import { shared } from "../../parts/words.js";
import { texts } from "../../state/language.js";
import { notify } from "../../state/notice.js";
import { type Evidence, EvidenceOfCase } from "./evidence.js";
import { canAskForEvidence, possible } from "./moves.js";

/** The two sides of a case. Both are played here, so each has its own colour. */

const words = texts("med");

/** The buttons change with the state of the case, so that the outcome stands elsewhere: in its state, in its timeline, and here. */
const told = (label: string) => () => {
  notify(`${label}: ${shared.value.done}`);
  return null;
};

interface SideProps {
  readonly id: string;
  readonly status: MedStatus;
}

export function MerchantSide({ id, status, evidence }: SideProps & { readonly evidence: Evidence }) {
  const { value } = words;
  return (
    <section class="section side-merchant">
      <h2>{value.merchant}</h2>
      <p class="hint">{value.merchant_about}</p>
      <Actions label={value.merchant}>
        <FormAction
          id="med.appeal"
          label={value.appeal}
          done={told(value.appeal)}
          kind="main"
          {...possible(status, "appeal")}
          fields={[{ name: "reason", label: value.appeal_field, kind: "long", required: true }]}
          input={({ reason }) => ({ params: { id }, body: { reason } })}
        />
        <FormAction
          id="med.accept"
          label={value.accept}
          done={told(value.accept)}
          {...possible(status, "accept")}
          text={value.accept_about}
          fields={[]}
          input={() => ({ params: { id } })}
        />
      </Actions>
      <EvidenceOfCase id={id} status={status} of={evidence} />
    </section>
  );
}

const DECISIONS = {
  upheld: ["uphold", "uphold_unanswered"],
  refunded_to_merchant: ["decide_for_merchant"],
  closed_without_refund: ["close_without_refund"],
} as const;

export function BankSide({ id, status }: SideProps) {
  const { value } = words;
  const decide = (outcome: keyof typeof DECISIONS, label: string) => (
    <Action
      id="sandbox.med.decide"
      label={label}
      done={told(label)}
      {...possible(status, ...DECISIONS[outcome])}
      input={{ params: { id }, body: { outcome } }}
    />
  );
  return (
    <section class="section side-bank">
      <h2>{value.bank}</h2>
      <p class="hint">{value.bank_about}</p>
      <Actions label={value.bank}>
        <Action
          id="sandbox.med.request-evidence"
          label={value.request_evidence}
          done={told(value.request_evidence)}
          {...canAskForEvidence(status)}
          input={{ params: { id } }}
        />
        {decide("upheld", value.upheld)}
        {decide("refunded_to_merchant", value.for_merchant)}
        {decide("closed_without_refund", value.without_refund)}
        <Action
          id="sandbox.med.withdraw"
          label={value.withdraw}
          done={told(value.withdraw)}
          {...possible(status, "withdraw")}
          input={{ params: { id } }}
        />
      </Actions>
      {status === "open" ? <p class="hint">{value.upheld_unanswered}</p> : null}
    </section>
  );
}
