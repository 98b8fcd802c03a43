/** What due work would do, in English, for each of its codes (src/kernel/message.ts). */
export const DUE_TEXTS = {
  case_opens: "payer's bank opens a MED case",
  refund_starts: "refund moves from requested to in progress",
  refund_completes: "refund moves from in progress to refunded",
  refund_fails: "refund fails: nobody owns its Pix key",
  charge_expires: "charge expires unpaid",
  card_payment_expires: "charge expires: its card payment was not completed",
  codes_issued: "acquirer issues the codes of the charge",
  charge_paid: "charge is paid",
  payment_held: "charge is paid and held for review: the bank does not report the payer",
  payment_returned: "charge is paid by another payer than the expected one, and the money goes back",
  money_released: "{amount:money} of the charge becomes available",
  delivery_attempted: "attempt {number} of {type} to {url}",
} as const;

export type DueCode = keyof typeof DUE_TEXTS;
