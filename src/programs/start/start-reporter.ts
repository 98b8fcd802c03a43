import { bytesOf } from "../../base/db/look.js";
import { driverName, type OpenDatabase } from "../../base/db/open.js";
import { durationText } from "../../base/kernel/duration.js";
import { iso } from "../../base/kernel/time.js";
import { memoryInUse } from "../../base/platform/real-runtime.js";
import { VERSION } from "../../base/platform/version.js";
import type { StartFlag, StartReport } from "../../emulator/sandbox/start-report.js";
import { defaultSettings, type ServiceSettings, type Velocity } from "../../service/features/service-settings.js";
import type { Core } from "./core.js";
import type { EmulatorOptions } from "./emulator-types.js";

/** How this server was started: its flags beside their defaults, and the process. No secret is among it. */

type Value = StartFlag["value"];

function velocityText(velocity: Velocity | null): string | null {
  return velocity === null ? null : `${velocity.count}/${durationText(velocity.windowMs)}`;
}

/** An address without user, password and query, which may hold a secret. */
function bareAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!URL.canParse(text)) return "an address";
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

function listText(items: Iterable<string>): string | null {
  const text = [...items].join(",");
  return text === "" ? null : text;
}

/** The flags of a start that are settings of the service. */
function settingFlags(settings: ServiceSettings): Record<string, Value> {
  return {
    "--fees": Object.keys(settings.fees).length === 0 ? null : JSON.stringify(settings.fees),
    "--acquirer-delay": durationText(settings.acquirerDelayMs),
    "--refund-delay": durationText(settings.refundDelayMs),
    "--settlement-hold": durationText(settings.settlementHoldMs),
    "--retry-base": durationText(settings.retryBaseMs),
    "--max-attempts": settings.maxAttempts,
    "--signature-time": settings.signatureTime,
    "--no-med-outcome-notices": !settings.medOutcomeNotices,
    "--strict-https": settings.strictHttps,
    "--allow-http": listText(settings.allowHttp),
    "--rate-limit": settings.rateLimit,
    "--customer-velocity": velocityText(settings.customerVelocity),
    "--account-velocity": velocityText(settings.accountVelocity),
    "--qr": settings.qr,
    "--preview": listText(settings.previews),
  };
}

function startFlags(options: EmulatorOptions, { address, settings, access }: ReportParts): StartFlag[] {
  const { publicUrl = null, frozen = false, insecureWebhookTls = false, startAt } = options;
  const defaults = settingFlags(defaultSettings(options));
  const own: StartFlag[] = [
    { flag: "--host", value: address.host, default: "127.0.0.1" },
    { flag: "--public-url", value: publicUrl, default: null },
    { flag: "--allow-host", value: listText(options.allowHost ?? []), default: null },
    { flag: "--forward-to", value: bareAddress(options.forwardTo), default: null },
    { flag: "--events", value: listText(options.forwardEvents ?? []), default: null },
    { flag: "--frozen", value: frozen, default: false },
    { flag: "--start-at", value: startAt === undefined ? null : iso(startAt), default: null },
    { flag: "--clock-speed", value: options.clockSpeed ?? null, default: null },
    { flag: "--random-seed", value: options.randomSeed ?? null, default: null },
    { flag: "--smtp-url", value: bareAddress(options.smtpUrl), default: null },
    { flag: "--otlp", value: bareAddress(options.otlp), default: null },
    { flag: "--insecure-webhook-tls", value: insecureWebhookTls, default: false },
    { flag: "--console", value: access !== null, default: address.isForThisMachine },
  ];
  const others = Object.entries(settingFlags(settings)).map(([flag, value]) => {
    return { flag, value, default: defaults[flag] ?? null };
  });
  return [...own, ...others];
}

interface ReportParts extends Pick<Core, "address" | "settings" | "real"> {
  readonly database: OpenDatabase;
  readonly liveStream: { readonly boot: string };
  /** Null when the console is switched off. */
  readonly access: object | null;
}

/** Returns what tells about a running server. Its start is told in real time, memory and files in bytes. */
export function startReporter(parts: ReportParts, options: EmulatorOptions): () => StartReport {
  const { address, settings, real, database, liveStream } = parts;
  const startedAt = iso(real.epoch());
  const flags = startFlags(options, parts);
  return () => {
    const { rss, heap } = memoryInUse();
    return {
      version: VERSION,
      url: address.origin,
      boot: liveStream.boot,
      started_at: startedAt,
      flags,
      previews: [...settings.previews],
      rate_limit: settings.rateLimit,
      database: { file: database.file, bytes: bytesOf(database.db), driver: driverName() },
      node_version: process.versions.node,
      pid: process.pid,
      memory: { rss_bytes: rss, heap_bytes: heap },
    };
  };
}
