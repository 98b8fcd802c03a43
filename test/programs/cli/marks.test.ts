import { expect, it } from "vitest";
import { stateGraphOf } from "../../../src/base/kernel/machine.js";
import { cell, palette } from "../../../src/programs/cli/terminal/output.js";
import { medMachine } from "../../../src/service/features/med/machine.js";
import { payoutMachine } from "../../../src/service/features/payouts/machine.js";
import { refundMachine } from "../../../src/service/features/refunds/machine.js";
import { PUBLIC_STATUS, transactionMachine } from "../../../src/service/features/transactions/machine.js";

/** The sign in front of a status says without colour whether it is good, bad, or on its way. */

it("is a tick, a cross or a dot for each status that there is", async () => {
  const statuses = [transactionMachine, refundMachine, payoutMachine, medMachine].flatMap((machine) => [
    ...stateGraphOf(machine as typeof transactionMachine).keys(),
  ]);
  const plain = await palette({ isTerminal: false, env: {} } as never, false);
  const marked = [
    ...statuses,
    ...Object.values(PUBLIC_STATUS),
    "returned",
    "DELIVERED",
    "passed",
    "noted",
    "NEWER",
  ].map((status) => String(cell({ status }, { header: "", path: "status", format: "status" }, plain)));
  expect([...new Set(marked)].toSorted()).toMatchInlineSnapshot(`
    [
      "• IN_PROGRESS",
      "• NEWER",
      "• PENDING",
      "• PROCESSING",
      "• REFUNDED",
      "• WAITING_PAYMENT",
      "• accepted",
      "• appealed",
      "• closed",
      "• noted",
      "• open",
      "• pending",
      "• processing",
      "• refunded",
      "• rejected",
      "✓ APPROVED",
      "✓ DELIVERED",
      "✓ PAID",
      "✓ paid",
      "✓ passed",
      "✗ CANCELLED",
      "✗ CHARGEBACK",
      "✗ DISPUTE",
      "✗ EXPIRED",
      "✗ FAILED",
      "✗ REFUSED",
      "✗ cancelled",
      "✗ disputed",
      "✗ expired",
      "✗ failed",
      "✗ returned",
    ]
  `);
});
