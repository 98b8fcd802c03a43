import { describe, expect, it } from "vitest";
import { notFound } from "../../src/kernel/errors.js";

const UUID = "01a1fce5-07bb-7000-9ded-5f668d9661ce";

describe("the hint for an id of another kind", () => {
  it.each([
    ["payment", `ch_${UUID}`, ` ch_${UUID} is the id of a charge. Its payment is tx_${UUID}.`],
    ["charge", `tx_${UUID}`, ` tx_${UUID} is the id of a payment. Its charge is ch_${UUID}.`],
    ["refund", `tx_${UUID}`, ` tx_${UUID} is the id of a payment.`],
    ["MED case", `we_${UUID}`, ` we_${UUID} is the id of a webhook endpoint.`],
    ["delivery", `evt_${UUID}`, ` evt_${UUID} is the id of an event.`],
  ])("in the place of a %s names the right kind: %s", (what, id, advice) => {
    expect(notFound(what, id).message).toBe(`No such ${what} in this account and mode.${advice}`);
  });

  it.each([
    ["payment", `tx_${UUID}`],
    ["payment", UUID],
    ["charge or payment", `tx_${UUID}`],
    ["API key", `key_${UUID}`],
    ["payment", "what_ever"],
  ])("is not given for an unknown %s: %s", (what, id) => {
    expect(notFound(what, id).message).toBe(`No such ${what} in this account and mode.`);
  });
});
