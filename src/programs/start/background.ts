import { VERSION } from "../../base/platform/version.js";
import { Traces } from "../../emulator/traces/traces.js";
import { logDeliveries } from "../../service/delivery/delivery-log.js";
import type { LookupAll } from "../../service/delivery/guarded-lookup.js";
import { Mailer } from "../../service/delivery/mailer.js";
import { createTransport } from "../../service/delivery/transport.js";
import { DeliveryWorker } from "../../service/delivery/worker.js";
import { Scheduler } from "../../service/jobs/scheduler.js";
import type { Core } from "./core.js";

/** The parts of the service that work without a request: due jobs, deliveries and e-mails. */
export function createBackground(core: Core, lookup?: LookupAll) {
  const { real, clock, log, stores, settings, feeds, address } = core;
  const { insecureWebhookTls: insecureTls, smtpUrl, otlp: url } = settings;
  const plain = { allowHttp: settings.allowHttp, mayBeContainer: address.isOnEveryAddress, lookup };
  const ways = { transport: createTransport({ real, insecureTls: false }), random: core.unguessable.random };
  const traces = url === null ? null : new Traces({ ...core, ...ways, url });
  const worker = new DeliveryWorker({
    ...core,
    webhooks: stores.webhooks,
    transport: createTransport({ real, insecureTls, plain }),
    retryBaseMs: settings.retryBaseMs,
    signatureTime: settings.signatureTime === "machine" ? real.shown : clock.now,
    userAgent: `qa-pay/${VERSION}`,
    deliveryDue: feeds.deliveryDue,
    sending: feeds.sending.publish,
    collected: feeds.collected.publish,
    recorded: feeds.attemptRecorded.publish,
    attempted: feeds.attempts.publish,
    traces,
  });
  const scheduler = new Scheduler({ ...core, ...stores, ...feeds, deliveries: worker });
  const mailer = new Mailer({ ...core, ...stores, ...feeds, smtpUrl });
  const all = [scheduler, worker, mailer];
  return {
    plain,
    worker,
    scheduler,
    mailer,
    traces,
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
