import type { Fee } from "../kernel/money.js";

/** How this service behaves, fixed when it starts. Times are milliseconds, money is the smallest unit. */
export interface ServiceSettings {
  /** Fees by payment method; a method that is not named has none. */
  readonly fees: Readonly<Record<string, { readonly provider: Fee; readonly platform: Fee }>>;
  /** How long settled money stays `pending`; 0 credits `available` at once. */
  readonly settlementHoldMs: number;
  readonly retryBaseMs: number;
  readonly maxAttempts: number;
  /** Refuse `http://` webhook URLs on loopback too. */
  readonly strictHttps: boolean;
  /** What a charge carries: the address of its QR image, or the image itself. */
  readonly qr: "url" | "base64";
  readonly previews: ReadonlySet<string>;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  fees: {},
  settlementHoldMs: 0,
  retryBaseMs: 10_000,
  maxAttempts: 15,
  strictHttps: false,
  qr: "url",
  previews: new Set(),
};
