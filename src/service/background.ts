import { logDeliveries } from "../delivery/delivery-log.js";
import { createMailer } from "../delivery/mailer.js";
import { createTransport } from "../delivery/transport.js";
import { createDeliveryWorker } from "../delivery/worker.js";
import { createScheduler } from "../jobs/scheduler.js";
import { VERSION } from "../version.js";
import type { Core } from "./core.js";
import type { EmulatorOptions } from "./emulator-types.js";

/** The parts of the service that work without a request: due jobs, deliveries and e-mails. */
export function createBackground(core: Core, { insecureWebhookTls: insecureTls = false, smtpUrl }: EmulatorOptions) {
  const { uow, stores, clock, real, log, chaos, settings, feeds } = core;
  const worker = createDeliveryWorker({
    uow,
    webhooks: stores.webhooks,
    clock,
    real,
    log,
    transport: createTransport({ real, insecureTls }),
    chaos,
    retryBaseMs: settings.retryBaseMs,
    userAgent: `qa-pay/${VERSION}`,
    deliveryDue: feeds.deliveryDue,
    sending: feeds.sending.publish,
    recorded: feeds.attemptRecorded.publish,
    attempted: feeds.attempts.publish,
  });
  const { jobs, webhooks, history } = stores;
  const { emailWritten } = feeds;
  const scheduler = createScheduler({ uow, jobs, webhooks, history, clock, real, log, deliveries: worker, ...feeds });
  const mailer = createMailer({ smtpUrl, notices: stores.notices, clock, real, log, emailWritten });
  return {
    worker,
    scheduler,
    mailer,
    start() {
      logDeliveries(feeds, log);
      scheduler.start();
      worker.start();
      mailer.start();
    },
    async stop() {
      await scheduler.stop();
      await worker.stop();
      await mailer.stop();
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
