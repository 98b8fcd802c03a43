import { VERSION } from "../../base/platform/version.js";
import { Traces } from "../../emulator/traces/traces.js";
import { logDeliveries } from "../../service/delivery/delivery-log.js";
import type { LookupAll } from "../../service/delivery/guarded-lookup.js";
import { createTransport } from "../../service/delivery/transport.js";
import { DeliveryWorker } from "../../service/delivery/worker.js";
import { NOUNS } from "../../service/features/index.js";
import { Scheduler } from "../../service/jobs/scheduler.js";
import type { Core } from "./core.js";

function createTraces({ real, log, unguessable, stores, feeds }: Core, url: string): Traces {
  const transport = createTransport({ real, insecureTls: false });
  return new Traces({ url, real, log, random: unguessable.random, transport, stores, feeds });
}

/** The parts of the service that work without a request: due jobs, deliveries and those of the nouns. */
export function createBackground(core: Core, lookup?: LookupAll) {
  const { real, clock, log, uow, chaos, stores, settings, feeds, address } = core;
  const { insecureWebhookTls: insecureTls, otlp } = settings;
  const plain = { allowHttp: settings.allowHttp, mayBeContainer: address.isOnEveryAddress, lookup };
  const traces = otlp === null ? null : createTraces(core, otlp);
  const worker = new DeliveryWorker({
    uow,
    webhooks: stores.webhooks,
    clock,
    real,
    log,
    transport: createTransport({ real, insecureTls, plain }),
    chaos,
    retryBaseMs: settings.retryBaseMs,
    signatureTime: settings.signatureTime === "machine" ? real.readShownTime : clock.now,
    userAgent: `qa-pay/${VERSION}`,
    deliveryDue: feeds.deliveryDue,
    onSending: feeds.sending.publish,
    onCollected: feeds.collected.publish,
    onRecorded: feeds.attemptRecorded.publish,
    onAttempt: feeds.attempts.publish,
    traces,
  });
  const scheduler = new Scheduler({
    uow,
    jobs: stores.jobs,
    webhooks: stores.webhooks,
    history: stores.history,
    clock,
    real,
    log,
    deliveries: worker,
    jobDue: feeds.jobDue,
    deliveryDue: feeds.deliveryDue,
    onJob: feeds.jobMade,
    clockReached: feeds.clockReached,
    attemptRecorded: feeds.attemptRecorded,
  });
  const ofNouns = NOUNS.flatMap(({ background }) => background.map((create) => create(core)));
  const all = [scheduler, worker, ...ofNouns];
  return {
    plain,
    worker,
    scheduler,
    traces,
    /** The database has other contents now. */
    lookAgain() {
      for (const part of ofNouns) part.lookAgain();
    },
    start() {
      logDeliveries(feeds, log);
      traces?.start();
      for (const part of all) part.start();
    },
    async stop() {
      for (const part of all) await part.stop();
      await traces?.stop();
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
