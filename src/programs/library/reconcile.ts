import { ServiceError } from "../../api/client/service-error.js";
import type { Client } from "../../api/client/types.js";
import { AS_OPTIONS, OptionError, optionsOf, type Reader, readOptions, text } from "../../base/kernel/options.js";
import { shellWord } from "../../base/kernel/shell.js";
import { parseInstant } from "../../base/kernel/time.js";
import { InputError } from "../../checks/reconcile/input-error.js";
import {
  AMOUNT_FORMS,
  type AmountForm,
  COLUMNS,
  type Column,
  SHOP_STATUSES,
  type ShopStatus,
} from "../../checks/reconcile/names.js";
import type { PaymentReader } from "../../checks/reconcile/payments.js";
import type { Reconciliation } from "../../checks/reconcile/rows.js";

/** `emulator.reconcile`: the comparison of the command `reconcile`, with rows instead of a file. */

/** An order of the shop. Other members are ignored, and `map` can rename these. */
export interface ShopOrder {
  /** The id of its charge or payment, in any form; null or empty when it has none. */
  readonly id?: string | null | undefined;
  /** The shop's name of the order. */
  readonly order?: string | number | null | undefined;
  /** A usual word such as `paid`, `open`, `refunded`, `disputed`, `cancelled`, or one of those in `status`. */
  readonly status?: string | undefined;
  /** Smallest unit of the currency (centavos), or a decimal number with `amounts: "decimal"`; null is not compared. */
  readonly amount?: number | string | null | undefined;
  readonly [other: string]: unknown;
}

export interface ReconcileOptions {
  /** The notation of amounts: `centavos` (the default), or `decimal` for `19.90` and `19,90`. */
  readonly amounts?: "centavos" | "decimal" | undefined;
  /** Your names of the members, such as `{ id: "charge.id" }`. */
  readonly map?: Readonly<Partial<Record<Column, string>>> | undefined;
  /** Your words for states, beside the usual ones: `{ paid: ["PAGO"] }`. */
  readonly status?: Readonly<Partial<Record<ShopStatus, readonly string[]>>> | undefined;
  /** Every payment created from this time on must be in a row: ISO 8601, or a Date. */
  readonly from?: string | Date | undefined;
  /** Every payment created up to this time must be in a row: ISO 8601, or a Date. */
  readonly to?: string | Date | undefined;
  /** The field of a payment with the name of the order, such as `metadata.cart`. */
  readonly orderField?: string | undefined;
}

const instant: Reader<number> = (given, refuse) => {
  const at = given instanceof Date ? given.getTime() : parseInstant(String(given));
  return at === null || Number.isNaN(at) ? refuse.takes("an instant such as 2026-01-31T12:00:00Z, or a Date") : at;
};

/** An object with some of these members. */
export function members<Name extends string, Value>(
  names: readonly Name[],
  what: string,
  isValue: (value: unknown) => boolean,
): Reader<Readonly<Partial<Record<Name, Value>>>> {
  return (given, refuse) => {
    const entries = typeof given === "object" && given !== null ? Object.entries(given) : [];
    const isRight =
      entries.length > 0 && entries.every(([name, value]) => names.some((one) => one === name) && isValue(value));
    return isRight ? (given as Readonly<Partial<Record<Name, Value>>>) : refuse.takes(what);
  };
}

export const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

export const amounts: Reader<AmountForm> = (given, refuse) =>
  AMOUNT_FORMS.find((form) => form === given) ?? refuse.takes("centavos or decimal");
export const status = members<ShopStatus, readonly string[]>(
  SHOP_STATUSES,
  "lists of words for paid, open, refunded, disputed and cancelled",
  isTexts,
);

const READERS = {
  amounts,
  map: members<Column, string>(COLUMNS, "names of id, order, status and amount", isText),
  status,
  from: instant,
  to: instant,
  orderField: text("the path of a field such as metadata.cart", /./),
};

/** Reads payments through a client. */
export function readerOf(client: Client): PaymentReader {
  return {
    list: (query) => client["payments.list"]({ query }),
    get: (id) =>
      client["payments.get"]({ params: { id } }).catch((error: unknown) => {
        if (error instanceof ServiceError && error.status === 404) return null;
        throw error;
      }),
  };
}

/** The OptionError for rows that cannot be read. Other errors stay as they are. */
export function rowsError(error: unknown, taker: "rows" | "orders", begin = ""): unknown {
  if (!(error instanceof InputError)) return error;
  const { line, message, option } = error;
  const place = line === null ? "" : `row ${line}: `;
  const next = option === undefined || option === "saving" ? "" : ` See the option ${option}.`;
  return new OptionError(taker, `${begin}${place}${message}${next}`);
}

/** `url` is the address of the host, for the commands. */
export async function reconcileOrders(
  client: Client,
  url: string,
  rows: Iterable<ShopOrder>,
  options: ReconcileOptions,
): Promise<Reconciliation> {
  const given = readOptions(optionsOf("reconcile", options, READERS), READERS, AS_OPTIONS);
  const { reconcileRows } = await import("../../checks/reconcile/rows.js");
  const command = (words: readonly string[]) => `npx qa-pay ${[...words, "--base-url", url].map(shellWord).join(" ")}`;
  try {
    return await reconcileRows(rows, given, { ...given, reader: readerOf(client), command });
  } catch (error) {
    throw rowsError(error, "rows");
  }
}
