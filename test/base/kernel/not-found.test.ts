import { describe, expect, it } from "vitest";
import { notFound } from "../../../src/base/kernel/errors.js";
import type { IdKind } from "../../../src/base/kernel/ids.js";

const UUID = "01a1fce5-07bb-7000-9ded-5f668d9661ce";

describe("the hint for an id of another kind", () => {
  it.each<[IdKind, string, string, string]>([
    ["transaction", "payment", `ch_${UUID}`, `a charge. Its payment is tx_${UUID}.`],
    ["charge", "charge", `tx_${UUID}`, `a payment. Its charge is ch_${UUID}.`],
    ["refund", "refund", `tx_${UUID}`, "a payment."],
    ["medCase", "MED case", `we_${UUID}`, "a webhook endpoint."],
    ["delivery", "delivery", `evt_${UUID}`, "an event."],
    ["account", "account", `em_${UUID}`, "an e-mail."],
  ])("in the place of a %s (%s) names the right kind: %s", (kind, what, id, other) => {
    expect(notFound(kind, id).message).toBe(`No such ${what} in this account and mode. ${id} is the id of ${other}`);
  });

  it.each<[IdKind, string, string, string?]>([
    ["medCase", "MED case", "med_"],
    ["apiKey", "API key", "key_"],
    ["endpoint", "webhook endpoint", "we_"],
    ["evidence", "piece of evidence of this case", "ev_", " of this case"],
  ])("in the place of a %s (%s) says which prefix is missing: %s", (kind, what, prefix, more) => {
    const advice = `The id needs its prefix: ${prefix}${UUID}.`;
    expect(notFound(kind, UUID, more).message).toBe(`No such ${what} in this account and mode. ${advice}`);
  });

  it.each<[readonly [IdKind, ...IdKind[]], string, string]>([
    [["transaction"], "payment", `tx_${UUID}`],
    [["transaction"], "payment", UUID],
    [["charge"], "charge", UUID],
    [["charge", "transaction"], "charge or payment", UUID],
    [["charge", "transaction"], "charge or payment", `tx_${UUID}`],
    [["charge", "transaction", "refund"], "charge, payment or refund", `rf_${UUID}`],
    [["apiKey"], "API key", `key_${UUID}`],
    [["transaction"], "payment", "what_ever"],
  ])("is not shown for an unknown %s (%s): %s", (kinds, what, id) => {
    expect(notFound(kinds, id).message).toBe(`No such ${what} in this account and mode.`);
  });
});
