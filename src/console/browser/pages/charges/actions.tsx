import type { OperationAnswer } from "../../../../client/types.js";
import { MED_METHODS, MED_TYPES, medMachine } from "../../../../features/med/machine.js";
import { isWaiting, type TransactionMove, transactionMachine } from "../../../../features/transactions/machine.js";
import { Action, Actions, FormAction } from "../../parts/action.js";
import { codeName } from "../../parts/codes.js";
import type { FieldSpec } from "../../parts/fields.js";
import { type Move, Simulate } from "../../parts/moves.js";
import { ObjectLink } from "../../parts/values.js";
import { terms, texts } from "../../state/language.js";
import { moveFacts, notIn } from "../../words/machine-move.js";
import { failInput, openCaseInput, payInput, refundInput } from "./action-input.js";

import type { Subject } from "./subject.js";

/** The actions on a charge. What the machine does not allow is no button, and says why. */

const words = texts("charges_action");

function movesOf({ payment }: Subject, moves: readonly TransactionMove[]) {
  return moveFacts(transactionMachine, payment.status, moves);
}

function payFields({ payment }: Subject): readonly FieldSpec[] {
  const { value } = words;
  const methods: readonly string[] = payment.paymentMethods;
  return [
    { name: "amount", label: terms.value.amount, kind: "money", hint: value.amount_hint },
    {
      name: "payer_kind",
      label: value.payer_kind,
      kind: "choice",
      required: true,
      value: "expected",
      choices: [
        { value: "expected", words: value.payer_expected },
        { value: "other", words: value.payer_other },
        { value: "none", words: terms.value.none },
      ],
    },
    { name: "payer_document", label: value.payer_document },
    { name: "payer_name", label: value.payer_name },
    ...(methods.length > 1
      ? [{ name: "method", label: terms.value.method, kind: "choice" as const, choices: methods }]
      : []),
  ];
}

/** The expected payment: a card is approved, any other method is paid. In PROCESSING a review decides, or the issuer. */
function payFacts({ payment }: Subject) {
  const isCard = payment.paymentMethods[0] === "CREDIT_CARD";
  const move = transactionMachine.transitions[isCard ? "approve" : "settle"];
  const isPossible = isWaiting(payment.status);
  const possible = move.from.filter(isWaiting);
  return { disabled: isPossible ? null : notIn(payment.status, possible), emits: isPossible ? move.emits : [] };
}

/** What the payer can do. */
function payerMoves(subject: Subject): readonly Move[] {
  const { value } = words;
  const { id, payment } = subject;
  const pay = payFacts(subject);
  const said = ({ outcome }: OperationAnswer<"sandbox.charges.pay">) => value.outcomes[outcome];
  return [
    <Action
      key="pay"
      id="sandbox.charges.pay"
      label={value.pay}
      kind="main"
      input={{ params: { id }, body: {} }}
      {...pay}
      done={said}
    />,
    <FormAction
      key="otherwise"
      id="sandbox.charges.pay"
      label={value.pay_otherwise}
      disabled={pay.disabled}
      text={value.pay_text}
      fields={payFields(subject)}
      input={(texts) => payInput(id, texts)}
      done={said}
    />,
    <FormAction
      key="late"
      id="sandbox.charges.pay"
      label={value.late}
      disabled={isWaiting(payment.status) ? value.late_waits : null}
      emits={[]}
      text={value.late_text}
      fields={payFields(subject).filter(({ name }) => name === "amount" || name === "payer_name")}
      input={(texts) => payInput(id, texts)}
      done={said}
    />,
  ];
}

/** What the provider can do. */
function providerMoves(subject: Subject): readonly Move[] {
  const { value } = words;
  const { id, payment, isHeld } = subject;
  // Money that is held for review is no card in flight, so the provider cannot end it.
  const ofProvider = (moves: readonly TransactionMove[]) =>
    isHeld ? { disabled: value.held, emits: [] } : movesOf(subject, moves);
  const review = (move: TransactionMove) =>
    isHeld ? movesOf(subject, [move]) : { disabled: `${value.not_held} (${codeName(payment.status)})`, emits: [] };
  const decide = (decision: "approve" | "reject") => ({ params: { id }, body: { decision } });
  return [
    <FormAction
      key="fail"
      id="sandbox.charges.fail"
      label={value.fail}
      {...ofProvider(["fail", "decline"])}
      fields={[
        { name: "code", label: value.code, value: "AC06", hint: value.code_hint },
        { name: "reason", label: terms.value.reason },
      ]}
      input={(texts) => failInput(id, texts)}
    />,
    <Action
      key="expire"
      id="sandbox.charges.expire"
      label={value.expire}
      input={{ params: { id } }}
      {...ofProvider(["expire", "abandon"])}
    />,
    <Action
      key="approve"
      id="sandbox.charges.review"
      label={value.approve}
      input={decide("approve")}
      {...review("settle")}
    />,
    <Action
      key="reject"
      id="sandbox.charges.review"
      label={value.reject}
      input={decide("reject")}
      {...review("return")}
    />,
  ];
}

/** What the merchant does through the service: the buttons in the head of the page. Those that are not possible are left out. */
export function MerchantActions({ subject }: { subject: Subject }) {
  const { value } = words;
  const { rawId } = subject;
  const cancel = movesOf(subject, ["cancel"]);
  const refund = movesOf(subject, ["refund"]);
  return (
    <Actions>
      {refund.disabled === null ? (
        <FormAction
          id="payments.refund"
          label={value.refund}
          kind="main"
          emits={[]}
          text={value.refund_text}
          fields={[
            { name: "amount", label: terms.value.amount, kind: "money", hint: value.refund_amount_hint },
            { name: "reason", label: terms.value.reason },
            { name: "strategy", label: terms.value.strategy, kind: "choice", choices: ["devolution", "cashout"] },
            { name: "pass_fee", label: value.pass_fee, kind: "yes" },
            { name: "destination", label: value.destination },
          ]}
          input={(texts) => refundInput(rawId, texts)}
          done={({ id: made }) => (
            <>
              {value.refund_made} <ObjectLink id={made} />
            </>
          )}
        />
      ) : null}
      {cancel.disabled === null ? (
        <FormAction
          id="payments.cancel"
          label={value.cancel}
          {...cancel}
          text={value.cancel_text}
          fields={[]}
          input={() => ({ params: { id: rawId } })}
        />
      ) : null}
    </Actions>
  );
}

/** What the payer's bank can do. */
function bankMoves(subject: Subject): readonly Move[] {
  const { value } = words;
  return [
    <FormAction
      key="med"
      id="sandbox.med.open"
      label={terms.value.open_med_case}
      disabled={movesOf(subject, ["dispute"]).disabled}
      emits={[...medMachine.initial.emits, ...transactionMachine.transitions.dispute.emits]}
      text={value.med_text}
      fields={[
        { name: "method", label: value.med_method, kind: "choice", choices: MED_METHODS, value: "other" },
        { name: "type", label: terms.value.type, kind: "choice", choices: MED_TYPES, value: "med" },
        { name: "amount", label: terms.value.amount, kind: "money", hint: value.med_amount_hint },
        { name: "reason", label: terms.value.reason },
        { name: "deadline", label: value.deadline, hint: value.deadline_hint },
      ]}
      input={(texts) => openCaseInput(subject.id, texts)}
      done={({ id: made }) => (
        <>
          {value.case_opened} <ObjectLink id={made} />
        </>
      )}
    />,
  ];
}

/** Everything that the payer, the provider and the payer's bank can do to a charge. */
export function ChargeActions({ subject }: { subject: Subject }) {
  return <Simulate of={[...payerMoves(subject), ...providerMoves(subject), ...bankMoves(subject)]} />;
}
