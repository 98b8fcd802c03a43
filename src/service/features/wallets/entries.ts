/** The places of money. The first three are the wallet; `clearing` is on its way out, `world` outside the service. */
export const BUCKETS = [
  "available",
  "pending",
  "retained",
  "review",
  "clearing",
  "world",
  "provider_fees",
  "platform_fees",
] as const;
export type Bucket = (typeof BUCKETS)[number];

export const JOURNAL_KINDS = [
  "settlement",
  "release",
  "review_hold",
  "review_return",
  "refund_reserve",
  "refund_confirm",
  "refund_release",
  "payout_reserve",
  "payout_confirm",
  "payout_release",
  "med_hold",
  "med_return",
  "med_forfeit",
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

export interface Entry {
  readonly bucket: Bucket;
  /** In the smallest unit. A negative amount leaves the bucket. */
  readonly amount: number;
}

export interface Balance {
  readonly currency: string;
  readonly bucket: Bucket;
  readonly balance: number;
}
