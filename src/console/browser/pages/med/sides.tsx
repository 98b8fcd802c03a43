import { isUndecided, type MedStatus, medMachine } from "../../../../features/med/machine.js";
import { Actions } from "../../parts/action.js";
import { shared } from "../../parts/words.js";
import { act } from "../../resource/act.js";
import { texts } from "../../state/language.js";
import { notify } from "../../state/notice.js";
import { moveFacts, notIn } from "../../words/machine-move.js";
import { DropPlace, EvidenceOfCase } from "./evidence.js";

/** The two sides of a case. Both are played here, so each has its own colour. */

const words = texts("med");

/**
 * The buttons change with the state of the case, so that the outcome stands elsewhere: in its state, in its timeline, and in the
 * notice.
 */
const named = (label: string) => ({
  label,
  done: () => {
    notify(`${label}: ${shared.value.done}`);
    return null;
  },
});

type SideProps = { readonly id: string; readonly status: MedStatus };

export function MerchantSide({ id, status }: SideProps) {
  const { value } = words;
  return (
    <section class="section side-merchant">
      <h2>{value.merchant}</h2>
      <p class="hint">{value.merchant_about}</p>
      <Actions label={value.merchant}>
        {act("med.appeal", {
          ...named(value.appeal),
          kind: "main",
          params: { id },
          text: <DropPlace caseId={id} />,
          ask: [{ name: "reason", label: "appeal_reason_asked", kind: "long" }],
          ...moveFacts(medMachine, status, ["appeal"]),
        })}
        {act("med.accept", {
          ...named(value.accept),
          params: { id },
          text: value.accept_about,
          ...moveFacts(medMachine, status, ["accept"]),
        })}
      </Actions>
      <EvidenceOfCase id={id} status={status} />
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
  const decide = (outcome: keyof typeof DECISIONS, label: string) =>
    act("sandbox.med.decide", {
      ...named(label),
      params: { id },
      body: { outcome },
      ...moveFacts(medMachine, status, DECISIONS[outcome]),
    });
  return (
    <section class="section side-bank">
      <h2>{value.bank}</h2>
      <p class="hint">{value.bank_about}</p>
      <Actions label={value.bank}>
        {act("sandbox.med.request-evidence", {
          ...named(value.request_evidence),
          params: { id },
          // The bank asks while a case is not decided. That is no move of the machine.
          disabled: isUndecided(status) ? null : notIn(status, medMachine.states.filter(isUndecided)),
          emits: ["med_case.updated"],
        })}
        {decide("upheld", value.upheld)}
        {decide("refunded_to_merchant", value.for_merchant)}
        {decide("closed_without_refund", value.without_refund)}
        {act("sandbox.med.withdraw", {
          ...named(value.withdraw),
          params: { id },
          ...moveFacts(medMachine, status, ["withdraw"]),
        })}
      </Actions>
      {status === "open" ? <p class="hint">{value.upheld_unanswered}</p> : null}
    </section>
  );
}
