import { ID_PREFIX } from "../../../../../base/kernel/ids.js";
import { Dotted } from "../../parts/items.js";
import { TwoLines } from "../../parts/two-lines.js";
import { ObjectLink, Status, type Tone, toneOfCode } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { texts } from "../../state/language.js";
import { refundMoves } from "../charges/refund-steps.js";

const words = texts("refunds");

/** The state of a refund. Where it ends well, the money has arrived: for a charge the same word is an end like others. */
function RefundStatus({ of: { status } }: { of: { readonly status: string } }) {
  const tone: Tone = status === "REFUNDED" ? "good" : toneOfCode(status);
  return <Status status={status} tone={tone} />;
}

export const Refunds = resource("refunds", {
  list: {
    id: "sandbox.refunds.list",
    on: ["refund"],
    tabs: "plain",
    columns: [
      "amount",
      { label: "status", show: (row) => <RefundStatus of={row} /> },
      {
        label: "customer_name",
        isSecond: true,
        class: "grows",
        show: ({ customerName: name, reason }) => <TwoLines first={name} second={reason} />,
      },
      { field: "createdAt", class: "card-end" },
    ],
    empty: "qa-pay payments refund tx_…",
  },
  object: {
    get: "sandbox.refunds.get",
    on: ["refund"],
    state: (refund) => <RefundStatus of={refund} />,
    line: ({ transactionId, reason }) => (
      <>
        {words.value.of_payment} <Dotted of={[<ObjectLink id={ID_PREFIX.transaction + transactionId} />, reason]} />
      </>
    ),
    facts: ["createdAt", "strategy", "failureReason", "endToEndId"],
    moves: refundMoves,
  },
});
