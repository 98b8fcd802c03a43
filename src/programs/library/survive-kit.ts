import type { Signal } from "../../api/client/platform.js";
import type { ShopStatus } from "../../checks/reconcile/names.js";
import type { FaultName } from "../../checks/survive/faults.js";
import type { ShopOrder } from "./reconcile.js";

/** The options of `survive`. */

/** The arguments with which a shop is started. */
export interface ShopEnvironment {
  /** The address of the service. */
  readonly QA_PAY_BASE_URL: string;
  /** The test key of the service. */
  readonly QA_PAY_API_KEY: string;
  /** The secret that signs the webhooks: 64 characters, used as text. */
  readonly QA_PAY_WEBHOOK_SECRET: string;
}

/** An order that a customer wants to place. */
export interface SurvivePurchase {
  /** The name of the order, another one each time. */
  readonly order: string;
  /** Smallest unit of the currency (centavos). */
  readonly amount: number;
  /** CPF or CNPJ of the payer. A CNPJ may have letters. */
  readonly document: string;
}

/** An order as in `reconcile`, with the number of times that its goods were sent. */
export interface SurviveOrder extends ShopOrder {
  /** The number of times that the goods were sent; true is once. Without it, goods sent twice are not noticed. */
  readonly fulfilled?: number | boolean | null | undefined;
}

/** Options of `survive`: the flags of `qa-pay survive`, and functions instead of the commands and addresses of the shop. */
export interface SurviveOptions {
  /** Starts your shop in this process, and returns the function that stops it. Both may return a promise. */
  readonly shop: (env: ShopEnvironment) => (() => unknown) | Promise<() => unknown>;
  /** The address of your receiver of webhooks, `http://` or `https://`; a function is called when the shop has started. */
  readonly webhooks: string | (() => string);
  /**
   * Places one order in your shop. Returns the id of its charge in any form. An error, or any other value, counts as a
   * refused purchase. It may take 30 seconds of real time.
   */
  readonly buy: (purchase: SurvivePurchase) => string | Promise<string>;
  /** Returns the orders as your shop sees them now. An error ends the run. It may take 30 seconds of real time. */
  readonly orders: () => readonly SurviveOrder[] | Promise<readonly SurviveOrder[]>;
  /** Decides all events of the run. The result contains the generated one when there is none. */
  readonly seed?: string | undefined;
  /** The number of schedules, 1 to 1,000,000; 100 by default. */
  readonly schedules?: number | undefined;
  /** Runs the schedule with this number alone, from 1 on. */
  readonly only?: number | undefined;
  /** Begins no schedule after this real time: milliseconds, or a text such as `30s` or `5m`. */
  readonly for?: number | string | undefined;
  /** The faults to use; all but `restart` by default, which needs a shop that is a process of its own. */
  readonly faults?: readonly Exclude<FaultName, "restart">[] | undefined;
  /** The longest real time until your shop is right, when no more work is open: as `for`; 500 ms by default. */
  readonly settle?: number | string | undefined;
  /** Ends the run between two steps. The result has the findings until then. */
  readonly signal?: Signal | undefined;
  /** The notation of amounts in `orders`: `centavos` (the default), or `decimal` for `19.90` and `19,90`. */
  readonly amounts?: "centavos" | "decimal" | undefined;
  /** Your names of the members of `orders`, such as `{ id: "charge.id" }`. */
  readonly map?: Readonly<Partial<Record<"id" | "order" | "status" | "amount" | "fulfilled", string>>> | undefined;
  /** Your words for states, beside the usual ones: `{ paid: ["PAGO"] }`. */
  readonly status?: Readonly<Partial<Record<ShopStatus, readonly string[]>>> | undefined;
}
