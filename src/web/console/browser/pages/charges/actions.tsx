import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { formatMoney } from "../../../../../base/kernel/money.js";
import { medMachine } from "../../../../../service/features/med/machine.js";
import {
  isWaiting,
  type TransactionMove,
  transactionMachine,
} from "../../../../../service/features/transactions/machine.js";
import { codeName } from "../../parts/codes.js";
import { type Move, Simulate } from "../../parts/moves.js";
import { ObjectLink } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { folded } from "../../resource/form-fields.js";
import { terms, texts } from "../../state/language.js";
import { moveFacts, notIn } from "../../words/machine-move.js";
import type { Subject } from "./subject.js";

/** The actions on a charge. An action that the state machine forbids is no button, and has a reason. */

const words = texts("charges_action");

const movesOf = ({ payment }: Subject, moves: readonly TransactionMove[]) =>
  moveFacts(transactionMachine, payment.status, moves);

/** The expected payment: approval for a card, else payment. In PROCESSING, a review or the issuer decides. */
function payFacts({ payment: { paymentMethods, status } }: Subject) {
  const { from, emits } = transactionMachine.transitions[paymentMethods[0] === "CREDIT_CARD" ? "approve" : "settle"];
  return isWaiting(status) ? { disabled: null, emits } : { disabled: notIn(status, from.filter(isWaiting)), emits: [] };
}

const paid = ({ outcome }: OperationAnswer<"sandbox.charges.pay">) => words.value.outcomes[outcome];

/** The expected payer pays the right amount. */
export function payMove(subject: Subject, shortcut?: "p"): Move {
  return act("sandbox.charges.pay", {
    label: words.value.pay,
    kind: "main",
    params: { id: subject.id },
    body: {},
    done: paid,
    ...(shortcut === undefined ? {} : { shortcut }),
    ...payFacts(subject),
  });
}

/** The actions of the payer. */
function payerMoves(subject: Subject): readonly Move[] {
  const { status, paymentMethods: methods } = subject.payment;
  const pay = payFacts(subject);
  const shared = { params: { id: subject.id }, done: paid };
  const amount = { name: "amount", hint: words.value.amount_hint } as const;
  return [
    payMove(subject, "p"),
    act("sandbox.charges.pay", {
      ...shared,
      label: words.value.pay_otherwise,
      disabled: pay.disabled,
      text: words.value.pay_text,
      ask: [
        amount,
        { name: "payer_document", hint: words.value.payer_document_hint },
        "payer_name",
        ...(methods.length > 1 ? [{ name: "method", choices: methods } as const] : []),
      ],
    }),
    act("sandbox.charges.pay", {
      ...shared,
      label: words.value.late,
      disabled: isWaiting(status) ? words.value.late_waits : null,
      emits: [],
      text: words.value.late_text,
      ask: [amount, "payer_name"],
    }),
  ];
}

/** The actions of the provider. */
function providerMoves(subject: Subject): readonly Move[] {
  const { id, payment, isHeld } = subject;
  const params = { id };
  // Money held for review is no card payment in progress, so the provider cannot end it.
  const ofProvider = (moves: readonly TransactionMove[]) =>
    isHeld ? { disabled: words.value.held, emits: [] } : movesOf(subject, moves);
  const notHeld = { disabled: `${words.value.not_held} (${codeName(payment.status)})`, emits: [] };
  const review = (decision: "approve" | "reject", move: TransactionMove) =>
    act("sandbox.charges.review", {
      label: words.value[decision],
      params,
      body: { decision },
      ...(isHeld ? movesOf(subject, [move]) : notHeld),
    });
  return [
    act("sandbox.charges.fail", {
      label: words.value.fail,
      params,
      ask: [{ name: "provider_error_code", value: "AC06" }, "reason"],
      ...ofProvider(["fail", "decline"]),
    }),
    act("sandbox.charges.expire", { label: words.value.expire, params, ...ofProvider(["expire", "abandon"]) }),
    review("approve", "settle"),
    review("reject", "return"),
  ];
}

/** What is left to refund, in the smallest unit. */
function refundable({ payment, refunds }: Pick<Subject, "payment" | "refunds">): number {
  const given = refunds.filter(({ status }) => status !== "FAILED").reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, payment.amount - given);
}

/** An amount as a person writes it into a field: `15.990,00`. */
const written = (amount: number, currency: string) => formatMoney(amount, currency).replace(/^[^\d-]+/, "");

/** Starts a refund: the whole amount, unless another one is chosen. */
function refundMove(subject: Subject): Move {
  const { currency } = subject.payment;
  const left = refundable(subject);
  const [all, half] = [written(left, currency), written(Math.ceil(left / 2), currency)];
  return act("payments.refund", {
    label: words.value.refund,
    kind: "main",
    params: { id: subject.rawId },
    emits: [],
    ask: [
      {
        name: "amount",
        value: all,
        hint: fill(words.value.refund_of, { amount: formatMoney(left, currency) }),
        quick: [
          { label: words.value.refund_all, text: all },
          { label: words.value.refund_half, text: half },
        ],
      },
      "reason",
      ...folded<"payments.refund">(terms.value.more, ["strategy", "passFeeToTenant", "destinationKey"]),
    ],
    done: ({ id }) => (
      <>
        {words.value.refund_made} <ObjectLink id={id} />
      </>
    ),
  });
}

/** The merchant's actions through the service: the first ones in the head of the page, without impossible ones. */
export function merchantMoves(subject: Subject): { readonly main: readonly Move[]; readonly more: readonly Move[] } {
  const params = { id: subject.rawId };
  const cancel = movesOf(subject, ["cancel"]);
  const canRefund = movesOf(subject, ["refund"]).disabled === null && refundable(subject) > 0;
  return {
    main: canRefund ? [refundMove(subject)] : [],
    more:
      cancel.disabled === null
        ? [act("payments.cancel", { label: words.value.cancel, params, text: words.value.cancel_text, ...cancel })]
        : [],
  };
}

/** The action of the payer's bank. */
function bankMove(subject: Subject): Move {
  return act("sandbox.med.open", {
    label: terms.value.open_med_case,
    emits: [...medMachine.initial.emits, ...transactionMachine.transitions.dispute.emits],
    opens: true,
    disabled: movesOf(subject, ["dispute"]).disabled,
    text: words.value.med_text,
    body: { charge_id: subject.id },
    ask: [
      { name: "method", label: "alleged", value: "other" },
      { name: "type", value: "med" },
      { name: "amount", hint: words.value.med_amount_hint },
      "reason",
      { name: "response_deadline", hint: words.value.deadline_hint },
    ],
  });
}

/** All actions of the payer, the provider and the payer's bank on a charge. */
export function ChargeActions({ subject }: { subject: Subject }) {
  return <Simulate of={[...payerMoves(subject), ...providerMoves(subject), bankMove(subject)]} />;
}
