import type { Fee } from "../../base/kernel/money.js";

/** At most `count` charges within any `windowMs` milliseconds. */
export interface Velocity {
  readonly count: number;
  readonly windowMs: number;
}

export const SIGNATURE_TIMES = ["machine", "emulated"] as const;
export type SignatureTime = (typeof SIGNATURE_TIMES)[number];

/** The settings of the service, fixed at its start. Times are milliseconds, money is in the smallest unit. */
export interface ServiceSettings {
  /** Fees by payment method, and of a cashout as PIX_OUT. A method that is left out has no fees. */
  readonly fees: Readonly<Record<string, { readonly provider: Fee; readonly platform: Fee }>>;
  /** How long the acquirer takes to issue the codes and references of a payment. With 0 they are there at once. */
  readonly acquirerDelayMs: number;
  /** The time between two steps of a refund. */
  readonly refundDelayMs: number;
  /** Whether outcomes of MED cases are reported by event and by e-mail. */
  readonly medOutcomeNotices: boolean;
  /** How long settled money stays `pending`. With 0 it is `available` at once. */
  readonly settlementHoldMs: number;
  readonly retryBaseMs: number;
  readonly maxAttempts: number;
  /** Whose time a canonical signature has: that of this machine, or that of the emulated clock. */
  readonly signatureTime: SignatureTime;
  /** Whether `http://` webhook URLs are refused on loopback, too. */
  readonly strictHttps: boolean;
  /** The hosts to which webhooks may go by `http://`, as `givenHosts` of src/base/kernel/given-hosts.ts answers them. */
  readonly allowHttp: readonly string[];
  /** What a charge has: the address of its QR image, or the image itself. */
  readonly qr: "url" | "base64";
  readonly previews: ReadonlySet<string>;
  /** How many requests to /v1 one API key may send within a minute; null for any number. */
  readonly rateLimit: number | null;
  /** The limits of the fraud guard for one customer and for one book; null for no limit. */
  readonly customerVelocity: Velocity | null;
  readonly accountVelocity: Velocity | null;
  /** N of scrypt, a power of two: how slow the passwords of new users are to hash and to guess. */
  readonly passwordCost: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  fees: {},
  acquirerDelayMs: 0,
  refundDelayMs: 2_000,
  medOutcomeNotices: true,
  settlementHoldMs: 0,
  retryBaseMs: 10_000,
  maxAttempts: 15,
  signatureTime: "machine",
  strictHttps: false,
  allowHttp: [],
  qr: "url",
  previews: new Set(),
  rateLimit: null,
  customerVelocity: null,
  accountVelocity: null,
  passwordCost: 2 ** 14,
};

/** The settings of a start that names none. With a seed, signatures are the same in each run too. */
export function defaultSettings({ randomSeed }: { readonly randomSeed?: string | undefined }): ServiceSettings {
  return { ...DEFAULT_SETTINGS, signatureTime: randomSeed === undefined ? "machine" : "emulated" };
}
