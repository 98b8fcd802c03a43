import { ServiceError } from "../../api/client/service-error.js";
import { isRefusal } from "../../base/kernel/http-status.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { formatMoney } from "../../base/kernel/money.js";
import { isNameOf } from "../../base/kernel/names.js";
import { SAMPLE_PAYER_CPF } from "../../base/kernel/tax-id.js";
import type { AttemptResult } from "../../service/delivery/schedule.js";
import { plainId } from "../reconcile/orders.js";
import type { ShopProcess } from "../shop/process.js";
import type { Purchase, PurchaseResult, ShopOrder } from "../shop/shop.js";
import { prepareFaults } from "./api-faults.js";
import { answerText, Courier, type Restart, type RunParts } from "./courier.js";
import type { FaultName } from "./faults.js";
import { forgeWebhooks } from "./forgery.js";
import { chargedTwice, type Finding, judgeOrder } from "./oracles.js";
import { OrderTracker } from "./order-tracker.js";
import { type ScheduleOutcome, ShopGone, type TimelineNote } from "./outcome.js";
import { type Action, faultOf, type Step } from "./schedule.js";
import type { Signing } from "./webhook-relay.js";
import { actText } from "./words.js";

/** Runs one schedule: its steps, then a quiet end, then the questions whether the shop is right. */

type StepOf<Name extends Action["do"]> = Step & Extract<Action, { do: Name }>;

/** What a payer sends beside the amount that is asked for, in centavos. */
const OFF = { less: -1, more: 1 } as const;
const SHOWN_OUTPUT = 4_000;
/** So often, and at these real milliseconds, a shop that does not answer is looked at: a busy system tells late of an end. */
const LOOKS = 40;
const LOOK_MS = 50;
/** The first pause before the shop is asked again for its orders. */
const FIRST_PAUSE_MS = 4;

export async function runSchedule(parts: RunParts, steps: readonly Step[]): Promise<ScheduleOutcome> {
  const { now } = await parts.client["sandbox.clock.advance"]({ body: { seconds: 1 } });
  return new Run(parts, now).all(steps);
}

class Run {
  readonly #parts: RunParts;
  readonly #orders: OrderTracker;
  readonly #courier: Courier;
  readonly #findings: Finding[] = [];
  readonly #timeline: TimelineNote[] = [];
  /** Orders with a finding that explains all others. */
  readonly #judged = new Set<string>();
  #now: string;
  #tellsFulfilled: boolean | null = null;
  /** The shop was killed on purpose, and is not started again yet. */
  #isKilled = false;
  #reviving: Promise<void> | null = null;
  /** How often the shop ended by itself. */
  #deaths = 0;
  readonly #shown = new Set<FaultName>();
  #bought: PurchaseResult | null = null;
  /** Nothing disturbs the present step. */
  #isCalm = false;

  constructor(parts: RunParts, now: string) {
    this.#parts = parts;
    this.#now = now;
    this.#orders = new OrderTracker(parts.client, now);
    this.#courier = new Courier({
      ...parts,
      note: (text) => this.#note(text),
      find: (finding) => this.#find(finding),
      show: (fault) => this.#show(fault),
      late: (type, result) => this.#late(type, result),
      moved: (to) => {
        this.#now = to;
      },
      calling: (call, restart) => this.#calling(call, restart),
    });
  }

  async all(steps: readonly Step[]): Promise<ScheduleOutcome> {
    const { stopped, relay } = this.#parts;
    try {
      for (const step of steps) {
        if (stopped.aborted) break;
        this.#note(actText(step));
        this.#isCalm = step.disturbed.length === 0;
        await this.#step(step);
        await this.#courier.release(step.id);
      }
      if (!stopped.aborted) await this.#end();
      return this.#outcome();
    } finally {
      relay.forget(this.#orders.charges());
    }
  }

  #outcome(): ScheduleOutcome {
    const { handed, taken, refused, answers } = this.#courier;
    return {
      findings: this.#findings,
      timeline: this.#timeline,
      output: (this.#parts.process?.output() ?? "").slice(-SHOWN_OUTPUT),
      handed,
      taken: new Set(taken.map(({ type }) => type)),
      refused,
      tellsFulfilled: this.#tellsFulfilled,
      shown: this.#shown,
      bought: this.#bought,
      isCharged: this.#orders.charges().length > 0,
      answers,
    };
  }

  #show(fault: FaultName | null): void {
    if (fault !== null) this.#shown.add(fault);
  }

  /** A shop that does not answer although nothing disturbs would take as long each time. */
  #late(type: string, result: AttemptResult): void {
    if (!this.#isCalm) return;
    const text = `The shop does not take a webhook, although nothing disturbs it: ${type}: ${answerText(result)}.`;
    this.#find({ oracle: "never_settles", text, charge: null });
    throw new ShopGone(this.#outcome());
  }

  #note(text: string): void {
    this.#timeline.push({ at: this.#now, text });
  }

  #find(...findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (this.#findings.some(({ oracle }) => oracle === finding.oracle)) continue;
      this.#findings.push(finding);
      this.#note(finding.text);
    }
  }

  async #step(step: Step): Promise<void> {
    const disturbance = await prepareFaults(this.#parts.client, step);
    if (step.do === "buy") this.#orders.add(step.order, this.#purchase(step));
    if (step.do === "buy" || step.do === "again") await this.#buy(step, disturbance);
    else {
      await this.#act(step);
      // Not before: some of it is a request to the service, too.
      await disturbance.disturb();
    }
    const handed = this.#courier.handed.length;
    await this.#courier.deliver(step);
    for (const fault of await disturbance.calm()) this.#show(fault);
    for (const fault of await disturbance.end()) if (this.#courier.handed.length > handed) this.#show(fault);
  }

  #purchase({ amount, document }: StepOf<"buy">): Purchase {
    return { order: `order-${this.#parts.random.hex(6)}`, amount, document };
  }

  /** Buys, and once more when the purchase was disturbed and did not succeed. */
  async #buy(step: Step, { disturb, calm, hasRules }: Awaited<ReturnType<typeof prepareFaults>>): Promise<void> {
    const order = this.#orders.order(step.order);
    if (order === undefined) return;
    const { shop } = this.#parts;
    const restart = step.disturbed.find((one) => one.fault === "restart") ?? null;
    const buy = async (killed: Restart | null) => {
      const bought = await this.#calling<PurchaseResult>(() => shop.buy(order.purchase), killed);
      this.#note(bought.kind === "bought" ? `the shop answers with ${bought.charge}` : `refused: ${bought.text}`);
      return bought;
    };
    const deaths = this.#deaths;
    await disturb();
    let bought = await buy(restart);
    // The requests of the shop are disturbed during the purchase alone; what is left of it must not disturb our own.
    for (const fault of await calm()) this.#show(fault);
    if (bought.kind === "refused" && (restart !== null || hasRules || this.#deaths > deaths)) {
      this.#note(`${actText(step)}, for the second time`);
      bought = await buy(null);
    }
    this.#bought = bought;
    if (bought.kind === "bought") order.isBought = true;
    const isLate = bought.kind === "refused" && bought.isLate === true;
    if (bought.kind === "refused" && (step.do === "buy" || isLate)) {
      const text = `Nobody can buy: ${bought.text}.`;
      this.#find({ oracle: "buy_refused", text, charge: null });
    }
    if (isLate) throw new ShopGone(this.#outcome());
    await this.#orders.read(step.order);
    if (step.do === "buy" && step.letters) await this.#showLetters(step.order);
    this.#find(...this.#orders.all().flatMap(chargedTwice));
  }

  /** A shop that does not hand on the payer's document has nothing to do with its letters. */
  async #showLetters(order: number): Promise<void> {
    const { document = "" } = this.#orders.order(order)?.purchase ?? {};
    const charge = this.#orders.order(order)?.charges.at(-1);
    if (charge === undefined) return this.#show("letters_in_cnpj");
    const { customer } = await this.#parts.client["charges.get"]({ params: { id: ID_PREFIX.charge + charge } });
    const tail = document.slice(-4);
    if (JSON.stringify(customer ?? null).includes(tail)) this.#show("letters_in_cnpj");
  }

  /** Calls the shop, kills it meanwhile where a step says so, and starts it again when it is gone. */
  async #calling<Answer>(call: () => Promise<Answer>, restart: Restart | null): Promise<Answer> {
    const { process } = this.#parts;
    await this.#revive();
    const calling = call();
    if (restart !== null && process !== null) {
      if (restart.moment === "answered") await calling;
      await this.#pause(restart.ms);
      this.#isKilled = true;
      await process.kill("SIGKILL");
      this.#note("the shop is killed");
      this.#show("restart");
    }
    const answer = await calling;
    await this.#revive();
    return answer;
  }

  /** Starts the shop again when it has ended, once for all who call it at the same moment. */
  async #revive(): Promise<void> {
    const { process } = this.#parts;
    if (process === null || process.ended === null) return;
    if (this.#reviving === null && !this.#isKilled) this.#died();
    this.#reviving ??= this.#start(process).finally(() => {
      this.#reviving = null;
      this.#isKilled = false;
    });
    await this.#reviving;
  }

  #died(): void {
    this.#deaths++;
    const { code = null, signal = null } = this.#parts.process?.ended ?? {};
    const text = `The shop ended by itself, ${signal === null ? `with code ${code}` : `by ${signal}`}.`;
    this.#find({ oracle: "shop_died", text, charge: null });
  }

  async #start(process: ShopProcess): Promise<void> {
    try {
      await process.start();
    } catch (error) {
      if (this.#parts.stopped.aborted) throw error;
      const text = `The shop did not start again. ${error instanceof Error ? error.message : ""}`;
      this.#find({ oracle: "shop_died", text, charge: null });
      throw new ShopGone(this.#outcome());
    }
    this.#note("the shop is started again");
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.real.after(ms, resolve));
  }

  /** What the payer, the merchant, the bank or a stranger does. What the service refuses has simply not happened. */
  async #act(step: Step): Promise<void> {
    const charge = this.#chargeOf(step);
    if (charge === undefined) return this.#note("there is no charge for it");
    try {
      await this.#perform(step, charge);
      if (!(step.do === "pay" && step.how === "other payer")) this.#show(faultOf(step));
    } catch (error) {
      if (!(error instanceof ServiceError && isRefusal(error.status))) throw error;
      this.#note(`the service refuses it: ${error.message}`);
    }
  }

  /** The charge that a step is about: the newest one; who pays too late pays the first. */
  #chargeOf(step: Step): string | undefined {
    const charges = this.#orders.order(step.order)?.charges ?? [];
    return step.do === "pay" && step.how === "too late" ? charges[0] : charges.at(-1);
  }

  async #perform(step: Step, charge: string): Promise<void> {
    const { client, ids } = this.#parts;
    const id = ID_PREFIX.charge + charge;
    switch (step.do) {
      case "pay":
        return this.#pay(step, charge);
      case "expire":
        await client["sandbox.charges.expire"]({ params: { id } });
        return;
      case "refund": {
        const { amount = 2 } = this.#orders.payment(charge) ?? {};
        const body = { idempotencyKey: ids.next(), ...(step.part ? { amount: Math.ceil(amount / 2) } : {}) };
        const refund = await client["payments.refund"]({ params: { id: ID_PREFIX.transaction + charge }, body });
        await client["sandbox.refunds.advance"]({ params: { id: refund.id }, body: { to: "REFUNDED" } });
        return;
      }
      case "dispute":
        await client["sandbox.med.open"]({ body: { charge_id: id } });
        return;
      case "forge":
        return this.#forge(step, charge);
      case "replay":
        return this.#replay(charge);
      default:
        return;
    }
  }

  async #pay({ how, order }: StepOf<"pay">, charge: string): Promise<void> {
    const { client } = this.#parts;
    const { amount = 0, currency = "BRL" } = this.#orders.payment(charge) ?? {};
    const document = this.#orders.order(order)?.purchase.document ?? SAMPLE_PAYER_CPF;
    const paid = Math.max(1, amount + (isNameOf(OFF, how) ? OFF[how] : 0));
    const body = { amount: paid, payer_document: how === "other payer" ? SAMPLE_PAYER_CPF : document };
    const { outcome } = await client["sandbox.charges.pay"]({ params: { id: ID_PREFIX.charge + charge }, body });
    if (outcome === "paid") this.#orders.settle(charge);
    // Where the shop expects nobody, any payer is the right one.
    if (how === "other payer" && outcome !== "paid") this.#show("other_payer");
    const what = { paid: "is paid", refunded: "goes back to the payer", processing: "is held", returned: "goes back" };
    this.#note(`${formatMoney(paid, currency)} ${what[outcome]}`);
  }

  async #forge({ event, manner, order }: StepOf<"forge">, charge: string): Promise<void> {
    const { client, real, random, ids, secret } = this.#parts;
    const name = this.#orders.order(order)?.purchase.order ?? "";
    const before = await this.#judgeNow(name);
    const at = real.shown();
    for (const one of await forgeWebhooks(client, { charge, event, uuid: () => ids.next(), at })) {
      const other = this.#courier.taken.at(-1)?.body ?? "{}";
      const signing: Signing | null = {
        unsigned: null,
        "other secret": { secret: random.hex(32), at },
        "other body": { secret, at, body: other },
      }[manner];
      const result = await this.#calling(() => this.#courier.send(one, signing), null);
      this.#note(`forged ${one.type}: ${answerText(result)}`);
    }
    const after = await this.#judgeNow(name);
    const believed = after.find(({ oracle }) => before.every((known) => known.oracle !== oracle));
    if (believed === undefined) return;
    this.#judged.add(name);
    const text = `The shop believed a forged webhook. ${believed.text}`;
    this.#find({ ...believed, oracle: "forgery_believed", text });
  }

  /** Returns the present findings about an order. */
  async #judgeNow(order: string): Promise<Finding[]> {
    await this.#orders.read();
    const rows = await this.#rows();
    return this.#orders.all().flatMap((known) => (known.order === order ? judgeOrder(known, rows) : []));
  }

  async #replay(charge: string): Promise<void> {
    const old = this.#courier.taken.filter((one) => one.charge === charge);
    const one = old.find(({ type }) => type === "charge.paid") ?? old.at(-1);
    if (one === undefined) return this.#note("the shop has taken none");
    await this.#calling(() => this.#courier.sendOld(one), null);
  }

  async #rows(): Promise<readonly ShopOrder[]> {
    const { shop, process } = this.#parts;
    await this.#revive();
    try {
      return await shop.orders();
    } catch (error) {
      for (let looks = 0; process?.ended === null && looks < LOOKS; looks++) await this.#pause(LOOK_MS);
      if (process === null || process.ended === null) throw error;
      await this.#revive();
      return shop.orders();
    }
  }

  /** Nothing disturbs any more, and everything due is delivered. Then the shop has some time to become right. */
  async #end(): Promise<void> {
    const { real, settleMs, stopped } = this.#parts;
    this.#isCalm = true;
    const failing = await this.#courier.drain();
    if (stopped.aborted) return;
    this.#note("nothing disturbs any more, and nothing is due");
    const deadline = real.monotonic() + settleMs;
    let last = "";
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, 250)) {
      await this.#orders.read();
      const rows = await this.#rows();
      const findings = this.#orders
        .all()
        .flatMap((known) => (this.#judged.has(known.order) ? [] : judgeOrder(known, rows)));
      const own = this.#ownRows(rows);
      const state = JSON.stringify(own);
      if (own.length > 0) this.#tellsFulfilled = own.some(({ fulfilled }) => fulfilled !== null);
      // A right shop that does not move is done. One that is wrong may need its time.
      if ((findings.length === 0 && state === last) || real.monotonic() >= deadline || stopped.aborted) {
        this.#find(...findings);
        break;
      }
      last = state;
      await this.#pause(pause);
    }
    const [first] = failing;
    if (first !== undefined) {
      const others = failing.length === 1 ? "" : ` (${failing.length - 1} more)`;
      const text = `The shop does not take a webhook, although nothing disturbs it: ${first}${others}.`;
      this.#find({ oracle: "never_settles", text, charge: null });
    }
  }

  #ownRows(rows: readonly ShopOrder[]): readonly ShopOrder[] {
    const orders = new Set(this.#orders.all().map(({ order }) => order));
    const charges = new Set(this.#orders.charges());
    return rows.filter(({ id, order }) => orders.has(order ?? "") || (id !== null && charges.has(plainId(id))));
  }
}
