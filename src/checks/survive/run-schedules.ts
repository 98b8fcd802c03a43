import type { Client } from "../../api/client/types.js";
import { closeAfter } from "../../base/kernel/close-after.js";
import type { Runtime } from "../../base/kernel/runtime.js";
import { FAMILIES, type Family } from "../../base/kernel/webhook-signature.js";
import { createIds } from "../../base/platform/real-runtime.js";
import { EVENT_NAMES, type EventName, familyOf, isEventName } from "../../service/features/webhooks/catalogue.js";
import { toPlainId } from "../reconcile/orders.js";
import {
  FIRST_AMOUNT,
  FIRST_DOCUMENT,
  FirstOrderError,
  firstOrderRefusal,
  ofFirstOrder,
  receiverProblem,
  strangeCharge,
  unreportedOrder,
} from "../shop/first-order.js";
import type { ShopProcess } from "../shop/process.js";
import type { Shop } from "../shop/shop.js";
import { ShopError } from "../shop/shop-error.js";
import type { FaultName, OracleName } from "./faults.js";
import type { FaultCount, SurviveFailure, SurviveResult } from "./result.js";
import { runSchedule } from "./run-schedule.js";
import { faultsIn, type Step, scheduleOf } from "./schedule.js";
import { type ScheduleOutcome, type ShopAttempt, ShopGone, type TimelineNote } from "./schedule-record.js";
import type { RunParts } from "./shop-session.js";
import { shorten, UNTRIED } from "./shorten.js";
import { openWebhookRelay } from "./webhook-relay.js";
import { partsOf, type StepPart, sentenceOf } from "./words.js";

/** Runs a shop through schedules of faults, and reports the ones that it did not survive. */

/** A failure, shortened. */
export interface ShortenedFailure extends SurviveFailure {
  /** The parts of the sentences of its steps, for other languages. */
  readonly parts: readonly (readonly StepPart[])[];
  /** How many steps the schedule had before it was shortened. */
  readonly stepsBefore: number;
  readonly faults: readonly FaultName[];
  readonly timeline: readonly TimelineNote[];
  /** The newest output of the shop. */
  readonly said: string;
  /** How often the shortened schedule failed again. When it did not each time, the failure is unsteady. */
  readonly again: { readonly failed: number; readonly of: number };
  /** The attempts of the emulator that reached the shop, in this order. */
  readonly handed: readonly ShopAttempt[];
  /** How many other schedules failed by the same oracle. */
  readonly others: number;
  readonly charge: string | null;
  /** Real milliseconds that its schedule and the search for the shortest one took. */
  readonly ms: number;
}

/** The result of a run until now. */
export interface SurvivalProgress extends SurviveResult {
  readonly failures: readonly ShortenedFailure[];
}

export interface Survival extends SurvivalProgress {
  /** Sentences about the mistakes that this run could not find. */
  readonly unseen: readonly string[];
  /** Somebody has stopped the run. */
  readonly isStopped: boolean;
  /** The error of the last request to the shop; null when it was answered. */
  readonly trouble: Error | null;
  /** The shop does not start or answer any more. */
  readonly isGone: boolean;
}

/** The part of an emulator that is needed. It must be of this run alone: its clock is moved, and faults are added. */
export interface SurvivedEmulator {
  readonly client: Client;
  /** Signs the webhooks to the shop. */
  readonly signingSecret: string;
}

/** The shop and the emulator of a run. */
interface Connection {
  readonly shop: Shop;
  /** Null when the shop cannot be killed. */
  readonly process: ShopProcess | null;
  readonly emulator: SurvivedEmulator;
  readonly runtime: Runtime;
  /** The events that are sent to the shop; by default all of the families that it accepts. */
  readonly events?: readonly EventName[] | undefined;
  /** Real milliseconds that the shop may take until it is right. */
  readonly settleMs: number;
  readonly stopped: AbortSignal;
}

export interface SurviveParts extends Connection {
  /** The seed: with the number of a schedule it decides all that happens. `runtime.seeded` must belong to it. */
  readonly seed: string;
  readonly schedules: number;
  /** Runs the schedule with this number alone. */
  readonly only?: number | undefined;
  /** Begins no schedule after so many real milliseconds. */
  readonly forMs?: number | undefined;
  readonly faults: readonly FaultName[];
  /** Throws FirstOrderError when the first order, which has no faults, finds a wrong address or is refused. */
  readonly checksFirst?: boolean | undefined;
  /** The command that runs a schedule alone. */
  command(schedule: number): string;
  /** Called when a schedule is over. */
  onSchedule?(run: RunSchedule): void;
  /** Called when the failure of a schedule is about to be shortened. */
  onShortening?(schedule: number, oracle: OracleName): void;
  /** Called before the first schedule and after each, when its failures have been shortened. */
  onSoFar?(soFar: SurvivalProgress): void;
}

/** A schedule that was run: its faults, and the oracles that it failed. */
export interface RunSchedule {
  readonly schedule: number;
  readonly faults: readonly FaultName[];
  readonly oracles: readonly OracleName[];
}

const names = ({ findings }: ScheduleOutcome) => findings.map(({ oracle }) => oracle);

/** Connects a shop with an emulator by the relay. The emulator's clock stands still from then on. */
export async function connectShop({ emulator, events = EVENT_NAMES, runtime, ...parts }: Connection) {
  const { client, signingSecret: secret } = emulator;
  const { real, random } = runtime;
  const relay = await openWebhookRelay(real);
  try {
    await client["sandbox.clock.freeze"]();
    const { id: endpoint } = await client["webhooks.endpoints.create"]({
      body: { url: relay.url, events: [...events] },
    });
    // An endpoint that never answered gets one webhook at a time.
    const body = { amount: 100, payment_method: "pix" } as const;
    const { id } = await client["charges.create"]({ body, idempotencyKey: `survive-${random.hex(8)}` });
    await client["sandbox.clock.advance"]({ body: { seconds: 0 } });
    relay.open(toPlainId(id));
    const ids = createIds({ now: real.epoch }, random);
    const run: RunParts = { ...parts, client, relay, endpoint, secret, real, random, ids };
    return {
      endpoint,
      run: (steps: readonly Step[]) => runSchedule(run, steps),
      close: () => closeAfter(() => client["webhooks.endpoints.delete"]({ params: { id: endpoint } }), relay.close),
    };
  } catch (error) {
    await relay.close();
    throw error;
  }
}

/** A purchase that nothing disturbs. */
const CALM: readonly Step[] = [
  { id: 0, order: 0, disturbed: [], do: "buy", amount: FIRST_AMOUNT, document: FIRST_DOCUMENT, letters: false },
  { id: 1, order: 0, disturbed: [], do: "pay", how: "right" },
];

/**
 * Most shops accept one family of events. A family that the shop refuses is not sent any more, except refunds, which only the
 * legacy family reports.
 */
async function narrow(
  client: Client,
  endpoint: string,
  { taken, refused }: ScheduleOutcome,
): Promise<readonly string[]> {
  const has = (of: ReadonlySet<string>, family: Family) =>
    [...of].some((type) => isEventName(type) && familyOf(type) === family);
  const isUnwanted = (family: Family) => taken.size > 0 && has(refused, family) && !has(taken, family);
  const family = FAMILIES.find(isUnwanted);
  if (family === undefined) return [];
  const events = EVENT_NAMES.filter((name) => familyOf(name) !== family || name === "payment.refunded");
  await client["webhooks.endpoints.update"]({ params: { id: endpoint }, body: { events } });
  const but = family === "legacy" ? " but payment.refunded" : "";
  return [`The shop refuses ${family} events, so none were sent to it${but}.`];
}

class Survivor {
  readonly #parts: SurviveParts;
  readonly #run: (steps: readonly Step[]) => Promise<ScheduleOutcome>;
  readonly #counts = new Map<FaultName, { schedules: number; could_show: number; failed: number }>();
  readonly #found = new Map<OracleName, ShortenedFailure>();
  readonly #narrowed: readonly string[];
  #failed = 0;
  #done = 0;
  #listsFulfilled: boolean | null = null;
  /** The shop does not start or answer any more. */
  #isGone = false;

  constructor(
    parts: SurviveParts,
    run: (steps: readonly Step[]) => Promise<ScheduleOutcome>,
    narrowed: readonly string[],
  ) {
    this.#parts = parts;
    this.#narrowed = narrowed;
    this.#run = run;
    for (const fault of parts.faults) this.#counts.set(fault, { schedules: 0, could_show: 0, failed: 0 });
  }

  async all(): Promise<Survival> {
    const { stopped, forMs = Infinity, runtime, schedules, only } = this.#parts;
    const end = runtime.real.monotonic() + forMs;
    let trouble: Error | null = null;
    const last = only ?? schedules;
    const isOver = () => this.#isGone || stopped.aborted || runtime.real.monotonic() >= end;
    this.#parts.onSoFar?.(this.#soFar());
    try {
      for (let number = only ?? 1; number <= last && !isOver(); number++) {
        await this.#one(number);
        this.#parts.onSoFar?.(this.#soFar());
      }
    } catch (error) {
      // The findings until now are reported all the same.
      if (!(error instanceof ShopError)) throw error;
      if (!stopped.aborted) trouble = error;
    }
    return { ...this.#soFar(), unseen: this.#findUnseen(), isStopped: stopped.aborted, trouble, isGone: this.#isGone };
  }

  #soFar(): SurvivalProgress {
    return {
      seed: this.#parts.seed,
      schedules: this.#done,
      survived: this.#done - this.#failed,
      failed: this.#failed,
      // A copy, because a reported state must not change with the next schedule.
      faults: structuredClone(Object.fromEntries(this.#counts)),
      failures: [...this.#found.values()],
    };
  }

  async #one(number: number): Promise<void> {
    const { runtime, faults, seed, stopped } = this.#parts;
    const random = runtime.seeded?.(`survive ${number}`);
    if (random === undefined) throw new TypeError(`The runtime has no seed ${seed}.`);
    let since = runtime.real.monotonic();
    const steps = scheduleOf(random, number, faults);
    const outcome = await this.#run(steps);
    if (outcome.isGone) this.#isGone = true;
    // A schedule that was stopped proves nothing.
    if (stopped.aborted && outcome.findings.length === 0) return;
    this.#done++;
    const own = faultsIn(steps);
    for (const fault of own) this.#count(fault, "schedules");
    if (outcome.findings.length > 0) this.#failed++;
    this.#parts.onSchedule?.({ schedule: number, faults: own, oracles: names(outcome) });
    this.#listsFulfilled ??= outcome.listsFulfilled;
    const blamed = new Set<FaultName>();
    for (const finding of outcome.findings) {
      const before = this.#found.get(finding.oracle);
      const found = before ?? (await this.#shorten(number, steps, finding.oracle, outcome));
      const now = runtime.real.monotonic();
      const ms = now - since;
      since = now;
      this.#found.set(
        finding.oracle,
        before === undefined ? { ...found, ms } : { ...before, others: before.others + 1 },
      );
      const isLike = found.faults.length > 0 && found.faults.every((fault) => own.includes(fault));
      for (const fault of isLike ? found.faults : own) blamed.add(fault);
    }
    for (const fault of blamed) this.#count(fault, "failed");
    for (const fault of own) if (outcome.shown.has(fault) || blamed.has(fault)) this.#count(fault, "could_show");
  }

  #findUnseen(): string[] {
    const isHidden = this.#listsFulfilled === false;
    const goods = "The orders have no column fulfilled, so goods that went out twice or not at all cannot be seen.";
    return [...this.#narrowed, ...(isHidden ? [goods] : [])];
  }

  #count(fault: FaultName, what: keyof FaultCount): void {
    const count = this.#counts.get(fault);
    if (count !== undefined) count[what]++;
  }

  async #shorten(
    schedule: number,
    before: readonly Step[],
    oracle: OracleName,
    outcome: ScheduleOutcome,
  ): Promise<Omit<ShortenedFailure, "ms">> {
    this.#parts.onShortening?.(schedule, oracle);
    const { stopped, command } = this.#parts;
    const untried = { steps: before, outcome, again: UNTRIED, isGone: true };
    const short = this.#isGone ? untried : await shorten({ steps: before, outcome, oracle, stopped, run: this.#run });
    this.#isGone = short.isGone;
    const { again } = short;
    const { timeline, output: said, handed, findings } = short.outcome;
    const finding = findings.find((one) => one.oracle === oracle);
    const parts = partsOf(short.steps);
    const steps = parts.map((one) => sentenceOf(one));
    const unsteady =
      again.failed < again.of ? ` This is unsteady: it failed again in ${again.failed} of ${again.of} runs.` : "";
    return {
      schedule,
      oracle,
      text: `${finding?.text ?? ""}${unsteady}`,
      steps,
      parts,
      command: command(schedule),
      stepsBefore: before.length,
      faults: faultsIn(short.steps),
      timeline,
      said,
      handed,
      again,
      others: 0,
      charge: finding?.charge ?? null,
    };
  }
}

/** Why the first order shows that nothing can be tried; null when it does not. */
function firstProblem({ findings, bought, isCharged, answers, listsFulfilled }: ScheduleOutcome, parts: SurviveParts) {
  if (bought?.kind === "refused") return firstOrderRefusal(bought.text);
  if (bought?.kind === "bought" && !isCharged) return strangeCharge(bought.charge);
  // Without a running shop, the failed webhooks do not show a wrong address.
  if (findings.some(({ oracle }) => oracle === "shop_died")) return null;
  return (
    receiverProblem(parts.shop.webhooks, answers) ?? (listsFulfilled === null ? unreportedOrder(parts.settleMs) : null)
  );
}

/** Places the first order, which nothing disturbs. Throws FirstOrderError with `checksFirst`. */
async function firstOrder(run: (steps: readonly Step[]) => Promise<ScheduleOutcome>, parts: SurviveParts) {
  const { checksFirst, stopped, process } = parts;
  const outcome = await run(CALM).catch((error: unknown) => {
    throw checksFirst && !stopped.aborted ? ofFirstOrder(error) : error;
  });
  if (outcome.isGone && !checksFirst) throw new ShopGone();
  const problem = checksFirst && !stopped.aborted ? firstProblem(outcome, parts) : null;
  if (problem === null) return outcome;
  throw new FirstOrderError(problem.entryPoint, problem.message, process?.output());
}

/** Runs all schedules. `trouble` of the result says why the run ended early. Throws FirstOrderError. */
export async function runSurvive(parts: SurviveParts): Promise<Survival> {
  const { run, endpoint, close } = await connectShop(parts);
  return closeAfter(async () => {
    const { client } = parts.emulator;
    const isNarrow = parts.events === undefined;
    const first = isNarrow || parts.checksFirst ? await firstOrder(run, parts) : null;
    const narrowed = isNarrow && first !== null ? await narrow(client, endpoint, first) : [];
    // A shop that cannot be killed cannot be restarted either.
    const faults = parts.faults.filter((name) => name !== "restart" || parts.process !== null);
    return new Survivor({ ...parts, faults }, run, narrowed).all();
  }, close);
}
