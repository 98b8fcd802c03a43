import type { Client } from "../../api/client/types.js";
import { MINUTE } from "../../base/kernel/duration.js";
import { isRefusal, isSuccess } from "../../base/kernel/http-status.js";
import type { Ids, Random, RealTime } from "../../base/kernel/runtime.js";
import type { AttemptResult } from "../../service/delivery/schedule.js";
import { STALE_MS } from "../../service/features/webhooks/chaos.js";
import type { ShopProcess } from "../shop/process.js";
import type { Shop, ShopOrder } from "../shop/shop.js";
import type { Disturbance } from "./schedule.js";
import { type ScheduleRecord, ShopGone } from "./schedule-record.js";
import {
  answerText,
  type HeldWebhook,
  isTimed,
  type Moment,
  type Signing,
  type WebhookContent,
  type WebhookRelay,
} from "./webhook-relay.js";

/** The shop during one schedule: it is called, sent webhooks, killed on purpose, and started again when it has ended. */

/** The tools of a run of schedules. */
export interface RunParts {
  readonly client: Client;
  readonly shop: Shop;
  /** Null when the shop cannot be killed. */
  readonly process: ShopProcess | null;
  readonly relay: WebhookRelay;
  /** The id of the emulator's endpoint, which is the relay. */
  readonly endpoint: string;
  /** Signs the webhooks to the shop. */
  readonly secret: string;
  readonly real: RealTime;
  readonly random: Random;
  readonly ids: Ids;
  /** Real milliseconds that the shop may take until it is right. */
  readonly settleMs: number;
  readonly stopped: AbortSignal;
}

export type Restart = Extract<Disturbance, { fault: "restart" }>;

/** A shop that does not answer is looked at so often, and at these real milliseconds: a busy system reports an end late. */
const LOOKS = 40;
const LOOK_MS = 50;

export class ShopSession {
  /** Nothing disturbs the shop now, so it must answer each webhook in time. */
  isCalm = false;
  /** How often the shop ended by itself. */
  deaths = 0;
  /** The shop was killed on purpose, and is not started again yet. */
  #isKilled = false;
  #reviving: Promise<void> | null = null;
  readonly #parts: RunParts;
  readonly #record: ScheduleRecord;

  constructor(parts: RunParts, record: ScheduleRecord) {
    this.#parts = parts;
    this.#record = record;
  }

  /** Calls the shop, kills it meanwhile where `restart` says so, and starts it again when it has ended. */
  async call<Answer>(work: () => Promise<Answer>, restart: Restart | null = null): Promise<Answer> {
    await this.revive();
    const calling = work();
    if (restart !== null) {
      if (restart.moment === "answered") await calling;
      await this.#kill(restart.ms);
    }
    const answer = await calling;
    await this.revive();
    return answer;
  }

  /** Starts the shop again when it has ended, once for all who call it at the same moment. */
  async revive(): Promise<void> {
    const { process } = this.#parts;
    if (process === null || process.ended === null) return;
    if (this.#reviving === null && !this.#isKilled) this.#recordDeath(process.ended);
    this.#reviving ??= this.#start(process).finally(() => {
      this.#reviving = null;
      this.#isKilled = false;
    });
    await this.#reviving;
  }

  /** Sends a webhook to the shop, and only there. A shop that does not answer would take as long each time. */
  async send(one: WebhookContent, signing: Signing | null, moment?: Moment): Promise<AttemptResult> {
    const { relay, shop } = this.#parts;
    // The address of the shop may change when it starts again.
    const result = await relay.send(shop.webhooks, one, signing, moment);
    this.#record.answers.push({ statusCode: result.statusCode, text: answerText(result) });
    if (!result.timedOut || !this.isCalm) return result;
    const text = `The shop does not accept a webhook that has no fault: ${one.type}: ${answerText(result)}.`;
    this.#record.find({ oracle: "never_settles", text, charge: null });
    throw new ShopGone();
  }

  /** Sends a webhook as the service would, with a new signature. */
  async sendFresh(one: HeldWebhook, what = "", moment?: Moment): Promise<AttemptResult> {
    const { relay } = this.#parts;
    this.#record.handed.push({ delivery: one.id, attempt: relay.requestsOf(one.id) });
    const result = await this.send(one, this.#signingData(), moment);
    this.#record.note(`${one.type}${what}: ${answerText(result)}`);
    return result;
  }

  /**
   * Sends a webhook whose signature is old. A shop that accepts it, and that refuses a wrong signature, does not look at the time.
   * A shop that accepts both may know the event already, or may read from the service what is true.
   */
  async sendStale(one: HeldWebhook): Promise<AttemptResult> {
    const result = await this.send(one, this.#signingData(STALE_MS));
    if (isTimed(one)) this.#record.show("stale");
    this.#record.note(`${one.type} with an old signature: ${answerText(result)}`);
    if (!isSuccess(result.statusCode) || !isTimed(one)) return result;
    const forged = await this.send(one, { ...this.#signingData(), secret: this.#parts.random.hex(32) });
    if (!isRefusal(forged.statusCode)) return result;
    const text = `The shop accepts ${one.type} with a signature that is ${STALE_MS / MINUTE} minutes old: it was ${answerText(result)}.`;
    this.#record.find({ oracle: "forgery_believed", text, charge: one.charge });
    return result;
  }

  /** Returns the orders as the shop sees them. A shop that has just ended is started again first. */
  async orders(): Promise<readonly ShopOrder[]> {
    const { shop, process } = this.#parts;
    await this.revive();
    try {
      return await shop.orders();
    } catch (error) {
      for (let looks = 0; process?.ended === null && looks < LOOKS; looks++) await this.pause(LOOK_MS);
      if (process === null || process.ended === null) throw error;
      await this.revive();
      return shop.orders();
    }
  }

  /** Waits so many real milliseconds. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.real.after(ms, resolve));
  }

  #signingData(age = 0): Signing {
    const { secret, real } = this.#parts;
    return { secret, at: real.readShownTime() - age };
  }

  async #kill(afterMs: number): Promise<void> {
    const { process } = this.#parts;
    if (process === null) return;
    await this.pause(afterMs);
    this.#isKilled = true;
    await process.kill("SIGKILL");
    this.#record.note("the shop is killed");
    this.#record.show("restart");
  }

  #recordDeath({ code, signal }: NonNullable<ShopProcess["ended"]>): void {
    this.deaths++;
    const text = `The shop ended by itself, ${signal === null ? `with code ${code}` : `by ${signal}`}.`;
    this.#record.find({ oracle: "shop_died", text, charge: null });
  }

  async #start(process: ShopProcess): Promise<void> {
    try {
      await process.start();
    } catch (error) {
      if (this.#parts.stopped.aborted) throw error;
      const text = `The shop did not start again. ${error instanceof Error ? error.message : ""}`;
      this.#record.find({ oracle: "shop_died", text, charge: null });
      throw new ShopGone();
    }
    this.#record.note("the shop is started again");
  }
}
