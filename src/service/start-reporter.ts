import { driverName, type OpenDatabase } from "../db/open.js";
import { iso } from "../kernel/time.js";
import { memoryInUse } from "../runtime.js";
import type { StartReport } from "../sandbox/control-interface.js";
import { databaseBytes, startFlags } from "../sandbox/start-report.js";
import { VERSION } from "../version.js";
import type { Core } from "./core.js";
import type { EmulatorOptions } from "./emulator-types.js";

/** Answers how this server was started. */
export function startReporter(
  { address, settings, real }: Core,
  database: OpenDatabase,
  options: EmulatorOptions,
  boot: string,
  isConsoleOn: boolean,
): () => StartReport {
  const startedAt = iso(real.epoch());
  const flags = startFlags(
    {
      host: address.host,
      publicUrl: options.publicUrl ?? null,
      frozen: options.frozen ?? false,
      startAt: options.startAt === undefined ? null : iso(options.startAt),
      forwardTo: options.forwardTo ?? null,
      forwardEvents: options.forwardEvents ?? null,
      smtpUrl: options.smtpUrl ?? null,
      insecureWebhookTls: options.insecureWebhookTls ?? false,
      console: isConsoleOn,
      consoleByDefault: address.isForThisMachine,
    },
    settings,
  );
  return () => {
    const { rss, heap } = memoryInUse();
    return {
      version: VERSION,
      url: address.origin,
      boot,
      started_at: startedAt,
      flags,
      previews: [...settings.previews],
      rate_limit: settings.rateLimit,
      database: { file: database.file, bytes: databaseBytes(database), driver: driverName() },
      node_version: process.versions.node,
      pid: process.pid,
      memory: { rss_bytes: rss, heap_bytes: heap },
    };
  };
}
