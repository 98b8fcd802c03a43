import { ID_PREFIX } from "../../../../../base/kernel/ids.js";
import { Dotted } from "../../parts/items.js";
import { ObjectLink } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { texts } from "../../state/language.js";
import { refundMoves } from "../charges/refund-steps.js";

const words = texts("refunds");

export const Refunds = resource("refunds", {
  list: {
    id: "sandbox.refunds.list",
    on: ["refund"],
    tabs: "plain",
    columns: ["amount", "status", { field: "transactionId", isSecond: true }, { field: "createdAt", isSecond: true }],
    empty: "qa-pay payments refund tx_…",
  },
  object: {
    get: "sandbox.refunds.get",
    on: ["refund"],
    line: ({ transactionId, reason }) => (
      <>
        {words.value.of_payment} <Dotted of={[<ObjectLink id={ID_PREFIX.transaction + transactionId} />, reason]} />
      </>
    ),
    facts: ["createdAt", "strategy", "failureReason", "endToEndId"],
    moves: refundMoves,
  },
});
