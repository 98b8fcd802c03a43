/**
 * The reference model: what the service must be after each step, by the written rules alone (docs/service). It shares no
 * code with the product. Everything in it is plain data, so that a state can be copied with structuredClone.
 */

export type TransactionStatus =
  | "WAITING_PAYMENT"
  | "PROCESSING"
  | "PAID"
  | "APPROVED"
  | "REFUSED"
  | "CANCELLED"
  | "EXPIRED"
  | "REFUNDED"
  | "CHARGEBACK"
  | "DISPUTE";

export interface Transaction {
  /** The raw id. */
  id: string;
  face: "charge" | "payment";
  amount: number;
  currency: string;
  methods: string[];
  status: TransactionStatus;
  paidWith: string | null;
  /** Both fees are 0 until the settlement. */
  providerFee: number;
  platformFee: number;
  metadata: Record<string, unknown>;
  createdAt: number;
  paidAt: number | null;
  expiresAt: number;
  expectedPayer: string | null;
  /** True if the bank reported the payer's document. */
  isPayerKnown: boolean;
  /** Where the events of this payment go in place of the endpoints. */
  webhookUrl: string | null;
  /** The instant at which a scenario pays. */
  payAt: number | null;
  /** Milliseconds from the settlement to a MED case that a scenario opens. */
  medAfter: number | null;
  /** The instant at which a scenario opens a case. */
  medAt: number | null;
}

export interface Refund {
  id: string;
  transaction: string;
  amount: number;
  /** The sum that leaves the wallet: the amount, with the fee of the cashout if the merchant pays it. */
  taken: number;
  currency: string;
  status: "PENDING" | "IN_PROGRESS" | "REFUNDED" | "FAILED";
  strategy: string | null;
  /** True if the key to which the money goes belongs to nobody. */
  isLost: boolean;
  createdAt: number;
  /** The instant of the next step; null when there is none. */
  nextAt: number | null;
}

export interface MedCase {
  id: string;
  transaction: string;
  type: string;
  status: "open" | "appealed" | "accepted" | "rejected" | "closed";
  amount: number;
  currency: string;
  held: number;
  outcome: string | null;
  appealReason: string | null;
  evidenceAsked: boolean;
  evidence: number;
}

export interface Payout {
  id: string;
  amount: number;
  currency: string;
  status: "pending" | "paid" | "failed";
}

export interface Wallet {
  available: number;
  pending: number;
  retained: number;
}

/** Money that is pending until an instant. */
export interface Hold {
  currency: string;
  amount: number;
  at: number;
}

export interface Endpoint {
  id: string;
  url: string;
  events: string[];
  status: "ACTIVE" | "INACTIVE";
  /** Null when the answer that showed it was lost. */
  secret: string | null;
}

export interface ReportedEvent {
  type: string;
  /** The raw id of the object. */
  subject: string;
  at: number;
}

export interface Delivery {
  /** The id of the endpoint; null for the webhookUrl of a payment. */
  endpoint: string | null;
  url: string;
  type: string;
  subject: string;
  status: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
  attempts: number;
  lastStatus: number | null;
  /** The instant of the next attempt; null when there is none. */
  nextAt: number | null;
}

/** An idempotency key that was used. */
export interface Used {
  /** The request as it was sent. */
  body: string;
  /** The answer, without the server's own address. */
  answer: string;
}

export interface ApiKey {
  id: string;
  /** Null when the answer that showed it was lost. */
  key: string | null;
  label: string | null;
  mode: "test" | "live";
}

/** One book: an account in one mode. */
export interface Book {
  name: string;
  account: string;
  mode: "test" | "live";
  transactions: Transaction[];
  refunds: Refund[];
  cases: MedCase[];
  payouts: Payout[];
  wallets: Record<string, Wallet>;
  holds: Hold[];
  endpoints: Endpoint[];
  events: ReportedEvent[];
  deliveries: Delivery[];
  used: Record<string, Used>;
}

export interface World {
  now: number;
  books: Book[];
  /** The keys that were issued by people, by account. Keys that do not work any more are in `dead`. */
  keys: Record<string, ApiKey[]>;
  dead: string[];
}

export function emptyBook(name: string, account: string, mode: "test" | "live"): Book {
  return {
    ...{ name, account, mode, transactions: [], refunds: [], cases: [], payouts: [], wallets: {} },
    ...{ holds: [], endpoints: [], events: [], deliveries: [], used: {} },
  };
}

/** A wallet begins to exist with the first money in its currency. */
export function walletOf(book: Book, currency: string): Wallet {
  book.wallets[currency] ??= { available: 0, pending: 0, retained: 0 };
  return book.wallets[currency];
}

export function transactionOf(book: Book, id: string): Transaction {
  const found = book.transactions.find((one) => one.id === id);
  if (found === undefined) throw new Error(`the model has no transaction ${id} in ${book.name}`);
  return found;
}

/** The amount that can still be refunded: refunds that are under way count as refunded. */
export function refundable(book: Book, transaction: Transaction): number {
  const refunds = book.refunds.filter((one) => one.transaction === transaction.id && one.status !== "FAILED");
  return transaction.amount - refunds.reduce((sum, { amount }) => sum + amount, 0);
}

export const isSettled = ({ status }: Transaction) => status === "PAID" || status === "APPROVED";
export const isUndecided = ({ status }: MedCase) => status === "open" || status === "appealed";
