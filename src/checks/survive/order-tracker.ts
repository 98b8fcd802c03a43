import type { Client } from "../../api/client/types.js";
import { toPlainId } from "../reconcile/orders.js";
import { type ListedPayment, paymentOf } from "../reconcile/payments.js";
import type { Purchase } from "../shop/shop.js";
import type { KnownOrder } from "./judge.js";

/** The orders of one schedule as the service knows them. No other schedule runs at the same time. */

interface TrackedOrder {
  readonly purchase: Purchase;
  isBought: boolean;
  /** Plain ids, in the order in which they were created. */
  readonly charges: string[];
}

export class OrderTracker {
  readonly #client: Client;
  /** The payments of the schedule are not older. */
  readonly #begin: string;
  readonly #orders = new Map<number, TrackedOrder>();
  readonly #settled = new Set<string>();
  #payments: readonly ListedPayment[] = [];

  constructor(client: Client, begin: string) {
    this.#client = client;
    this.#begin = begin;
  }

  add(number: number, purchase: Purchase): void {
    this.#orders.set(number, { purchase, isBought: false, charges: [] });
  }

  order(number: number): TrackedOrder | undefined {
    return this.#orders.get(number);
  }

  /** Money came for this charge. */
  settle(charge: string): void {
    this.#settled.add(charge);
  }

  /** Reads all payments anew. A payment without the name of an order belongs to the order that is `bought` now. */
  async read(bought: number | null = null): Promise<void> {
    const query = { startDate: this.#begin, limit: 100 } as const;
    const { data } = await this.#client["payments.list"]({ query });
    this.#payments = data.map((one) => paymentOf(one, undefined)).reverse();
    const chargeIds = new Set(this.charges());
    for (const payment of this.#payments) {
      const id = toPlainId(payment.id);
      if (chargeIds.has(id)) continue;
      const named = [...this.#orders.values()].find(({ purchase }) => payment.orders.includes(purchase.order));
      const owner = named ?? this.#orders.get(bought ?? [...this.#orders.keys()].at(-1) ?? 0);
      owner?.charges.push(id);
    }
  }

  /** The plain ids of all charges. */
  charges(): string[] {
    return [...this.#orders.values()].flatMap(({ charges }) => charges);
  }

  payment(charge: string): ListedPayment | undefined {
    return this.#payments.find(({ id }) => toPlainId(id) === charge);
  }

  /** All orders as they were when the payments were read last. */
  all(): KnownOrder[] {
    return [...this.#orders.values()].map(({ purchase: { order }, isBought, charges }) => ({
      order,
      isBought,
      payments: charges.flatMap((id) => this.payment(id) ?? []),
      settled: new Set(charges.filter((id) => this.#settled.has(id))),
    }));
  }
}
