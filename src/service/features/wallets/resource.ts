import * as z from "zod";
import { iso, isoOrNull } from "../../../base/kernel/time.js";
import type { Reader } from "../tx.js";
import type { Bucket } from "./entries.js";
import type { ListedJournal } from "./ledger-queries.js";
import type { LedgerStore } from "./store.js";

/** Wallets in answers (docs/service/wallets.md#balance, docs/service/wallets.md#list), amounts in the smallest unit. */

const PRIMARY_CURRENCY = "BRL";

const Amounts = { available: z.int(), pending: z.int() };
const NextRelease = {
  next_release_at: z.string().nullable().meta({ format: "date-time" }),
  next_release_amount: z.int().nullable(),
};
const CurrencyBalance = z.object({ currency: z.string(), ...Amounts, total: z.int() });

export const SingleBalance = z.object({ ...Amounts, currency: z.string(), ...NextRelease });

export const WalletBalance = z
  .object({
    ...Amounts,
    total: z.int().optional(),
    retained: z.int().optional(),
    currency: z.string(),
    ...NextRelease,
    balances: z.array(CurrencyBalance).optional(),
    primary: CurrencyBalance.optional(),
  })
  .meta({ id: "WalletBalance" });

export const WalletEntry = z
  .object({
    currency: z.string(),
    walletType: z.string(),
    balance: z.int(),
    pendingBalance: z.int(),
  })
  .meta({ id: "WalletEntry" });

type WalletSums = Record<Extract<Bucket, "available" | "pending" | "retained">, number>;

/** The merchant's three buckets of every currency that has had money. The primary currency is always the first. */
export function walletsOf(reader: Reader, bookId: number): Map<string, WalletSums> {
  const wallets = new Map<string, WalletSums>([[PRIMARY_CURRENCY, { available: 0, pending: 0, retained: 0 }]]);
  for (const { currency, bucket, balance } of reader.ledger.balances(bookId)) {
    if (bucket !== "available" && bucket !== "pending" && bucket !== "retained") continue;
    const held = wallets.get(currency) ?? { available: 0, pending: 0, retained: 0 };
    held[bucket] = balance;
    wallets.set(currency, held);
  }
  return wallets;
}

export function singleBalance(reader: Reader, bookId: number, currency: string): z.input<typeof SingleBalance> {
  const held = walletsOf(reader, bookId).get(currency);
  const next = reader.ledger.nextRelease(bookId, currency);
  return {
    available: held?.available ?? 0,
    pending: held?.pending ?? 0,
    currency,
    next_release_at: isoOrNull(next?.release_at ?? null),
    next_release_amount: next?.amount ?? null,
  };
}

/** Returns the balances of a book in the smallest units. The members beside the list are of the first currency. */
export function fullBalance(reader: Reader, bookId: number): z.input<typeof WalletBalance> {
  const wallets = walletsOf(reader, bookId);
  const balances = [...wallets].map(([currency, { available, pending }]) => ({
    currency,
    available,
    pending,
    total: available + pending,
  }));
  const single = singleBalance(reader, bookId, PRIMARY_CURRENCY);
  const total = single.available + single.pending;
  return {
    available: single.available,
    pending: single.pending,
    total,
    retained: wallets.get(PRIMARY_CURRENCY)?.retained ?? 0,
    currency: PRIMARY_CURRENCY,
    next_release_at: single.next_release_at,
    next_release_amount: single.next_release_amount,
    balances,
    primary: { currency: PRIMARY_CURRENCY, available: single.available, pending: single.pending, total },
  };
}

export function toJournal(
  { id, created_at: at, kind, reference }: ListedJournal,
  ledger: Pick<LedgerStore, "entriesOf">,
) {
  return { id: String(id), at: iso(at), kind, reference, entries: ledger.entriesOf(id) };
}
