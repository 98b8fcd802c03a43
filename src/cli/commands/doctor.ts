import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { palette } from "../output.js";
import { configDirectory } from "../profiles.js";
import { type GlobalFlags, resolveTarget, sendOrFail, type Target } from "../request.js";

/** Everything that has to be right before the service can be used, checked in one go. */

interface DoctorFlags extends GlobalFlags {
  readonly db: string;
}

interface Check {
  readonly name: string;
  /** `warn` is worth knowing, `fail` is in the way. */
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
}

const DEFAULT_PORT = 4_600;

function checkNode(io: Io): Check {
  const [major = 0, minor = 0] = io.nodeVersion.split(".").map(Number);
  const good = major > 20 || (major === 20 && minor >= 19);
  return {
    name: "node",
    status: good ? "ok" : "fail",
    detail: `${io.nodeVersion}${good ? "" : "; 20.19 or newer is needed"}`,
  };
}

async function checkDatabase(io: Io, file: string): Promise<Check[]> {
  const path = resolve(io.cwd, file);
  const { inspectDatabase } = await import("../../db/inspect.js");
  try {
    if (!existsSync(path)) {
      return [
        { name: "sqlite", status: "ok", detail: inspectDatabase(null).driver },
        { name: "database", status: "ok", detail: `${file} is not there yet; \`qa-pay serve\` makes it` },
      ];
    }
    const { driver, damage, version, ledger } = inspectDatabase(path);
    const size = `${file}, ${Math.round(statSync(path).size / 1_024)} KiB, schema ${version}`;
    return [
      { name: "sqlite", status: "ok", detail: driver },
      { name: "database", status: damage === null ? "ok" : "fail", detail: damage ?? size },
      {
        name: "ledger",
        status: ledger === null ? "ok" : "fail",
        detail: ledger ?? "every journal and balance adds up",
      },
    ];
  } catch (error) {
    return [{ name: "database", status: "fail", detail: error instanceof Error ? error.message : String(error) }];
  }
}

function checkProfile(io: Io): Check {
  const path = join(configDirectory(io), "profiles.json");
  if (!existsSync(path))
    return { name: "profile", status: "ok", detail: "none yet; the first `qa-pay serve` writes local" };
  const mode = statSync(path).mode & 0o777;
  const open = io.platform !== "win32" && (mode & 0o077) !== 0;
  const detail = open ? `${path} can be read by others (mode ${mode.toString(8)}): chmod 600 it` : path;
  return { name: "profile", status: open ? "fail" : "ok", detail };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.on("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
}

async function checkServer(io: Io, flags: DoctorFlags): Promise<Check[]> {
  let target: Target;
  try {
    target = await resolveTarget(io, flags);
  } catch (error) {
    if (error instanceof Failure) return [{ name: "server", status: "fail", detail: error.message }];
    throw error;
  }
  const { baseUrl, apiKey } = target;
  const headers = { accept: "application/json", ...(apiKey === null ? {} : { apikey: apiKey }) };
  try {
    const answer = await sendOrFail({ method: "GET", url: `${baseUrl}/_sandbox`, headers, body: undefined });
    if (answer.status === 401) {
      return [
        { name: "server", status: "fail", detail: `${baseUrl} does not know the key; give another with --api-key` },
      ];
    }
    if (answer.status !== 200 || !answer.text.includes('"emulator":"qa-pay"')) {
      return [{ name: "server", status: "warn", detail: `${baseUrl} answers and is no emulator` }];
    }
    const found = JSON.parse(answer.text) as { version: string; now: string; mode: string };
    const clock = await sendOrFail({ method: "GET", url: `${baseUrl}/_sandbox/clock`, headers, body: undefined });
    const { frozen } = JSON.parse(clock.text) as { frozen: boolean };
    const drift = Date.parse(found.now) - io.now();
    const moved = Math.abs(drift) > 5_000;
    const state = frozen
      ? `stands still at ${found.now}`
      : `${found.now}${moved ? `, ${Math.round(drift / 1_000)} s off` : ""}`;
    return [
      { name: "server", status: "ok", detail: `qa-pay ${found.version} at ${baseUrl}, ${found.mode} key` },
      { name: "clock", status: frozen || moved ? "warn" : "ok", detail: state },
    ];
  } catch {
    const free = await isFree(DEFAULT_PORT);
    const port = free ? `port ${DEFAULT_PORT} is free` : `port ${DEFAULT_PORT} is taken by another program: use --port`;
    return [{ name: "server", status: "warn", detail: `nobody answers at ${baseUrl}; ${port}` }];
  }
}

export async function doctor(io: Io, flags: DoctorFlags): Promise<ExitCode> {
  const checks = [
    checkNode(io),
    ...(await checkDatabase(io, flags.db)),
    checkProfile(io),
    ...(await checkServer(io, flags)),
  ];
  const failed = checks.some(({ status }) => status === "fail");
  if (flags.json) {
    io.out(`${JSON.stringify({ healthy: !failed, checks })}\n`);
    return failed ? EXIT.unexpected : EXIT.done;
  }
  const paint = await palette(io, flags.color !== false);
  const marks = { ok: paint.good("✓"), warn: paint.wait("!"), fail: paint.bad("✗") };
  for (const { name, status, detail } of checks) io.out(`${marks[status]} ${name.padEnd(9)} ${detail}\n`);
  return failed ? EXIT.unexpected : EXIT.done;
}
