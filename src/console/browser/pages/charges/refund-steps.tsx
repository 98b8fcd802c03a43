import type { OperationAnswer } from "../../../../client/types.js";
import { type RefundMove, refundMachine } from "../../../../features/refunds/machine.js";
import { type Move, Moves } from "../../parts/moves.js";
import { Money, ObjectLink, Status, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { terms, texts } from "../../state/language.js";
import { notIn } from "../../words/machine-move.js";

const words = texts("charges_action");

type Refund = OperationAnswer<"payments.refunds">[number];
type Target = "IN_PROGRESS" | "REFUNDED" | "FAILED";

/** The moves that lead from each state to each target. REFUNDED and FAILED pass through IN_PROGRESS. */
const WAYS: Readonly<Record<Target, readonly RefundMove[]>> = {
  IN_PROGRESS: ["start"],
  REFUNDED: ["start", "complete"],
  FAILED: ["start", "fail"],
};

/** The events of the way from a state to a target, or why there is none. */
function stepFacts(status: Refund["status"], target: Target) {
  const { transitions } = refundMachine;
  const moves = WAYS[target];
  const first = moves.findIndex((move) => transitions[move].from.includes(status));
  if (first === -1)
    return {
      disabled: notIn(
        status,
        moves.flatMap((move) => transitions[move].from),
      ),
      emits: [],
    };
  return { disabled: null, emits: moves.slice(first).flatMap((move) => transitions[move].emits) };
}

/** The actions that take a refund to its next status in place of the acquirer. */
export function refundMoves({ id, status }: Pick<Refund, "id" | "status">): readonly Move[] {
  const { value } = words;
  const step = (to: Target, label: string) =>
    act("sandbox.refunds.advance", { label, kind: "small", params: { id }, body: { to }, ...stepFacts(status, to) });
  return [step("IN_PROGRESS", value.in_progress), step("REFUNDED", value.refunded), step("FAILED", value.failed)];
}

/** The refunds of a payment, newest first, each with its steps. */
export function RefundsOf({ refunds }: { refunds: readonly Refund[] }) {
  if (refunds.length === 0) return <p class="hint">{words.value.no_refunds}</p>;
  return (
    <ul class="plain refunds">
      {refunds.map((refund) => (
        <li key={refund.id}>
          <p>
            <ObjectLink id={refund.id} /> <Money amount={refund.amount} currency={refund.currency} />{" "}
            <Status status={refund.status} /> <Time at={refund.createdAt} /> {refund.strategy}
            {refund.reason === null ? null : ` · ${refund.reason}`}
            {refund.failureReason === null ? null : ` · ${terms.value.failure}: ${refund.failureReason}`}
          </p>
          <Moves of={refundMoves(refund)} />
        </li>
      ))}
    </ul>
  );
}
