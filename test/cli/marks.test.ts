import { expect, it } from "vitest";
import { cell, palette } from "../../src/cli/terminal/output.js";
import { medMachine } from "../../src/features/med/machine.js";
import { payoutMachine } from "../../src/features/payouts/machine.js";
import { refundMachine } from "../../src/features/refunds/machine.js";
import { PUBLIC_STATUS, transactionMachine } from "../../src/features/transactions/machine.js";
import { stateGraphOf } from "../../src/kernel/machine.js";

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
