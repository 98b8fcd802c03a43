import type { OperationAnswer } from "../../../../../api/client/types.js";
import { type RefundMove, refundMachine } from "../../../../../service/features/refunds/machine.js";
import { Dotted, Items } from "../../parts/items.js";
import { type Move, Moves } from "../../parts/moves.js";
import { Money, ObjectLink, Status, Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { terms, texts } from "../../state/language.js";
import { moveFacts } from "../../words/machine-move.js";

const words = texts("charges_action");

type Refund = OperationAnswer<"payments.refunds">[number];

/** The moves that lead from each state to each target. REFUNDED and FAILED pass through IN_PROGRESS. */
const WAYS: Readonly<Record<"IN_PROGRESS" | "REFUNDED" | "FAILED", readonly RefundMove[]>> = {
  IN_PROGRESS: ["start"],
  REFUNDED: ["start", "complete"],
  FAILED: ["start", "fail"],
};

/** The actions that move a refund to its next status instead of the acquirer. */
export function refundMoves({ id, status }: Pick<Refund, "id" | "status">): readonly Move[] {
  const step = (to: keyof typeof WAYS, label: string) => {
    const { transitions } = refundMachine;
    const way = WAYS[to];
    const first = way.findIndex((move) => transitions[move].from.includes(status));
    const emits = first === -1 ? [] : way.slice(first).flatMap((move) => transitions[move].emits);
    const facts = { ...moveFacts(refundMachine, status, way), emits };
    return act("sandbox.refunds.advance", { label, kind: "small", params: { id }, body: { to }, ...facts });
  };
  const { in_progress, refunded, failed } = words.value;
  return [step("IN_PROGRESS", in_progress), step("REFUNDED", refunded), step("FAILED", failed)];
}

/** The refunds of a payment, newest first, each with its steps. */
export function RefundsOf({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <Items of={refunds} none="" class="refunds">
      {(refund) => (
        <li key={refund.id}>
          <p>
            <ObjectLink id={refund.id} /> <Money amount={refund.amount} currency={refund.currency} />{" "}
            <Status status={refund.status} /> <Time at={refund.createdAt} />{" "}
            <Dotted
              of={[
                refund.strategy,
                refund.reason,
                refund.failureReason && `${terms.value.failure}: ${refund.failureReason}`,
              ]}
            />
          </p>
          <Moves of={refundMoves(refund)} />
        </li>
      )}
    </Items>
  );
}
