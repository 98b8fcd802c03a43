import { AS_OPTIONS, able, OptionError, optionsOf, readOptions } from "../../base/kernel/options.js";
import type { Log, Runtime } from "../../base/kernel/runtime.js";
import { createRuntime } from "../../base/platform/real-runtime.js";
import { newKey } from "../../service/features/access/keys.js";
import { readSettings, SETTING_READERS } from "../../service/features/read-settings.js";
import type { ServiceOptions } from "../../service/features/service-settings.js";
import { type Emulator as Started, createEmulator as start } from "../start/emulator.js";
import type { StartFacts } from "../start/start-facts.js";
import { createTestControls } from "./controls.js";
import { createClient } from "./create-client.js";
import { forCaller } from "./for-caller.js";
import type { TestKit } from "./test-kit.js";

/** Options of `createEmulator`: the flags of `qa-pay serve` in camelCase. `db` and `port` have other defaults. */
export interface EmulatorOptions extends ServiceOptions {
  /** Receives the messages of the server, such as a mail server that refuses an e-mail. By default there is no log. */
  readonly log?: Log | undefined;
  /** Replaces the machine's clock and random numbers, so that runs can be repeated exactly. Contains its own log. */
  readonly runtime?: Runtime | undefined;
}

/** A service that runs in this process until it is closed. */
export interface Emulator extends StartFacts, TestKit, AsyncDisposable {
  /** The API key of the test book: that of the options, or a new one. */
  readonly testKey: string;
  /** The API key of the live book: that of the options, or a new one. */
  readonly liveKey: string;
  /** Accepts no more requests, ends the open ones and closes the database. May be called several times. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const OWN_READERS = { log: able<Log>("warn", "error"), runtime: able<Runtime>("random", "real", "log") };

/** Checks the options, and creates the missing API keys. */
function checkOptions(options: EmulatorOptions) {
  const given = optionsOf("createEmulator", options, { ...SETTING_READERS, ...OWN_READERS });
  const settings = readSettings(given, AS_OPTIONS);
  const { log, runtime = createRuntime(log, settings.randomSeed) } = readOptions(given, OWN_READERS, AS_OPTIONS);
  const random = runtime.seeded?.("keys") ?? runtime.random;
  // The file of an earlier start contains only hashes of its keys, so a start without keys in its options adds new ones.
  const testKey = settings.testKey ?? newKey("test", random);
  const liveKey = settings.liveKey ?? newKey("live", random);
  return { ...settings, testKey, liveKey, runtime };
}

/** Returns the emulator for the user of the package. */
function emulatorOf(started: Started, { testKey, liveKey, runtime }: ReturnType<typeof checkOptions>): Emulator {
  const { url, database, consoleUrl, users, signingSecret, forward, now, onEvent, onCollected } = started;
  const closing = new AbortController();
  const client = createClient({ baseUrl: url, apiKey: testKey });
  const controls = createTestControls({
    client,
    url,
    real: runtime.real,
    now,
    onEvent,
    onCollected,
    closed: closing.signal,
  });
  const close = () => {
    closing.abort(new Error("The emulator was closed."));
    return started.close();
  };
  const facts = { url, database, consoleUrl, testKey, liveKey, users, signingSecret, forward };
  return { ...facts, ...controls, close, [Symbol.asyncDispose]: close };
}

async function startWith(options: ReturnType<typeof checkOptions>): Promise<Emulator> {
  const started = await start(options);
  for (const option of ["testKey", "liveKey"] as const) {
    if (started[option] !== null) continue;
    await started.close();
    throw new OptionError(option, `${option} was revoked in this database, which cannot be undone: choose another.`);
  }
  return emulatorOf(started, options);
}

/**
 * Starts a service in this process, by default in memory and on a free port of this machine. Resolves when the service
 * answers requests.
 *
 * @throws OptionError for an unknown option or a wrong value, before anything is opened. Also for a key that was
 *   revoked in this database.
 * @throws Error (`DatabaseError`, `ListenError`) for a database that cannot be used, or a port that is in use.
 */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  try {
    return await startWith(checkOptions(options));
  } catch (error) {
    throw forCaller(error, createEmulator);
  }
}
