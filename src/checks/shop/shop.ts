import { ID } from "../../api/client/accepted-id.js";
import { isJsonObject, jsonIn } from "../../base/kernel/json.js";
import { pick } from "../../base/kernel/pick.js";
import { fileRows } from "../reconcile/file-rows.js";
import { InputError } from "../reconcile/input-error.js";
import type { ShopColumn } from "../reconcile/names.js";
import { type Order, orderReader, type RawRow, type ReadingOptions } from "../reconcile/orders.js";
import { callEntryPoint, type EntryPoint, type EntryPointContext, placeOf, urlOf } from "./entry-points.js";
import { ShopError } from "./shop-error.js";

/** A shop under test, as the commands that disturb it see it: its receiver of webhooks, its purchase, its orders. */

export interface Purchase {
  readonly order: string;
  /** Centavos. */
  readonly amount: number;
  /** CPF or CNPJ of the payer. */
  readonly document: string;
}

export type PurchaseResult =
  /** The id of the charge, in any form. */
  | { readonly kind: "bought"; readonly charge: string }
  /** The answer of the shop: status and body, exit code and output, or that there was none. `isLate`: none came in time. */
  | { readonly kind: "refused"; readonly text: string; readonly isLate?: boolean | undefined };

export interface ShopOrder extends Order {
  /** How often the goods went out; null where the shop does not say. */
  readonly fulfilled: number | null;
}

export interface Shop {
  /** The absolute address of its receiver of webhooks. */
  readonly webhooks: string;
  /** Places an order. Never throws for an answer of the shop. */
  buy(purchase: Purchase): Promise<PurchaseResult>;
  /** Returns the orders as the shop sees them. Throws ShopError when they cannot be read. */
  orders(): Promise<readonly ShopOrder[]>;
}

export interface ShopReading extends ReadingOptions {
  readonly map?: Readonly<Partial<Record<ShopColumn, string>>> | undefined;
}

/**
 * Finds the id of the charge in a shop's answer to a purchase; null when there is none. The member `id` is tried last, because
 * it may name the order.
 */
export function chargeIn(text: string): string | null {
  const value = jsonIn(text);
  const last = text.trim().split(/\s+/).at(-1);
  const found = isJsonObject(value)
    ? ["charge.id", "charge_id", "charge", "id"].map((path) => pick(value, path))
    : [last];
  return found.find((id): id is string => typeof id === "string" && ID.test(id)) ?? null;
}

function readFulfilled({ line, values }: RawRow, name: string): number | null {
  const value = Object.hasOwn(values, name) ? values[name] : pick(values, name);
  if (value === undefined || value === null || value === "") return null;
  if (value === true || value === "true") return 1;
  if (value === false || value === "false") return 0;
  if (/^\d{1,6}$/.test(String(value).trim())) return Number(value);
  throw new InputError(
    line,
    `${name} says how often the goods went out, which ${JSON.stringify(value)} does not.`,
    "map",
  );
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text;
}

/** Reads the rows of a shop, in a form of `reconcile`. Throws InputError. An empty text is a shop without orders. */
export async function ordersIn(text: string, reading: ShopReading): Promise<ShopOrder[]> {
  if (text.trim() === "") return [];
  const reader = orderReader(reading);
  const orders: ShopOrder[] = [];
  let last: number | null = null;
  for await (const row of fileRows(piecesOf(text), reader)) {
    last = row.line;
    const order = reader.order(row);
    const fulfilled = readFulfilled(row, reading.map?.fulfilled ?? "fulfilled");
    if (order !== null) orders.push({ ...order, fulfilled });
  }
  if (last !== null) reader.end(last);
  return orders;
}

export interface EntryPoints {
  readonly webhooks: Exclude<EntryPoint, { kind: "command" }>;
  readonly buy: EntryPoint;
  readonly orders: EntryPoint;
}

/** `context` returns the present way to the entry points: the address of a shop may change until it runs. */
export function shopAt(entryPoints: EntryPoints, reading: ShopReading, context: () => EntryPointContext): Shop {
  return {
    get webhooks() {
      return urlOf(entryPoints.webhooks, context().address);
    },
    async buy({ order, amount, document }) {
      const fields = { order, amount, document };
      const { isDone, text, outcome, isLate } = await callEntryPoint(entryPoints.buy, context(), fields);
      if (!isDone) return { kind: "refused", text: outcome, isLate };
      const charge = chargeIn(text);
      if (charge !== null) return { kind: "bought", charge };
      return { kind: "refused", text: `${outcome}, without the id of a charge in id, charge, charge_id or charge.id` };
    },
    async orders() {
      const { isDone, text, outcome } = await callEntryPoint(entryPoints.orders, context());
      const place = placeOf(entryPoints.orders, context().address);
      if (!isDone) throw new ShopError(`The shop does not list its orders ${place}: ${outcome}.`);
      try {
        return await ordersIn(text, reading);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const line = error.line === null ? "" : `, line ${error.line}`;
        throw new ShopError(`The orders of the shop ${place} cannot be read${line}: ${error.message}`, "", error);
      }
    },
  };
}
