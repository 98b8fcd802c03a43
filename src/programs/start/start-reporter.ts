import { bytesOf } from "../../base/db/look.js";
import { driverName, type OpenDatabase } from "../../base/db/open.js";
import { iso } from "../../base/kernel/time.js";
import { memoryInUse } from "../../base/platform/real-runtime.js";
import { VERSION } from "../../base/platform/version.js";
import type { StartFlag, StartReport } from "../../emulator/sandbox/start-report.js";
import { defaultsFor } from "../../service/features/read-settings.js";
import { formatAsFlag, SETTING_LIST, type ServiceSettings } from "../../service/features/service-settings.js";
import type { Core } from "./core.js";

/** The start of this server: its flags beside their defaults, and the process. It contains no secret. */

/** The settings as flags of `serve`, beside their defaults. */
function flagsOf(settings: ServiceSettings): StartFlag[] {
  const defaults: Readonly<Record<string, unknown>> = { ...defaultsFor(settings) };
  const values: Readonly<Record<string, unknown>> = { ...settings };
  return SETTING_LIST.flatMap(([name, one]) => {
    if (one.unreported) return [];
    const [flag = ""] = one.flag.split(" ");
    const [value, usual] = [values, defaults].map((all) => formatAsFlag(one, all[name + one.kind.unit]));
    return [{ flag, value: value ?? null, default: usual ?? null }];
  });
}

interface ReportParts extends Pick<Core, "address" | "settings" | "real"> {
  readonly database: OpenDatabase;
  readonly liveStream: { readonly boot: string };
}

/** Returns a function that reports on a running server: its start in real time, memory and files in bytes. */
export function startReporter(parts: ReportParts): () => StartReport {
  const { address, settings, real, database, liveStream } = parts;
  const startedAt = iso(real.epoch());
  const flags = flagsOf(settings);
  return () => {
    const { rss, heap } = memoryInUse();
    return {
      version: VERSION,
      url: address.origin,
      boot: liveStream.boot,
      started_at: startedAt,
      flags,
      previews: [...settings.preview],
      rate_limit: settings.rateLimit,
      database: { file: database.file, bytes: bytesOf(database.db), driver: driverName() },
      node_version: process.versions.node,
      pid: process.pid,
      memory: { rss_bytes: rss, heap_bytes: heap },
    };
  };
}
