import { expect, it } from "vitest";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import { CASES } from "../../../src/emulator/receiver-check/cases.js";
import { deliveriesOf } from "../../../src/emulator/receiver-check/check-receiver.js";

/** The receiver's cases in a report of `survive`: a receiver may read the charge of a webhook from the service. */

it("is about one charge that the service has, in every event of a charge, a payment or a dispute", () => {
  const charge = "0198f000-0000-7000-8000-000000000000";
  const receiver = { url: "http://127.0.0.1:1/", secret: "5".repeat(64), oldSecret: "", charge, real: realTime };
  const how = { uuid: () => crypto.randomUUID(), insecureTls: false, timeoutMs: 1 };
  const bodies = CASES.flatMap((one) => deliveriesOf(one, { ...receiver, ...how })).map(({ body }) => JSON.parse(body));
  const ids = bodies.flatMap(({ data }) => {
    const { object, charge_id, transactionId, id } = data.object ?? data;
    return object === "payout" || object === "subscription" ? [] : [charge_id ?? transactionId ?? id];
  });
  expect(ids.length).toBeGreaterThan(30);
  for (const id of ids) expect(id).toMatch(new RegExp(`^(?:ch|tx)_${charge}$`));
});
