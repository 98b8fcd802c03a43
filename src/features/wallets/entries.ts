/**
 * Where money can be. The first three buckets are the merchant's wallet. Money in `clearing` is on its way out, `world`
 * is everything outside the service.
 */
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

export interface Entry {
  readonly bucket: Bucket;
  /** In the smallest unit. A negative amount is taken out of the bucket. */
  readonly amount: number;
}

export interface Balance {
  readonly currency: string;
  readonly bucket: Bucket;
  readonly balance: number;
}
