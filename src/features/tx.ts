import type { Commit } from "../db/unit-of-work.js";
import type { JobKind, PayloadArgument } from "../jobs/kinds.js";
import type { JobStore } from "../jobs/store.js";
import type { Ids, Random } from "../kernel/runtime.js";
import type { AccountStore } from "./access/store.js";
import type { Tokens } from "./access/tokens.js";
import type { UserStore } from "./access/user-store.js";
import type { IdempotencyStore } from "./idempotency.js";
import type { MedStore } from "./med/store.js";
import type { NoticeStore } from "./notices/store.js";
import type { PayoutStore } from "./payouts/store.js";
import type { RefundStore } from "./refunds/store.js";
import type { ServiceSettings } from "./service-settings.js";
import type { TransactionStore } from "./transactions/store.js";
import type { LedgerStore } from "./wallets/store.js";
import type { WebhookStore } from "./webhooks/store.js";

/** Everything that is stored, by noun. */
export interface Stores {
  readonly accounts: AccountStore;
  readonly idempotency: IdempotencyStore;
  readonly jobs: JobStore;
  readonly ledger: LedgerStore;
  readonly med: MedStore;
  readonly notices: NoticeStore;
  readonly payouts: PayoutStore;
  readonly refunds: RefundStore;
  readonly transactions: TransactionStore;
  readonly users: UserStore;
  readonly webhooks: WebhookStore;
}

/** What a reader may use. */
export interface Reader extends Stores {
  /** The emulated instant, milliseconds since the epoch. */
  readonly now: number;
  readonly settings: ServiceSettings;
  readonly ids: Ids;
  /** Where this server is reached, without a trailing slash. */
  readonly origin: string;
  /** PNG of a QR code as base64, for `--qr base64`. */
  readonly qrBase64: (text: string) => string;
  readonly tokens: Tokens;
  /** Comes back once the users that this start made are stored: their passwords take a moment to hash. */
  readonly usersStored: () => Promise<void>;
  /** Keyed digest of a text, for an address that is its own credential. */
  readonly sign: (text: string) => string;
  readonly isSignature: (text: string, signature: string) => boolean;
}

/** What one unit of work may use: all of it commits together, or none of it. */
export interface Tx extends Reader, Commit {
  readonly random: Random;
  /**
   * Makes work of `kind` due at `dueAt` (emulated milliseconds). `subject` is the id of the object that it is about. The
   * work is stored as a row, so it outlives the process.
   */
  later<Kind extends JobKind>(kind: Kind, subject: string, dueAt: number, ...payload: PayloadArgument<Kind>): void;
  /** Whether the next event of a MED case stays unpublished (webhook chaos, `lose_med`). Asks chance anew every time. */
  losesMedEvent(): boolean;
  /** Tells the delivery worker, the live streams and the mailer of something new once it is durable. */
  readonly notify: { delivery(dueAt: number): void; event(seq: number): void; email(): void };
}
