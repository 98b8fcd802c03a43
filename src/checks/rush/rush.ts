import { ServiceError } from "../../api/client/service-error.js";
import type { Client } from "../../api/client/types.js";
import { formatCount } from "../../base/kernel/format-count.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { Random } from "../../base/kernel/runtime.js";
import type { Load, WaitRuntime } from "../../base/platform/real-runtime.js";
import type { Difference } from "../reconcile/judge.js";
import { toPlainId } from "../reconcile/orders.js";
import type { ShopProcess } from "../shop/process.js";
import type { Purchase, Shop, ShopOrder } from "../shop/shop.js";
import { ShopError } from "../shop/shop-error.js";
import { limitsOf, MOST_OPEN, type Percentiles, percentilesOf } from "./limits.js";
import { customerOf, type Mix, shareOf } from "./plan.js";

/** A shop under load: customers come at a rate, think and pay; in the end its orders are compared with the service's payments. */

/** An attempt of a delivery that has ended. */
export interface SeenAttempt {
  readonly attempt: number;
  readonly durationMs: number;
  readonly chaos: readonly string[];
  /** The event. */
  readonly type: string;
  /** Why it failed; null when it did not. */
  readonly error: string | null;
  /** Null without an answer. */
  readonly statusCode: number | null;
}

export interface RushPlan {
  /** Orders in a second. */
  readonly rate: number;
  readonly forMs: number;
  readonly mix: Mix;
  /** How long a customer thinks, on average. */
  readonly thinkMs: number;
  /** The longest time that the shop has in the end. */
  readonly settleMs: number;
}

export interface RushParts {
  readonly shop: Shop;
  readonly process: ShopProcess;
  readonly client: Client;
  readonly onAttempt: (listener: (attempt: SeenAttempt) => void) => () => void;
  readonly compare: (orders: readonly ShopOrder[]) => Promise<Difference[]>;
  readonly plan: RushPlan;
  /** Returns the random source for this name. */
  readonly draw: (name: string) => Random;
  /** The first word of the names of this run's orders. */
  readonly name: string;
  readonly waiting: WaitRuntime;
  readonly watchLoad: () => () => Load;
  /** Ends the placing of orders. */
  readonly stopped: AbortSignal;
  /** Ends the waiting for the shop. */
  readonly abandoned: AbortSignal;
  readonly onProgress?: (placed: number, paid: number, backlog: number) => void;
}

export interface Refusal {
  /** Milliseconds after the first order. */
  readonly at_ms: number;
  readonly order: string;
  readonly text: string;
}

/** The answer of the command, as `--json` prints it. */
export interface Rush {
  readonly orders: number;
  readonly paid: number;
  readonly deliveries: number;
  readonly buy_ms: Percentiles;
  readonly latency_ms: Percentiles;
  readonly retries: number;
  /** Why a webhook failed for the first time; null when none did. */
  readonly first_failure: string | null;
  /** The most webhooks that were not delivered yet at one moment. */
  readonly backlog: number;
  /** The webhooks that were not delivered in the end. */
  readonly undelivered: number;
  readonly refused: number;
  readonly first_refusal: Refusal | null;
  /** Orders whose goods went out more than once, where the shop lists that. */
  readonly fulfilled_twice: number;
  readonly rate: { readonly asked: number; readonly reached: number };
  readonly limits: readonly string[];
  /** Null when the shop did not list its orders in the end. */
  readonly differences: readonly Difference[] | null;
}

export interface Rushed extends Rush {
  /** The error of the last request to the shop; null when it was answered. */
  readonly trouble: ShopError | null;
}

const LOOK_MS = 250;
const HELD_MS = 10;

function earlyEndError(process: ShopProcess, orders: number): ShopError {
  const { ended } = process;
  const how = ended?.signal ?? `code ${ended?.code}`;
  return new ShopError(`The shop ended (${how}) after ${formatCount(orders, "order")}.`, process.output());
}

class Run {
  readonly #parts: RushParts;
  readonly #begun: number;
  readonly #bought: number[] = [];
  readonly #latencies: number[] = [];
  #placed = 0;
  #paid = 0;
  #refused = 0;
  #firstRefusal: Refusal | null = null;
  #buying = 0;
  #wasHeld = false;
  #placingMs = 1;
  #deliveries = 0;
  #retries = 0;
  #firstFailure: string | null = null;
  #backlog = 0;
  #open = 0;
  #fulfilledTwice = 0;

  constructor(parts: RushParts) {
    this.#parts = parts;
    this.#begun = parts.waiting.monotonic();
  }

  attempt({ attempt, durationMs, chaos, type, error }: SeenAttempt): void {
    this.#latencies.push(durationMs);
    if (error !== null) this.#firstFailure ??= `${type}: ${error}`;
    if (chaos.includes("duplicate")) return;
    if (attempt === 1) this.#deliveries++;
    else this.#retries++;
  }

  /** Places orders until their time is over, and returns when the last customer has gone. */
  async placeAll(): Promise<void> {
    const { plan, waiting, stopped, process } = this.#parts;
    const customers: Promise<void>[] = [];
    for (let count = 0; (count * 1_000) / plan.rate < plan.forMs; count++) {
      const early = (count * 1_000) / plan.rate - this.#measureElapsed();
      if (early > 0) await waiting.pause(early, stopped);
      const isOver = () => stopped.aborted || process.ended !== null || this.#measureElapsed() >= plan.forMs;
      while (this.#buying >= MOST_OPEN && !isOver()) {
        this.#wasHeld = true;
        await waiting.pause(HELD_MS, stopped);
      }
      // An order that had to wait past the end is not placed.
      if (isOver()) break;
      customers.push(this.#serve(count));
    }
    // The last order is placed before the time is over, so the rate counts the whole time.
    const isWhole = !stopped.aborted && process.ended === null;
    this.#placingMs = Math.max(this.#measureElapsed(), isWhole ? plan.forMs : 1);
    await Promise.all(customers);
  }

  /** Counts the waiting webhooks until `isOver`. */
  async watch(isOver: () => boolean): Promise<void> {
    const { client, waiting, onProgress } = this.#parts;
    while (!isOver()) {
      const { PENDING, PROCESSING } = await client["webhooks.stats"]();
      this.#open = PENDING + PROCESSING;
      this.#backlog = Math.max(this.#backlog, this.#open);
      onProgress?.(this.#placed, this.#paid, this.#open);
      await waiting.pause(LOOK_MS);
    }
  }

  /** Waits until all webhooks are delivered and the shop agrees with the service, at most for the settle time. */
  async settle(): Promise<Difference[]> {
    const { plan, shop, waiting, abandoned, compare, process } = this.#parts;
    const end = waiting.monotonic() + plan.settleMs;
    const isLate = () => waiting.monotonic() >= end || abandoned.aborted || process.ended !== null;
    await this.watch(() => isLate() || this.#open === 0);
    for (;;) {
      // The second copy of the last webhook may still come, and the shop may work on after its answers.
      await waiting.pause(LOOK_MS, abandoned);
      if (process.ended !== null) throw earlyEndError(process, this.#placed);
      const orders = await shop.orders();
      const differences = await compare(orders);
      this.#fulfilledTwice = orders.filter(({ fulfilled }) => (fulfilled ?? 0) > 1).length;
      if (differences.length === 0 || isLate()) return differences;
    }
  }

  result(load: Load, differences: Rush["differences"], trouble: ShopError | null): Rushed {
    const { rate } = this.#parts.plan;
    const reached = (this.#placed * 1_000) / this.#placingMs;
    return {
      orders: this.#bought.length,
      paid: this.#paid,
      deliveries: this.#deliveries,
      buy_ms: percentilesOf(this.#bought),
      latency_ms: percentilesOf(this.#latencies),
      retries: this.#retries,
      first_failure: this.#firstFailure,
      backlog: this.#backlog,
      undelivered: this.#open,
      refused: this.#refused,
      first_refusal: this.#firstRefusal,
      fulfilled_twice: this.#fulfilledTwice,
      rate: { asked: rate, reached: Math.round(reached * 10) / 10 },
      limits: limitsOf(load, { asked: rate, reached, wasHeld: this.#wasHeld }),
      differences,
      trouble,
    };
  }

  async #serve(count: number): Promise<void> {
    const { plan, draw, name } = this.#parts;
    const { part, amount, document, thinking } = customerOf(draw(`customer ${count}`), plan.mix, plan.thinkMs);
    const charge = await this.#buy({ order: `${name}-${count + 1}`, amount, document });
    if (charge === null || part === "abandon" || !(await this.#thinks(thinking[0]))) return;
    await this.#orRefused(`${name}-${count + 1}`, async () => {
      const { client } = this.#parts;
      const params = { id: charge };
      if (part === "expire") return void (await client["sandbox.charges.expire"]({ params }));
      const { outcome } = await client["sandbox.charges.pay"]({ params, body: {} });
      if (outcome === "paid") this.#paid++;
      if (part !== "refund" || outcome !== "paid" || !(await this.#thinks(thinking[1]))) return;
      const id = ID_PREFIX.transaction + toPlainId(charge);
      await client["payments.refund"]({ params: { id }, body: { idempotencyKey: `rush-${id}` } });
    });
  }

  async #buy(purchase: Purchase): Promise<string | null> {
    const { shop, waiting } = this.#parts;
    const at = waiting.monotonic();
    this.#placed++;
    this.#buying++;
    const bought = await shop.buy(purchase);
    this.#buying--;
    if (bought.kind === "refused") {
      this.#refuse(at, purchase.order, bought.text);
      return null;
    }
    this.#bought.push(waiting.monotonic() - at);
    return bought.charge;
  }

  /** A purchase whose id names no payable charge counts as refused by the shop. */
  async #orRefused(order: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#refuse(this.#parts.waiting.monotonic(), order, `its charge could not be continued: ${error.message}`);
    }
  }

  #refuse(at: number, order: string, text: string): void {
    this.#refused++;
    if (this.#parts.abandoned.aborted) return;
    this.#firstRefusal ??= { at_ms: Math.round(at - this.#begun), order, text };
  }

  /** Returns false when the run was stopped meanwhile. */
  async #thinks(ms: number): Promise<boolean> {
    const { waiting, stopped } = this.#parts;
    if (ms > 0 && !stopped.aborted) await waiting.pause(ms, stopped);
    return !stopped.aborted;
  }

  #measureElapsed(): number {
    return this.#parts.waiting.monotonic() - this.#begun;
  }
}

/** Returns the measurements, also when the shop ends early or does not list its orders. */
export async function runRush(parts: RushParts): Promise<Rushed> {
  const { client, plan } = parts;
  const duplicate = shareOf(plan.mix, "duplicate");
  if (duplicate > 0) await client["sandbox.chaos"]({ body: { duplicate } });
  const run = new Run(parts);
  const ignore = parts.onAttempt((attempt) => run.attempt(attempt));
  try {
    const loadOf = parts.watchLoad();
    let isPlaced = false;
    const placing = run.placeAll().finally(() => {
      isPlaced = true;
    });
    const watching = run.watch(() => isPlaced);
    // Wait for both before throwing; otherwise one would report progress after the run has ended.
    await Promise.allSettled([placing, watching]);
    await Promise.all([placing, watching]);
    const load = loadOf();
    try {
      return run.result(load, await run.settle(), null);
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      return run.result(load, null, error);
    }
  } finally {
    ignore();
  }
}
