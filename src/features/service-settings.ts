import type { Fee } from "../kernel/money.js";

/** At most `count` charges within any `windowMs`. */
export interface Velocity {
  readonly count: number;
  readonly windowMs: number;
}

/** How this service behaves, fixed when it starts. Times are milliseconds, money is the smallest unit. */
export interface ServiceSettings {
  /** Fees by payment method, and of a cashout as PIX_OUT; what is not named has none. */
  readonly fees: Readonly<Record<string, { readonly provider: Fee; readonly platform: Fee }>>;
  /** How long the acquirer takes to issue a payment's codes and references; 0 has them at once. */
  readonly acquirerDelayMs: number;
  /** Between two steps of a refund. */
  readonly refundDelayMs: number;
  /** Whether outcomes of MED cases are told, by event and by e-mail. */
  readonly medOutcomeNotices: boolean;
  /** How long settled money stays `pending`; 0 credits `available` at once. */
  readonly settlementHoldMs: number;
  readonly retryBaseMs: number;
  readonly maxAttempts: number;
  /** Refuse `http://` webhook URLs on loopback too. */
  readonly strictHttps: boolean;
  /** What a charge carries: the address of its QR image, or the image itself. */
  readonly qr: "url" | "base64";
  readonly previews: ReadonlySet<string>;
  /** Requests to /v1 that one API key may send within a minute; null does not count them. */
  readonly rateLimit: number | null;
  /** The fraud guard, by customer and by book; null is off. */
  readonly customerVelocity: Velocity | null;
  readonly accountVelocity: Velocity | null;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  fees: {},
  acquirerDelayMs: 0,
  refundDelayMs: 2_000,
  medOutcomeNotices: true,
  settlementHoldMs: 0,
  retryBaseMs: 10_000,
  maxAttempts: 15,
  strictHttps: false,
  qr: "url",
  previews: new Set(),
  rateLimit: null,
  customerVelocity: null,
  accountVelocity: null,
};
