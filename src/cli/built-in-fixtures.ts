import chargeCreated from "../../fixtures/charge-created.json" with { type: "json" };
import chargeExpired from "../../fixtures/charge-expired.json" with { type: "json" };
import chargeFailed from "../../fixtures/charge-failed.json" with { type: "json" };
import chargePaid from "../../fixtures/charge-paid.json" with { type: "json" };
import medAppealed from "../../fixtures/med-appealed.json" with { type: "json" };
import medOpened from "../../fixtures/med-opened.json" with { type: "json" };
import medResolved from "../../fixtures/med-resolved.json" with { type: "json" };
import payoutCreated from "../../fixtures/payout-created.json" with { type: "json" };
import payoutFailed from "../../fixtures/payout-failed.json" with { type: "json" };
import payoutPaid from "../../fixtures/payout-paid.json" with { type: "json" };
import refundDone from "../../fixtures/refund-done.json" with { type: "json" };
import smallShop from "../../fixtures/small-shop.json" with { type: "json" };
import type { Fixture } from "./fixtures.js";

/** The scripts that come with the product, by the name that `trigger`, `fixtures run` and `--seed` know them by. */
export const FIXTURES: Readonly<Record<string, Fixture>> = {
  "charge-created": chargeCreated,
  "charge-expired": chargeExpired,
  "charge-failed": chargeFailed,
  "charge-paid": chargePaid,
  "med-appealed": medAppealed,
  "med-opened": medOpened,
  "med-resolved": medResolved,
  "payout-created": payoutCreated,
  "payout-failed": payoutFailed,
  "payout-paid": payoutPaid,
  "refund-done": refundDone,
  "small-shop": smallShop,
};
