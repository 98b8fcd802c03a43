import { namesOf } from "../../base/kernel/names.js";

/** The faults between a shop and the payment service, and the oracles: rules that must hold all the same. */

export const FAULTS = {
  duplicate: "a webhook comes more than once",
  late: "a webhook arrives after later events",
  reordered: "webhooks come in another order",
  lost_until_retry: "the first attempts of a webhook are lost",
  simultaneous: "webhooks come at the same moment",
  forged: "somebody else sends a webhook",
  stale: "a webhook has an old signature",
  cut_answer: "the answer to a webhook is lost",
  api_503: "the service answers 503",
  api_429: "the service answers 429",
  api_slow: "the service answers slowly",
  api_lost_answer: "the service carries out a request, and its answer is lost",
  expiry: "nobody pays in time",
  late_payer: "the payer pays after the charge has expired",
  paid_twice: "the payer pays twice",
  other_amount: "the payer sends another amount",
  other_payer: "somebody else pays",
  refund: "the money is refunded",
  partial_refund: "a part of the money is refunded",
  dispute: "the payer's bank contests the payment",
  unknown_fields: "a webhook has a field that is new",
  unknown_values: "a webhook has a value that is new",
  letters_in_cnpj: "the payer is a company whose CNPJ has letters",
  restart: "the shop is killed and started again",
} as const;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = namesOf(FAULTS);

export const ORACLES = {
  paid_not_fulfilled: "every paid order was delivered",
  fulfilled_unpaid: "no unpaid order was delivered",
  fulfilled_twice: "no order was delivered twice",
  refund_unknown: "the shop knows what was refunded, and what was not",
  dispute_unknown: "the shop knows what is contested, and what is not",
  charged_twice: "no order can be paid twice",
  forgery_believed: "a forged webhook changed nothing",
  never_settles: "every webhook was accepted in the end",
  shop_died: "the shop kept running",
  buy_refused: "every customer could buy",
} as const;

export type OracleName = keyof typeof ORACLES;
export const ORACLE_NAMES = namesOf(ORACLES);
