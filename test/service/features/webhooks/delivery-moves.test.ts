import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../src/base/db/open.js";
import { canMove } from "../../../../src/base/kernel/machine.js";
import { createRuntime } from "../../../../src/base/platform/real-runtime.js";
import { type Core, createCore } from "../../../../src/programs/start/core.js";
import { prepareDatabase } from "../../../../src/programs/start/prepare-database.js";
import { record } from "../../../../src/service/features/history/actions.js";
import { completeSettings } from "../../../../src/service/features/read-settings.js";
import { publish, registerEndpoint } from "../../../../src/service/features/webhooks/actions.js";
import {
  DELIVERY_STATUSES,
  type DeliveryMove,
  type DeliveryStatus,
  deliveryMachine,
} from "../../../../src/service/features/webhooks/machine.js";
import { fresh } from "../../../support/shared.js";

/** The statements that change the status of a delivery, held against the machine that is documented. */

const database = fresh(() => openDatabase(":memory:"));
let core: Core;

beforeEach(async () => {
  core = createCore(database, createRuntime(), completeSettings({}));
  await prepareDatabase(core);
  await core.uow.write((tx) => {
    registerEndpoint(tx, 1, { url: "https://a.test/", events: ["charge.created"], origin: "api" });
    const history = record(tx, { book_id: 1, noun: "transaction", subject: "one", move: "create" });
    publish(tx, { bookId: 1, type: "charge.created", subject: "one", data: "{}", history });
  });
});

function statusNow(): DeliveryStatus {
  const [delivery] = core.stores.webhooks.deliveries({ book: 1 }, 1);
  if (delivery === undefined) throw new Error("there is no delivery");
  return delivery.status;
}

const moves: Readonly<Record<DeliveryMove, () => number>> = {
  claim: () => core.stores.webhooks.claim(0, 1),
  deliver: () => settle("DELIVERED"),
  retry: () => settle("PENDING"),
  give_up: () => settle("FAILED"),
  cancel: () => core.stores.webhooks.cancelDeliveries(0, 1),
  abandon: () => settle("CANCELLED"),
  recover: () => core.stores.webhooks.recoverClaimed(),
};

function settle(status: "DELIVERED" | "PENDING" | "FAILED" | "CANCELLED"): number {
  const [delivery] = core.stores.webhooks.deliveries({ book: 1 }, 1);
  return core.stores.webhooks.settleAttempt({
    seq: 1,
    id: delivery?.id ?? "",
    status,
    attempts: 1,
    next_attempt_at: null,
    last_status_code: 200,
    last_error: null,
    last_response_body: null,
    delivered_at: null,
    updated_at: 0,
  });
}

it("begins where the machine does", () => {
  expect(statusNow()).toBe(deliveryMachine.initial.state);
});

describe.each(Object.keys(moves) as DeliveryMove[])("the move %s", (move) => {
  it.each(DELIVERY_STATUSES)("from %s", (from) => {
    database.db.exec(`UPDATE deliveries SET status = '${from}'`);
    const isLegal = canMove(deliveryMachine, from, move);
    expect(moves[move]()).toBe(isLegal ? 1 : 0);
    expect(statusNow()).toBe(isLegal ? deliveryMachine.transitions[move].to : from);
  });
});
